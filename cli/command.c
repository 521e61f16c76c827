/* SPDX-License-Identifier: MIT */
/* The table of commands. */

#include "cli/command.h"

#include <string.h>

#include "symbolize/util.h"

static const struct command commands[] = {
	{
		.name = "run",
		.operands = "[--] PROGRAM [ARG...]",
		.needs = "PROGRAM",
		.summary = "profile PROGRAM, also one that is named like a command",
		.run = cmd_run,
	},
	{
		.name = "report",
		.operands = "[FILE...]",
		.summary = "print saved profiles, several as one (default: the last run)",
		.run = cmd_report,
	},
	{
		.name = "diff",
		.operands = "OLD NEW",
		.needs = "OLD and NEW profile",
		.summary = "what changed between two saved profiles, beyond chance",
		.run = cmd_diff,
	},
	{
		.name = "annotate",
		.operands = "FUNCTION [FILE...]",
		.needs = "FUNCTION",
		.summary = "source lines (or instructions) of one function with their time",
		.run = cmd_annotate,
	},
	{
		.name = "symbolize",
		.operands = "OBJECT [ADDRESS...]",
		.needs = "OBJECT",
		.summary = "names for link-time addresses (arguments, or one a line from stdin)",
		.run = cmd_symbolize,
	},
	{
		.name = "doctor",
		.operands = "[PROGRAM]",
		.summary = "what works on this machine, for PROGRAM, and what would help",
		.run = cmd_doctor,
	},
};

const struct command *command_at(size_t index)
{
	return index < ARRAY_SIZE(commands) ? &commands[index] : NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}
