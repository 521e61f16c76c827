/* SPDX-License-Identifier: MIT */
/* --help and --version. */

#include "cli/usage.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/report/disassembly.h"
#include "symbolize/symbolize.h"

#define HELP_COLUMN 26
#define HELP_WIDTH  80

static const char *const group_titles[OPTION_GROUPS] = {
	[OPTION_SAMPLING] = "Sampling",
	[OPTION_REPORTING] = "Reporting",
	[OPTION_OTHER] = "Other",
};

/* Prints @text in words, broken at HELP_WIDTH; the cursor stands in column @column. */
static void print_wrapped(const char *text, size_t column)
{
	if (column + 1 > HELP_COLUMN) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(HELP_COLUMN - column), "");
	column = HELP_COLUMN;
	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
			printf("\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		}
		column += (size_t)printf("%s%.*s", column > HELP_COLUMN ? " " : "", (int)length,
					 text);
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}

static void print_option(const struct option *option)
{
	int column;

	if (option->letter)
		column = printf("  -%c, ", option->letter);
	else
		column = printf("      ");
	column += printf("--%s", option->name);
	if (option->value)
		column += printf(option->implied ? "[=%s]" : "=%s", option->value);
	print_wrapped(option->help, (size_t)column);
}

static void print_commands(FILE *stream)
{
	const struct command *command;

	for (size_t i = 0; (command = command_at(i)); i++)
		fprintf(stream, "       profrun [OPTION...] %s %s\n", command->name,
			command->operands);
}

void usage_help(void)
{
	const struct command *command;
	const struct option *option;

	puts("Usage: profrun [OPTION...] [--] PROGRAM [ARG...]");
	print_commands(stdout);
	puts("\nProfiles PROGRAM and prints in which functions it spent its CPU "
	     "time.\n\nCommands:");
	for (size_t i = 0; (command = command_at(i)); i++) {
		int column = printf("  %s", command->name);

		print_wrapped(command->summary, (size_t)column);
	}
	for (unsigned group = 0; group < OPTION_GROUPS; group++) {
		printf("\n%s:\n", group_titles[group]);
		for (size_t i = 0; (option = options_at(i)); i++) {
			if (option->group == group && option->help)
				print_option(option);
		}
	}
	puts("\nOptions end at the first operand; PROFRUN_OPTIONS is read before them.");
}

void usage_short(FILE *stream)
{
	fputs("Usage: profrun [OPTION...] [--] PROGRAM [ARG...]\n", stream);
	print_commands(stream);
	fputs("'profrun --help' lists the options.\n", stream);
}

void usage_version(void)
{
	const char *feature;
	bool built_in;

	fputs("profrun " PROFRUN_VERSION "\nbuilt with:", stdout);
	for (size_t i = 0; (feature = sym_feature(i, &built_in)); i++)
		printf(" %c%s", built_in ? '+' : '-', feature);
	printf(" %ccapstone\n", disassembly_built_in() ? '+' : '-');
}
