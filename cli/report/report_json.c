/* SPDX-License-Identifier: MIT */
/*
 * The format json: {"schema", "run", "rows"}. Rows are written one by one, a line each, so that
 * a million of them need no memory; bytes that are no UTF-8 are written as \xNN.
 */

#include "cli/report/report_json.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/report/columns.h"
#include "cli/report/json_text.h"
#include "cli/report/report.h"
#include "cli/report/summary.h"

#define SCHEMA 1

#define STYLE (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

static struct json_object *make_text_or_null(const char *text)
{
	return text ? json_text_new(text) : NULL;
}

/* Times and shares in microseconds and millionths, as no clock is better. */
static struct json_object *make_number(double number)
{
	char text[64];

	snprintf(text, sizeof(text), "%.6f", number);
	return json_object_new_double_s(number, text);
}

/* What depends on the CPU time that the kernel accounts. */
static struct json_object *make_cpu_number(const struct profile *profile, double number)
{
	return profile->foreign ? NULL : make_number(number);
}

static struct json_object *make_texts(const char *const *texts, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, json_text_new(texts[i]));
	return array;
}

static struct json_object *make_command(const struct profile *profile)
{
	size_t count = 0;

	while (profile->command && profile->command[count])
		count++;
	return make_texts(profile->command, count);
}

static struct json_object *make_process(const struct profile_process *process)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "pid", json_object_new_int(process->pid));
	json_object_object_add(object, "parent", json_object_new_int(process->parent));
	json_object_object_add(object, "command", make_text_or_null(process->command));
	json_object_object_add(object, "ticks", json_object_new_uint64(process->ticks));
	json_object_object_add(object, "cpu_seconds",
			       process->cpu_seconds < 0 ? NULL : make_number(process->cpu_seconds));
	return object;
}

static struct json_object *make_processes(const struct profile *profile)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < profile->process_count; i++)
		json_object_array_add(array, make_process(&profile->processes[i]));
	return array;
}

/* How the program ended: of status and signal, one is null. */
static void add_end(struct json_object *run, const struct profile *profile)
{
	const int status = profile->wait_status;
	bool exited = WIFEXITED(status);

	json_object_object_add(
		run, "exit_status",
		exited && !profile->still_runs ? json_object_new_int(WEXITSTATUS(status)) : NULL);
	json_object_object_add(run, "signal",
			       exited ? NULL : json_object_new_int(WTERMSIG(status)));
	json_object_object_add(run, "core_dumped",
			       json_object_new_boolean(!exited && WCOREDUMP(status)));
}

/* Everything that a text report says beside its rows. */
static struct json_object *make_notes(const struct profile *profile)
{
	struct json_object *notes = make_texts(profile->notes, profile->note_count);
	char line[512];
	int told;

	for (size_t i = 0; (told = summary_note(profile, i, line, sizeof(line))) >= 0; i++) {
		if (told)
			json_object_array_add(notes, json_text_new(line));
	}
	for (size_t i = 0; i < profile->detail_count; i++)
		json_object_array_add(notes, json_text_new(profile->details[i]));
	if (!profile->ticks) {
		summary_no_ticks(profile, line, sizeof(line));
		json_object_array_add(notes, json_text_new(line));
	}
	return notes;
}

static struct json_object *make_run(const struct profile *profile)
{
	struct json_object *run = json_object_new_object();

	json_object_object_add(run, "command", make_command(profile));
	add_end(run, profile);
	json_object_object_add(run, "elapsed_seconds", make_number(profile->elapsed_seconds));
	json_object_object_add(run, "cpu_seconds",
			       make_cpu_number(profile, profile_cpu_seconds(profile)));
	json_object_object_add(run, "user_seconds",
			       make_cpu_number(profile, profile->user_seconds));
	json_object_object_add(run, "system_seconds",
			       make_cpu_number(profile, profile->system_seconds));
	json_object_object_add(run, "ticks", json_object_new_uint64(profile->ticks));
	json_object_object_add(run, "lost_ticks", json_object_new_uint64(profile->lost_ticks));
	json_object_object_add(run, "coverage",
			       make_cpu_number(profile, profile_coverage(profile)));
	json_object_object_add(run, "tick_source", make_text_or_null(profile->tick_source));
	json_object_object_add(run, "rate_hz", json_object_new_uint64(profile->rate_hz));
	json_object_object_add(run, "scale", json_object_new_uint64(profile->scale));
	json_object_object_add(run, "host", make_text_or_null(profile->host));
	json_object_object_add(run, "processes", make_processes(profile));
	json_object_object_add(run, "notes", make_notes(profile));
	return run;
}

static void put_cell(const struct column_format *column, const struct column_line *line,
		     FILE *stream)
{
	if (column->text)
		json_text_write(column->text(line->row), stream);
	else if (column->flag)
		fputs(line->row->estimated ? "true" : "false", stream);
	else if (!column->number(line, stream))
		fputs("null", stream);
}

static void put_row(const struct keys *keys, const struct column_line *line, FILE *stream)
{
	const struct column_format *column;

	putc('{', stream);
	for (size_t i = 0; (column = column_at(keys, i)); i++) {
		fprintf(stream, "%s\"%s\": ", i ? ", " : "", column->name);
		put_cell(column, line, stream);
	}
	putc('}', stream);
}

int report_json_write(const struct report *report, FILE *stream)
{
	const struct rows *rows = report->rows;
	struct column_line line = {.rows = rows};
	struct json_object *run = make_run(report->profile);

	fprintf(stream, "{\"schema\": %d,\n\"run\": %s,\n\"rows\": [", SCHEMA,
		json_object_to_json_string_ext(run, STYLE));
	json_object_put(run);
	for (size_t i = 0; i < rows->count; i++) {
		line.row = &rows->row[i];
		line.sum_millis += line.row->millis;
		fputs(i ? ",\n" : "\n", stream);
		put_row(&report->options->by, &line, stream);
	}
	fputs("]}\n", stream);
	return 0;
}
