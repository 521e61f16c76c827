/* SPDX-License-Identifier: MIT */
/* From a profile to a written report. */

#include <signal.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/places.h"
#include "cli/publish.h"
#include "cli/report.h"
#include "cli/rows.h"
#include "cli/summary.h"
#include "cli/terminal.h"

static unsigned name_flags(const struct options *options)
{
	bool lines = options->by.tells & (1U << COLUMN_FILE);

	/* With lines the chain is always found: what code was inlined into has a line of its own.
	 */
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

/* With -o the summary leaves the report and goes to stderr. */
static void write_summary(const struct profile *profile, const struct options *options,
			  const struct terminal *terminal, FILE *stream)
{
	struct terminal messages;

	if (options->quiet)
		return;
	if (!options->output) {
		if (options->format->with_summary)
			summary_write(profile, terminal, stream);
		return;
	}
	terminal_examine(STDERR_FILENO, options->color, &messages);
	summary_write(profile, &messages, stderr);
	fflush(stderr);
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

	terminal_examine(fileno(output->stream), options->color, &terminal);
	write_summary(profile, options, &terminal, output->stream);
	options->format->write(&report, output->stream);
	return output_commit(output, err);
}

int cmd_publish(struct profile *profile, const struct options *options, struct output *output)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	struct rows rows = {.count = 0};
	struct error err;
	int code;

	/* `profrun report | head` ends quietly, and a run's status is the target's. */
	sigaction(SIGPIPE, &ignore, &before);
	code = places_find(profile, name_flags(options), options->verbose, &err);
	if (code == 0)
		code = rows_build(profile, options, &rows, &err);
	if (code == 0) {
		say_why_empty(profile, &rows);
		code = write_report(profile, &rows, options, output, &err);
	}
	if (code < 0)
		message_print("%s", err.text);
	rows_done(&rows);
	sigaction(SIGPIPE, &before, NULL);
	return code;
}
