/* SPDX-License-Identifier: MIT */
/* How PROFRUN_OPTIONS and the command line are read by the table of options. */

#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/report/report.h"
#include "cli/ticks/tick_source.h"
#include "cli/words.h"

/* The names to choose from; an option that has a letter alone is called "". */
static const char *option_name(size_t index)
{
	const struct option *option = options_at(index);

	if (!option)
		return NULL;
	return option->name ? option->name : "";
}

/* Applies @option, which was written as @spelling; a refusal names both and the value. */
static int option_apply(const struct option *option, const char *spelling, const char *value,
			struct options *options, struct error *err)
{
	struct error why = {.code = 0};
	int code = option->apply(option, value, options, &why);

	if (code >= 0)
		return 0;
	if (!option->name)
		return error_set(err, code, "%s", why.text);
	if (!value)
		return error_set(err, code, "%s: %s", spelling, why.text);
	return error_set(err, code, "%s '%.40s'%s: %s", spelling, value,
			 strlen(value) > 40 ? "..." : "", why.text);
}

/* The value of @option when it does not stand in the same word: the next word. */
static int take_value(const struct option *option, const char *spelling, char ***words,
		      const char **ret_value, struct error *err)
{
	if (!**words)
		return error_set(err, -EINVAL, "%s needs a value: write '%s%c%s'", spelling,
				 spelling, spelling[1] == '-' ? '=' : ' ', option->value);
	*ret_value = *(*words)++;
	return 0;
}

static const struct option *find_name(const char *name)
{
	long index = *name ? choice_find(option_name, name) : -1;

	return index < 0 ? NULL : options_at((size_t)index);
}

/* As other tools spell -p. */
static bool attaches(const char *spelling)
{
	return strcmp(spelling, "--pid") == 0 || strcmp(spelling, "--attach") == 0;
}

static int refuse_unknown(const char *spelling, struct error *err)
{
	const char *nearest = NULL;

	if (attaches(spelling))
		return error_set(err, -ENOTSUP, "%s", OPTION_NO_ATTACHING);
	if (strncmp(spelling, "--", 2) == 0)
		nearest = choice_nearest(option_name, spelling + 2);
	if (nearest)
		return error_set(err, -EINVAL, "unknown option '%.40s'; did you mean '--%s'?",
				 spelling, nearest);
	return error_set(err, -EINVAL, "unknown option '%.40s'; 'profrun --help' lists them",
			 spelling);
}

/* @word is "--name" or "--name=value"; *words stand behind it. */
static int parse_long(const char *word, char ***words, struct options *options, struct error *err)
{
	const char *equals = strchr(word, '=');
	const char *value = equals ? equals + 1 : NULL;
	const struct option *option;
	char spelling[40];

	snprintf(spelling, sizeof(spelling), "%.*s", (int)(equals ? equals - word : INT_MAX), word);
	option = find_name(spelling + 2);
	if (!option)
		return refuse_unknown(spelling, err);
	if (!option->value && value)
		return error_set(err, -EINVAL, "%s takes no value; write just '%s'", spelling,
				 spelling);
	if (option->value && !value && option->implied) {
		value = option->implied;
	} else if (option->value && !value) {
		int code = take_value(option, spelling, words, &value, err);

		if (code < 0)
			return code;
	}
	return option_apply(option, spelling, value, options, err);
}

static const struct option *find_letter(char letter)
{
	const struct option *option;

	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->letter && option->letter == letter)
			return option;
	}
	return NULL;
}

/* @word is "-x", several letters "-qv", or a letter with its value "-oFILE". */
static int parse_letters(const char *word, char ***words, struct options *options,
			 struct error *err)
{
	for (const char *letter = word + 1; *letter && !options->inform; letter++) {
		const struct option *option = find_letter(*letter);
		const char spelling[] = {'-', *letter, '\0'};
		const char *value = NULL;
		int code;

		if (!option)
			return refuse_unknown(word, err);
		if (option->value && letter[1]) {
			value = letter + 1;
		} else if (option->value) {
			code = take_value(option, spelling, words, &value, err);
			if (code < 0)
				return code;
		}
		code = option_apply(option, spelling, value, options, err);
		if (code < 0 || value)
			return code;
	}
	return 0;
}

/*
 * Reads options up to the first operand, or up to what follows "--"; *words is left there.
 * 1: "--" ended them.
 */
static int parse_options(char ***words, struct options *options, struct error *err)
{
	while (**words && !options->inform) {
		const char *word = **words;
		int code;

		if (word[0] != '-' || !word[1])
			return 0;
		(*words)++;
		if (strcmp(word, "--") == 0)
			return 1;
		if (word[1] == '-')
			code = parse_long(word, words, options, err);
		else
			code = parse_letters(word, words, options, err);
		if (code < 0)
			return code;
	}
	return 0;
}

