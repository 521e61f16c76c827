/* SPDX-License-Identifier: MIT */
/*
 * What the calling process is about to execute, as far as it decides whether the preload will enter
 * it. Everything here is async-signal-safe, allocates nothing and leaves errno alone: it runs in
 * the child of a vfork.
 */
#pragma once

#include "libsample/arena.h"

enum program_kind {
	PROGRAM_NONE,	 /* there is nothing to execute: exec fails */
	PROGRAM_OPEN,	 /* entered, or not to be read: exec will tell */
	PROGRAM_CLOSED,	 /* static, of another C library, or with other rights: maybe not entered */
	PROGRAM_FOREIGN, /* of another machine: its dynamic linker complains about the preload */
};

struct program {
	enum program_kind kind;
	char path[ARENA_EXEC_PATH_MAX]; /* absolute, of PROGRAM_CLOSED and PROGRAM_FOREIGN; else ""
					 */
};

/* The program at @path (any pointer, as exec takes it), relative to @directory. */
void program_examine(int directory, const char *path, struct program *ret_program);

/* The one that is open as @fd; its path is found for every kind. */
void program_examine_open(int fd, struct program *ret_program);

/* The one that execvp(3) would find. */
void program_search(const char *file, struct program *ret_program);
