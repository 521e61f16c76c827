/* SPDX-License-Identifier: MIT */
/* `profrun annotate FUNCTION [FILE]`: which lines of a function have its ticks. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd_publish.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/profile/profile_files.h"
#include "cli/report/annotation.h"
#include "cli/report/places.h"
#include "cli/report/report.h"
#include "cli/report/shares.h"
#include "symbolize/util.h"

#define CANDIDATES_SHOWN 20

struct annotation_form {
	const char *name; /* of the report format that is called the same */
	int (*write)(const struct annotation *annotation, const struct options *options,
		     const struct terminal *terminal, FILE *stream);
};

static const struct annotation_form forms[] = {
	{"text", annotation_write_text},
	{"csv", annotation_write_csv},
	{"json", annotation_write_json},
};

static const struct annotation_form *find_form(const struct options *options)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (strcmp(forms[i].name, options->format->name) == 0)
			return &forms[i];
	return NULL;
}

/* Several functions: each by a name that tells it apart. */
static int refuse_ambiguous(const struct profile *profile, const char *name,
			    const struct listing_candidate *candidates, size_t count,
			    struct error *err)
{
	message_print("'%s' may be one of these; say which:", name);
	for (size_t i = 0; i < count && i < CANDIDATES_SHOWN; i++) {
		const struct listing_candidate *candidate = &candidates[i];
		const char *place = candidate->file ? candidate->file
						    : profile->objects[candidate->object].name;

		message_print("  %5.1f%%  '%s:%s' (%s)",
			      100 * (double)candidate->millis / MILLIS / (double)profile->ticks,
			      basename(place), candidate->function,
			      profile->objects[candidate->object].name);
	}
	return error_set(err, -EINVAL,
			 "nothing to annotate: the name does not tell which function");
}

static int write_annotation(struct annotation *annotation, const struct options *options,
			    const struct annotation_form *form, struct output *output,
			    struct error *err)
{
	struct terminal terminal;
	int code;

	terminal_examine(fileno(output->stream), options->color, &terminal);
	code = form->write(annotation, options, &terminal, output->stream);
	if (code < 0)
		return error_set(err, code, "cannot annotate: ");
	return output_commit(output, err);
}

static int annotate(const struct profile *profile, const struct options *options,
		    const struct annotation_form *form, struct output *output, struct error *err)
{
	struct listing listing = {.count = 0};
	AUTO_FREE struct listing_candidate *candidates = NULL;
	struct annotation annotation;
	size_t count = 0;
	int code = listing_find(profile, options->argv[0], options->inlines, &listing, &candidates,
				&count, err);

	if (code < 0)
		return code;
	if (!listing.count)
		return refuse_ambiguous(profile, options->argv[0], candidates, count, err);
	code = annotation_build(profile, &listing, &annotation, err);
	if (code == 0)
		code = write_annotation(&annotation, options, form, output, err);
	annotation_done(&annotation);
	return code;
}

static int run(const struct options *options, struct output *output, struct error *err)
{
	const struct annotation_form *form = find_form(options);
	struct profile *profile = NULL;
	int code;

	if (!form)
		return error_set(err, -EINVAL, "annotate writes text, csv or json, not %s",
				 options->format->name);
	code = output_open(options->output, STDOUT_FILENO, 0666, output, err);
	if (code == 0)
		code = profile_files_read(options->argv + 1, &profile, err);
	if (code == 0)
		code = places_find(profile,
				   cmd_name_flags(options) | (unsigned)(SYM_LINES | SYM_INLINES),
				   options->verbose, err);
	if (code == 0)
		code = annotate(profile, options, form, output, err);
	profile_free(profile);
	return code;
}

int cmd_annotate(const struct options *options)
{
	struct output output = {.stream = NULL};
	struct error err;
	int code;

	cmd_ignore_write_signals();
	code = run(options, &output, &err);
	output_done(&output);
	if (code == 0)
		return EXIT_SUCCESS;
	message_print("%s", err.text);
	return EXIT_PROFRUN;
}
