/* SPDX-License-Identifier: MIT */
/* From a profile to a written report. */

#include "cli/cmd_publish.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "cli/fetching.h"
#include "cli/message.h"
#include "cli/profile/pprof_write.h"
#include "cli/profile/saved.h"
#include "cli/report/places.h"
#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/summary.h"
#include "cli/report/terminal.h"

int cmd_outputs_open(const struct options *options, int fallback, struct outputs *ret_outputs)
{
	struct outputs outputs = {.report.stream = NULL};
	struct error err;
	int code = output_open(options->output, fallback, 0666, &outputs.report, &err);

	if (code == 0 && options->format->binary && isatty(fileno(outputs.report.stream)))
		code = error_set(&err, -EINVAL,
				 "--format=%s is nothing for a terminal; use -o FILE",
				 options->format->name);
	if (code == 0 && options->save)
		code = output_open(options->save, -1, 0666, &outputs.save, &err);
	if (code == 0 && options->save && isatty(fileno(outputs.save.stream)))
		code = error_set(&err, -EINVAL,
				 "a profile is nothing for a terminal; use --save=FILE");
	if (code == 0 && output_same_file(&outputs.report, &outputs.save))
		code = error_set(
			&err, -EINVAL,
			"-o and --save name the same file, '%.100s'; give one another name",
			options->save);
	if (code < 0) {
		message_print("%s", err.text);
		cmd_outputs_done(&outputs);
	}
	*ret_outputs = outputs;
	return code;
}

void cmd_outputs_done(struct outputs *outputs)
{
	output_done(&outputs->report);
	output_done(&outputs->save);
}

unsigned cmd_name_flags(const struct options *options)
{
	/* A file that is kept should answer later questions, where the objects may be gone. */
	bool lines =
		keys_tell(&options->by, COLUMN_FILE) || options->format->lines || options->save;

	/* With lines the whole chain is found: what code was inlined into has a line, too. */
	return (options->demangle ? 0 : (unsigned)SYM_NO_DEMANGLE) |
	       (options->clones ? (unsigned)SYM_CLONES : 0) |
	       (lines ? (unsigned)(SYM_LINES | SYM_INLINES) : 0);
}

static void say_why_empty(const struct profile *profile, const struct rows *rows)
{
	char line[512];

	if (rows->count || profile->no_ticks_said)
		return;
	if (profile->ticks) {
		message_print("no rows: --focus matches no function and no object that has ticks");
		return;
	}
	summary_no_ticks(profile, line, sizeof(line));
	message_print("%s", line);
}

/* With -o the summary leaves the report and goes to stderr, in one piece. */
static void write_summary_aside(const struct profile *profile, const struct options *options)
{
	struct terminal terminal;
	struct output aside;

	if (output_open(NULL, STDERR_FILENO, 0, &aside, NULL) < 0)
		return;
	terminal_examine(STDERR_FILENO, options->color, &terminal);
	summary_write(profile, &terminal, aside.stream);
	/* Nobody can be told that stderr failed. */
	output_commit(&aside, NULL);
	output_done(&aside);
}

static void write_summary(const struct profile *profile, const struct options *options,
			  const struct terminal *terminal, FILE *stream)
{
	if (options->quiet)
		return;
	if (options->output)
		write_summary_aside(profile, options);
	else if (options->format->with_summary)
		summary_write(profile, terminal, stream);
}

static int write_report(const struct profile *profile, const struct rows *rows,
			const struct options *options, struct output *output, struct error *err)
{
	struct terminal terminal;
	struct report report = {
		.profile = profile,
		.rows = rows,
		.options = options,
		.terminal = &terminal,
	};
	char remark[256];
	int code;

	terminal_examine(fileno(output->stream), options->color, &terminal);
	write_summary(profile, options, &terminal, output->stream);
	if (options->format->remark && !options->quiet &&
	    options->format->remark(&report, remark, sizeof(remark)))
		message_print("%s", remark);
	code = options->format->write(&report, output->stream);
	if (code < 0)
		return error_set(err, code, "cannot make the report: ");
	return output_commit(output, err);
}

static int write_profile(const struct profile *profile, struct output *output, struct error *err)
{
	int code = pprof_write(profile, output->stream);

	if (code == -ENOMEM)
		return error_set(err, code, "cannot keep the profile: ");
	return output_commit(output, err);
}

/* Whether @code, of what *err is about, is a failure; it is printed then. */
static int check(int code, const struct error *err)
{
	if (code < 0)
		message_print("%s", err->text);
	return code;
}

static void keep_last(const struct profile *profile)
{
	struct output output;
	struct error err;
	int code = saved_open(&output, &err);

	if (code == 0) {
		code = write_profile(profile, &output, &err);
		output_done(&output);
	}
	if (code < 0)
		message_print("%s; --no-save keeps no last run", err.text);
}

/* Who asked for files of servers wants to know why none came. */
static void say_fetching_failure(const struct options *options)
{
	const char *failure = sym_fetching_failure();

	if (failure && !options->quiet)
		message_print("--debuginfod: %s", failure);
}

static int publish(struct profile *profile, const struct options *options, struct outputs *outputs)
{
	struct rows rows = {.count = 0};
	struct error err;
	int code, saved = 0;

	/* What was named without servers may be named better with them. */
	if (options->fetch_seconds > 0)
		profile->named = false;
	fetching_begin(options);
	code = check(places_find(profile, cmd_name_flags(options), options->verbose, &err), &err);
	fetching_end(options);
	say_fetching_failure(options);

	/*
	 * Kept before it is shown: failures stand before the report, and what is kept does not
	 * depend on what could be shown.
	 */
	if (profile->named && outputs->save.stream)
		saved = check(write_profile(profile, &outputs->save, &err), &err);
	if (profile->named && outputs->keep_last)
		keep_last(profile);
	if (code == 0)
		code = check(rows_build(profile, options, &rows, &err), &err);
	if (code == 0) {
		say_why_empty(profile, &rows);
		code = check(write_report(profile, &rows, options, &outputs->report, &err), &err);
	}
	rows_done(&rows);
	return code < 0 ? code : saved;
}

void cmd_ignore_write_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int cmd_publish(struct profile *profile, const struct options *options, struct outputs *outputs)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe, size;
	int code;

	/*
	 * `profrun report | head` ends quietly, a file size limit is an error like others, and a
	 * run's status is the target's.
	 */
	sigaction(SIGPIPE, &ignore, &pipe);
	sigaction(SIGXFSZ, &ignore, &size);
	code = publish(profile, options, outputs);
	sigaction(SIGPIPE, &pipe, NULL);
	sigaction(SIGXFSZ, &size, NULL);
	return code;
}
