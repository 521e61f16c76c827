/* SPDX-License-Identifier: MIT */
/*
 * libsample's parts serve two shared objects: the library that programs link (library.c) and the
 * preload module (preload.c). What differs between them is defined by each of those files.
 */
#pragma once

#include <signal.h>

/* The first histogram became active: 0, or the negative errno with which ticks were refused. */
int owner_ticks_begin(void);

/* No histogram is active any more. */
void owner_ticks_end(void);

/* In a new thread, before it runs anything of the program. */
void owner_thread_began(void);

/* In a new thread that could not be armed; @error is the negative errno. */
void owner_thread_not_armed(int error);

/* Ticks have taken a signal, whose action, a default one, was @action. */
void owner_signal_taken(const struct sigaction *action);

/* The C library's sigaction(2), which the preload module interposes for everybody else. */
int owner_sigaction(int signal, const struct sigaction *action, struct sigaction *old);

/* A signal with our number that is no tick. Async-signal-safe. */
void owner_foreign_signal(int signal, siginfo_t *info, void *context);