static int parse_environment(const char *environment, struct options *options, struct error *err)
{
	struct error why = {.code = 0};
	char **words;
	int code = words_split(environment, &options->words, &why);

	if (code < 0)
		return error_set(err, code,
				 "PROFRUN_OPTIONS: %.180s; it is read like a shell's line",
				 why.text);
	words = options->words;
	code = parse_options(&words, options, &why);
	if (code < 0)
		return error_set(err, code, "PROFRUN_OPTIONS: %.230s", why.text);
	if (code > 0 || *words)
		return error_set(err, -EINVAL,
				 "PROFRUN_OPTIONS: only options may stand there, not '%.40s'",
				 code > 0 ? "--" : *words);
	return 0;
}

/* Which command the operands mean, its own options and its own operands. */
static int find_command(char **operands, bool after_dashes, struct options *options,
			struct error *err)
{
	const struct command *command = after_dashes ? NULL : command_find(operands[0]);
	int code;

	options->command = command ? command : command_at(0);
	options->argv = operands;
	if (!command) {
		if (strchr(operands[0], '=') && access(operands[0], F_OK) != 0)
			return error_set(err, -EINVAL,
					 "'%.60s' is no program; variables are set by 'env %.60s "
					 "profrun ...'",
					 operands[0], operands[0]);
		return 0;
	}
	options->argv++;
	code = parse_options(&options->argv, options, err);
	return code < 0 ? code : 0;
}

/* What the table cannot say of one option alone: what the tick source forbids and implies. */
static int check_ticks(struct options *options, struct error *err)
{
	const struct tick_source *ticks = options->ticks;

	if (ticks->only_rate_hz && options->rate_hz != ticks->only_rate_hz)
		return error_set(err, -EINVAL,
				 "--rate '%u': --ticks=%s can do %u only; leave one of them out",
				 options->rate_hz, ticks->name, ticks->only_rate_hz);
	if (options->signal && !ticks->takes_signal)
		return error_set(err, -EINVAL,
				 "--signal: --ticks=%s uses none of its own; leave one of them out",
				 ticks->name);
	if (ticks->no_window && (options->delay > 0 || options->duration > 0))
		return error_set(err, -EINVAL,
				 "--delay and --duration: --ticks=%s counts the whole run; leave "
				 "one of them out",
				 ticks->name);
	options->follow = options->follow && !ticks->no_follow;
	options->main_only = options->main_only || ticks->main_only;
	return 0;
}

static int check_threads(const struct options *options, struct error *err)
{
	if (options->threads && options->ticks->no_threads)
		return error_set(err, -EINVAL,
				 "--threads: --ticks=%s cannot tell threads apart; leave one of "
				 "them out",
				 options->ticks->name);
	if (options->command == command_at(0) && !options->threads &&
	    keys_tell(&options->by, COLUMN_THREAD))
		return error_set(err, -EINVAL,
				 "--by=thread needs --threads, so that they are kept apart");
	return 0;
}

static void set_defaults(struct options *options)
{
	*options = (struct options){
		.scale = 0x10000,
		.rate_hz = 100,
		.ticks = tick_source_find("auto"),
		.follow = true,
		.repeat = 1,
		.format = report_format_at(0),
		.by = {.key = {key_at(0)}, .count = 1, .tells = key_at(0)->tells},
		.top = TOP_OF_FORMAT,
		.demangle = true,
		.inlines = true,
		.fail_percent = -1,
		.keep_last = true,
	};
}

/* What only one command understands. */
static int check_command(const struct options *options, struct error *err)
{
	if (options->fail_percent >= 0 && options->command != command_find("diff"))
		return error_set(
			err, -EINVAL,
			"--fail-if goes with a command: 'profrun --fail-if=%g diff OLD NEW'",
			options->fail_percent);
	if (!options->running || options->command == command_find("report"))
		return 0;
	return error_set(err, -EINVAL,
			 "--running '%u' goes with a command: 'profrun --running=%u report'",
			 options->running, options->running);
}

int options_parse(char **argv, const char *environment, struct options *ret_options,
		  struct error *err)
{
	char **words = argv[0] ? argv + 1 : argv;
	int code = 0;

	set_defaults(ret_options);
	if (environment)
		code = parse_environment(environment, ret_options, err);
	if (code < 0)
		return code;
	code = parse_options(&words, ret_options, err);
	if (code < 0 || ret_options->inform)
		return code < 0 ? code : 0;
	if (*words)
		code = find_command(words, code > 0, ret_options, err);
	if (code < 0)
		return code;
	code = check_command(ret_options, err);
	if (code == 0)
		code = check_ticks(ret_options, err);
	return code < 0 ? code : check_threads(ret_options, err);
}

void options_done(struct options *options)
{
	if (options->focus) {
		regfree(options->focus);
		free(options->focus);
	}
	words_free(options->words);
	options->focus = NULL;
	options->words = NULL;
}
