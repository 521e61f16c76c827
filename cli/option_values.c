/* SPDX-License-Identifier: MIT */
/* The kinds of values that options take. */

#include "cli/option_values.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/choice.h"
#include "cli/completion.h"
#include "cli/report/columns.h"
#include "cli/report/report.h"
#include "cli/ticks/tick_source.h"
#include "symbolize/util.h"

static void *field_of(const struct option *option, struct options *options)
{
	return (char *)options + option->field;
}

int option_set(const struct option *option, const char *value, struct options *options,
	       struct error *err)
{
	(void)value;
	(void)err;
	*(bool *)field_of(option, options) = true;
	return 0;
}

int option_clear(const struct option *option, const char *value, struct options *options,
		 struct error *err)
{
	(void)value;
	(void)err;
	*(bool *)field_of(option, options) = false;
	return 0;
}

int option_string(const struct option *option, const char *value, struct options *options,
		  struct error *err)
{
	if (!*value)
		return error_set(err, -EINVAL, "must not be empty");
	*(const char **)field_of(option, options) = value;
	return 0;
}

/* The whole of @value as a number; strtoul alone would take blanks, signs and trailing letters. */
static int parse_number(const char *value, int base, unsigned long *ret_number)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)*value))
		return -EINVAL;
	errno = 0;
	number = strtoul(value, &end, base);
	if (*end)
		return -EINVAL;
	if (errno)
		return -ERANGE;
	*ret_number = number;
	return 0;
}

int option_number(const struct option *option, const char *value, struct options *options,
		  struct error *err)
{
	unsigned long number;

	if (parse_number(value, 10, &number) < 0 || number < option->min || number > option->max)
		return error_set(err, -EINVAL, "must be a whole number from %u to %u", option->min,
				 option->max);
	*(uint32_t *)field_of(option, options) = (uint32_t)number;
	return 0;
}

int option_scale(const struct option *option, const char *value, struct options *options,
		 struct error *err)
{
	unsigned long number;

	if (parse_number(value, 0, &number) < 0 || number < option->min || number > option->max)
		return error_set(err, -EINVAL,
				 "must be a whole number from %u to 0x%x, a bucket per 2 bytes",
				 option->min, option->max);
	*(uint32_t *)field_of(option, options) = (uint32_t)number;
	return 0;
}

/* What a person writes as a positive number: no signs, blanks, hexadecimal, "nan". */
static bool parse_plain(const char *value, double most, double *ret_number)
{
	char *end;

	*ret_number = strtod(value, &end);
	return *value && !*end && strspn(value, "0123456789.") == strlen(value) &&
	       *ret_number <= most;
}

int option_seconds(const struct option *option, const char *value, struct options *options,
		   struct error *err)
{
	double number;

	if (!parse_plain(value, 1e6, &number))
		return error_set(err, -EINVAL, "must be a number of seconds up to 1000000");
	*(double *)field_of(option, options) = number;
	return 0;
}

int option_percent(const struct option *option, const char *value, struct options *options,
		   struct error *err)
{
	double number;

	if (!parse_plain(value, 100, &number))
		return error_set(err, -EINVAL, "must be a number from 0 to 100");
	*(double *)field_of(option, options) = number;
	return 0;
}

/* "RTMIN+2" after an optional "SIG": *ret_signal, or -EINVAL. */
static int parse_signal_name(const char *name, unsigned long *ret_signal)
{
	bool from_max;
	unsigned long offset = 0;

	if (strncasecmp(name, "SIG", 3) == 0)
		name += 3;
	from_max = strncasecmp(name, "RTMAX", 5) == 0;
	if (!from_max && strncasecmp(name, "RTMIN", 5) != 0)
		return -EINVAL;
	name += 5;
	if (*name) {
		if (*name != (from_max ? '-' : '+') || parse_number(name + 1, 10, &offset) < 0 ||
		    offset > (unsigned long)(SIGRTMAX - SIGRTMIN))
			return -EINVAL;
	}
	*ret_signal =
		from_max ? (unsigned long)SIGRTMAX - offset : (unsigned long)SIGRTMIN + offset;
	return 0;
}

int option_signal(const struct option *option, const char *value, struct options *options,
		  struct error *err)
{
	unsigned long number;

