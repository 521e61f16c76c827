/* SPDX-License-Identifier: MIT */
/* Lists of addresses as people and programs write them: hexadecimal, with or without 0x. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/error.h"

struct address_list {
	uint64_t *items; /* in the order given */
	size_t count, room;
};

void address_list_done(struct address_list *list);

/* Adds @text. -EINVAL with *err when it is no address, or -ENOMEM. */
int address_list_add(struct address_list *list, const char *text, struct error *err);

/* Lines of addresses from a descriptor, in batches. */
struct address_lines {
	int fd;
	char *pending; /* what was read and is not used yet */
	size_t size, room;
	bool ended;
};

void address_lines_done(struct address_lines *lines);

/*
 * Empties @list and fills it with what comes until the writer pauses, so that a program which
 * waits for each answer gets it, and one that writes all at once is served at once. 1, 0 at the
 * end, or a negative errno with *err; @list then has the addresses before the bad line.
 */
int address_lines_read(struct address_lines *lines, struct address_list *list, struct error *err);
