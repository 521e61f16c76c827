/* SPDX-License-Identifier: MIT */
/*
 * A program that takes every real-time signal takes ours too. It gets a share of it then: our
 * handler stays, and gives it the signals that are no ticks. One signal, one guest.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* The program's action for our signal, as it set it; all zero while it set none. */
void guest_get(struct sigaction *ret_action);
void guest_set(const struct sigaction *action);

/* Does with a signal that is no tick what the program's action says. Async-signal-safe. */
void guest_deliver(int signal, siginfo_t *info, void *context);