	if ((parse_number(value, 10, &number) < 0 && parse_signal_name(value, &number) < 0) ||
	    number < (unsigned long)SIGRTMIN || number > (unsigned long)SIGRTMAX)
		return error_set(err, -EINVAL,
				 "must be a real-time signal: %d to %d, or a name like RTMAX-2",
				 SIGRTMIN, SIGRTMAX);
	*(int *)field_of(option, options) = (int)number;
	return 0;
}

static const char *const color_names[] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
};

const char *option_color_name(size_t index)
{
	return index < ARRAY_SIZE(color_names) ? color_names[index] : NULL;
}

/* Refuses a word that is none of @names. */
static int refuse_choice(choice_name names, const char *word, struct error *err)
{
	char list[192];

	return error_set(err, -EINVAL, "%s", choice_describe(names, word, list, sizeof(list)));
}

int option_color(const struct option *option, const char *value, struct options *options,
		 struct error *err)
{
	long index = choice_find(option_color_name, value);

	(void)option;
	if (index < 0)
		return refuse_choice(option_color_name, value, err);
	options->color = (enum color_when)index;
	return 0;
}

int option_regex(const struct option *option, const char *value, struct options *options,
		 struct error *err)
{
	regex_t **field = field_of(option, options);
	AUTO_FREE regex_t *regex = calloc(1, sizeof(*regex));
	char why[128];
	int code;

	if (!regex)
		return error_set(err, -ENOMEM, "out of memory");
	if (!*value)
		return error_set(err, -EINVAL, "must not be empty; '.' matches everything");
	code = regcomp(regex, value, REG_EXTENDED | REG_NOSUB);
	if (code != 0) {
		regerror(code, regex, why, sizeof(why));
		return error_set(
			err, -EINVAL,
			"no extended regular expression (%s); a backslash keeps a character", why);
	}
	if (*field) {
		regfree(*field);
		free(*field);
	}
	*field = steal_ptr(regex);
	return 0;
}

static void inform_ticks(void)
{
	const struct tick_source *source;

	for (size_t i = 0; (source = tick_source_at(i)); i++)
		printf("%-10s %s\n", source->name, source->summary);
}

int option_ticks(const struct option *option, const char *value, struct options *options,
		 struct error *err)
{
	const struct tick_source *source = tick_source_find(value);

	(void)option;
	if (strcmp(value, "help") == 0) {
		options->inform = inform_ticks;
		return 0;
	}
	if (!source)
		return refuse_choice(tick_source_name, value, err);
	options->ticks = source;
	return 0;
}

int option_keys(const struct option *option, const char *value, struct options *options,
		struct error *err)
{
	return keys_parse(value, field_of(option, options), err);
}

int option_sort(const struct option *option, const char *value, struct options *options,
		struct error *err)
{
	bool reversed = *value == '-';
	long index = choice_find(column_name, value + reversed);

	(void)option;
	if (index < 0)
		return refuse_choice(column_name, value + reversed, err);
	options->sort = column_of((size_t)index);
	options->sort_reversed = reversed;
	return 0;
}

static void inform_formats(void)
{
	const struct report_format *format;

	for (size_t i = 0; (format = report_format_at(i)); i++)
		printf("%-10s %s\n", format->name, format->summary);
}

int option_format(const struct option *option, const char *value, struct options *options,
		  struct error *err)
{
	/* An option that is short for a format (--csv) takes no value: its own name is the
	 * format's. */
	long index = choice_find(report_format_name, value ? value : option->name);

	if (value && strcmp(value, "help") == 0) {
		options->inform = inform_formats;
		return 0;
	}
	if (index < 0)
		return refuse_choice(report_format_name, value, err);
	options->format = report_format_at((size_t)index);
	return 0;
}

static long completed_shell; /* index of the shell whose script is asked for */

static void inform_completion(void)
{
	completion_print((size_t)completed_shell);
}

int option_completion(const struct option *option, const char *value, struct options *options,
		      struct error *err)
{
	(void)option;
	completed_shell = choice_find(completion_shell, value);
	if (completed_shell < 0)
		return refuse_choice(completion_shell, value, err);
	options->inform = inform_completion;
	return 0;
}
