/* SPDX-License-Identifier: MIT */
/*
 * profrun's end of the arena (libsample/arena.h): the memfd that targets map, and the socket from
 * which they get it when they cannot open it in /proc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libsample/arena.h"
#include "symbolize/error.h"

struct arena_file {
	int fd;
	int socket; /* -1: none */
	struct arena_header
		*header;  /* shared with the targets: believe nothing in it but once read */
	char control[64]; /* the control variable's value */
	uint64_t nonce, size;
	bool detached; /* arena_file_detach() */
};

/* What the targets are told; see struct arena_header. */
struct arena_settings {
	uint32_t flags, ticks, rate, scale, signal;
	bool by_ptrace;		/* what ticks from outside (ARENA_TICKS_KERNEL) is ptrace */
	bool verbose;		/* tell in the profile's details how ticks came about */
	double delay, duration; /* seconds of the run; see cli/collect/window.h */
	const char *preload;	/* the LD_PRELOAD that was there before, or NULL */
};

int arena_file_new(const struct arena_settings *settings, struct arena_file **ret_file,
		   struct error *err);
void arena_file_free(struct arena_file *file);

/* Hands the memfd to every target that waits at the socket. */
void arena_file_serve(struct arena_file *file);

/* Reads exactly @size bytes at @offset. 0 or a negative errno. Makes no page of the arena. */
int arena_file_read(const struct arena_file *file, uint64_t offset, void *buffer, size_t size);

/*
 * Calls @function with each piece of [start, end) that may hold something else than zeroes, in
 * order, until it returns non-zero, which is returned. Pieces start at multiples of 8 from @start.
 */
int arena_file_each_data(const struct arena_file *file, uint64_t start, uint64_t end,
			 int (*function)(uint64_t offset, const void *bytes, size_t size,
					 void *data),
			 void *data);

/* In a fork of profrun: what is taken out or given back stays in the arena for the parent. */
void arena_file_detach(struct arena_file *file);

/* Maps a piece of it to be changed. NULL with errno. */
void *arena_file_map(const struct arena_file *file, uint64_t offset, size_t size);

/* Gives the memory of [start, end) back; it reads as zeroes then. */
void arena_file_punch(const struct arena_file *file, uint64_t start, uint64_t end);
