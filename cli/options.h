/* SPDX-License-Identifier: MIT */
/*
 * The command line: what every option is called, what it accepts and what was asked for.
 *
 * One table (cli/option_table.c) holds all options; parsing, --help and the messages come from it.
 * Options end at the first operand, so that a program's own options need no quoting.
 */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/report/keys.h"
#include "symbolize/error.h"

struct column_format;
struct command;
struct report_format;
struct tick_source;

enum color_when {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* --top when it was not given: the format's own default holds. */
#define TOP_OF_FORMAT UINT32_MAX

/* Why there is no -p. */
#define OPTION_NO_ATTACHING "cannot attach to a running program; start it as 'profrun PROGRAM'"

struct options {
	uint32_t scale; /* 2 to 0x10000 */
	uint32_t rate_hz;
	double delay, duration;		 /* seconds; duration 0: to the end */
	const struct tick_source *ticks; /* may be "auto": see tick_source_choose() */
	int signal;			 /* a real-time signal, or 0: the first free one */
	bool main_only;
	bool threads; /* are kept apart */
	bool follow;
	uint32_t running; /* the profrun that is asked for its profile so far; 0: none */
	uint32_t repeat;  /* how many runs are added up */
	bool live;	  /* a view on the terminal while the program runs */

	const struct report_format *format;
	const char *output; /* as given (with % patterns), NULL: the command's default stream */
	const char *save;   /* where the profile is kept too, NULL: nowhere */
	bool keep_last;	    /* as the last run */
	struct keys by;
	const struct column_format *sort; /* NULL: falling ticks */
	bool sort_reversed;
	uint32_t top;	    /* rows at most, 0: all, or TOP_OF_FORMAT */
	double min_percent; /* rows below are hidden */
	regex_t *focus;	    /* NULL: everything */
	bool demangle;
	bool clones;
	double fetch_seconds; /* for debug files from servers, 0: none are fetched */
	bool inlines;
	double fail_percent; /* of diff: a rise by more is a failure; negative: none is */
	enum color_when color;
	bool quiet;
	bool verbose;

	/* Prints what was asked for instead of a run (--help, --version, --format=help), or NULL.
	 */
	void (*inform)(void);

	const struct command *command; /* NULL: no operand at all */
	char **argv; /* the command's operands, NULL-terminated: argv[0] is PROGRAM */

	char **words; /* PROFRUN_OPTIONS in words, which the strings above may point into */
};

enum option_group {
	OPTION_SAMPLING,
	OPTION_REPORTING,
	OPTION_OTHER,
	OPTION_GROUPS,
};

struct option {
	const char *name; /* without the dashes */
	char letter;	  /* 0: none */
	enum option_group group;
	const char *value;   /* what --help calls the value; NULL: the option takes none */
	const char *implied; /* the value that stands for none: then only "=" gives one */
	const char *help;
	/*
	 * Stores @value (NULL when the option takes none). A negative errno: *err says what would
	 * have been right, without naming the option.
	 */
	int (*apply)(const struct option *option, const char *value, struct options *options,
		     struct error *err);
	const char *(*choices)(size_t index); /* what the value may be, NULL: anything */
	size_t field;			      /* offset in struct options of what @apply stores */
	uint32_t min, max;		      /* of a number */
};

/*
 * Reads PROFRUN_OPTIONS (@environment, may be NULL), then @argv. 0, or a negative errno with *err,
 * one line that names a way out. *ret_options borrows from @argv; options_done() in any case.
 */
int options_parse(char **argv, const char *environment, struct options *ret_options,
		  struct error *err);
void options_done(struct options *options);

/* The rows of the table in the order of --help; NULL after the last. */
const struct option *options_at(size_t index);
