/* SPDX-License-Identifier: MIT */
/* `profrun diff OLD NEW`: what changed from one profile to the other, and what is only chance. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd_publish.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/profile/profile_files.h"
#include "cli/report/diff.h"
#include "cli/report/places.h"
#include "cli/report/report.h"
#include "symbolize/util.h"

#define EXIT_WORSE 1 /* by --fail-if */

struct diff_form {
	const char *name; /* of the report format that is called the same */
	int (*write)(const struct diff *diff, const struct options *options,
		     const struct terminal *terminal, FILE *stream);
};

static const struct diff_form forms[] = {
	{"text", diff_write_text},
	{"csv", diff_write_csv},
	{"json", diff_write_json},
};

static const struct diff_form *find_form(const struct options *options)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (strcmp(forms[i].name, options->format->name) == 0)
			return &forms[i];
	return NULL;
}

static int read_named(const char *path, const struct options *options, struct profile **ret_profile,
		      struct error *err)
{
	char *files[] = {(char *)path, NULL};
	int code = profile_files_read(files, ret_profile, err);

	return code < 0 ? code
			: places_find(*ret_profile, cmd_name_flags(options), options->verbose, err);
}

/* What --fail-if is about: a line for each, and whether there is one. */
static bool is_worse(const struct diff *diff, const struct options *options)
{
	double limit = options->fail_percent;
	double old = diff_cpu_seconds(diff, DIFF_OLD), new = diff_cpu_seconds(diff, DIFF_NEW);
	bool worse = false;

	if (limit < 0)
		return false;
	if (old > 0 && 100 * (new - old) / old > limit) {
		message_print("CPU time rose by %.1f%%, more than %g%%", 100 * (new - old) / old,
			      limit);
		worse = true;
	}
	for (size_t i = 0; i < diff->count; i++) {
		const struct diff_row *row = &diff->row[i];
		double change = row->percent[DIFF_NEW] - row->percent[DIFF_OLD];
		double margin = diff_family_margin(diff, row);

		if (change - margin <= limit)
			continue;
		message_print("the share of %s rose by %.1f points (%.1f of them may be chance), "
			      "more than %g",
			      *row->row.function ? row->row.function : row->row.object, change,
			      margin, limit);
		worse = true;
	}
	return worse;
}

/* 1: worse than --fail-if allows. */
static int compare(const struct profile *old, const struct profile *new,
		   const struct options *options, const struct diff_form *form,
		   struct output *output, struct error *err)
{
	struct terminal terminal;
	struct diff diff;
	int code = diff_build(old, new, options, &diff, err);

	if (code == 0) {
		terminal_examine(fileno(output->stream), options->color, &terminal);
		code = form->write(&diff, options, &terminal, output->stream);
		if (code < 0)
			error_set(err, code, "cannot compare: ");
	}
	if (code == 0)
		code = output_commit(output, err);
	if (code == 0)
		code = is_worse(&diff, options);
	diff_done(&diff);
	return code;
}

static int run(const struct options *options, struct output *output, struct error *err)
{
	const struct diff_form *form = find_form(options);
	struct profile *old = NULL, *new = NULL;
	int code;

	if (!form)
		return error_set(err, -EINVAL, "diff writes text, csv or json, not %s",
				 options->format->name);
	if (!options->argv[1] || options->argv[2])
		return error_set(err, -EINVAL,
				 "diff compares two profiles: 'profrun diff OLD NEW'; --save=FILE "
				 "keeps one");
	code = output_open(options->output, STDOUT_FILENO, 0666, output, err);
	if (code == 0)
		code = read_named(options->argv[0], options, &old, err);
	if (code == 0)
		code = read_named(options->argv[1], options, &new, err);
	if (code == 0)
		code = compare(old, new, options, form, output, err);
	profile_free(old);
	profile_free(new);
	return code;
}

int cmd_diff(const struct options *options)
{
	struct output output = {.stream = NULL};
	struct error err;
	int code;

	cmd_ignore_write_signals();
	code = run(options, &output, &err);
	output_done(&output);
	if (code >= 0)
		return code ? EXIT_WORSE : EXIT_SUCCESS;
	message_print("%s", err.text);
	return EXIT_PROFRUN;
}
