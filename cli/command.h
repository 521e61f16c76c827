/* SPDX-License-Identifier: MIT */
/*
 * The commands: a first operand that is the name of one chooses it, anything else is a program to
 * run. One file cmd_NAME.c and one row in cli/command.c each.
 */
#pragma once

#include <stddef.h>

#include "cli/options.h"

/* profrun's own exit statuses; everything else is the target's. */
#define EXIT_PROFRUN	 125 /* profrun failed, or was misused */
#define EXIT_CANNOT_EXEC 126
#define EXIT_NOT_FOUND	 127

struct command {
	const char *name;
	const char *operands; /* as --help shows them */
	const char *needs;    /* what the first operand is when there must be one, or NULL */
	const char *summary;
	/* Does it and prints what there is to say; returns profrun's exit status. */
	int (*run)(const struct options *options);
};

/* The row at @index, in the order of --help; NULL after the last. The first is `run`. */
const struct command *command_at(size_t index);

/* The command called @name, or NULL. */
const struct command *command_find(const char *name);

int cmd_run(const struct options *options);
int cmd_report(const struct options *options);
int cmd_annotate(const struct options *options);
int cmd_diff(const struct options *options);
int cmd_symbolize(const struct options *options);
int cmd_doctor(const struct options *options);
