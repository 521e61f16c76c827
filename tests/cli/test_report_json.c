/* SPDX-License-Identifier: MIT */
/* The format json, read back by a parser. */

#include <criterion/criterion.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/profile.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct options options;
static struct json_object *document;

static void make(void)
{
	profile = make_profile();
}

static void drop(void)
{
	json_object_put(document);
	profile_free(profile);
	options_done(&options);
}

TestSuite(report_json, .init = make, .fini = drop);

static void write_and_parse(const char *line)
{
	struct json_tokener *tokener = json_tokener_new();
	char *text;

	options_done(&options); /* of the call before */
	make_options(&options, line);
	text = make_report(profile, &options);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	document = json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
	cr_assert_eq(json_tokener_get_error(tokener), json_tokener_success, "%s", text);
	json_tokener_free(tokener);
	free(text);
}

static struct json_object *run_value(const char *key)
{
	struct json_object *value = NULL;

	cr_assert(json_object_object_get_ex(json_object_object_get(document, "run"), key, &value),
		  "%s", key);
	return value;
}

static struct json_object *row_value(size_t row, const char *key)
{
	struct json_object *rows = json_object_object_get(document, "rows"), *value = NULL;

	cr_assert(json_object_object_get_ex(json_object_array_get_idx(rows, row), key, &value),
		  "%s", key);
	return value;
}

Test(report_json, carries_schema_run_and_rows)
{
	static const char *const keys[] = {
		"command",     "exit_status",  "signal",	 "core_dumped", "elapsed_seconds",
		"cpu_seconds", "user_seconds", "system_seconds", "ticks",	"lost_ticks",
		"coverage",    "tick_source",  "rate_hz",	 "scale",	"host",
		"processes",   "notes",
	};
	uint32_t app = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, app, 0x1000, 0x20, 1, 0);
	make_place(profile, app, 0x1000, 0x1008, "say \"a, b\"\n\xff");
	make_place(profile, app, 0x1008, 0x1020, "b");
	write_and_parse("--json");
	cr_assert_eq(json_object_get_int(json_object_object_get(document, "schema")), 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		run_value(keys[i]);
	cr_assert_str_eq(json_object_get_string(row_value(0, "function")), "b");
	cr_assert_str_eq(json_object_get_string(row_value(1, "function")), "say \"a, b\"\n\\xFF");
	cr_assert_float_eq(json_object_get_double(row_value(1, "ticks")), 0.25, 1e-12);
	cr_assert(json_object_get_boolean(row_value(1, "estimated")));
	cr_assert_null(row_value(0, "line"));
	cr_assert_null(row_value(0, "kernel_percent"));
	cr_assert_str_eq(json_object_get_string(row_value(0, "file")), "");
}

Test(report_json, tells_how_the_program_ended)
{
	profile->wait_status = 11 | 0x80;
	write_and_parse("--json");
	cr_assert_null(run_value("exit_status"));
	cr_assert_eq(json_object_get_int(run_value("signal")), 11);
	cr_assert(json_object_get_boolean(run_value("core_dumped")));
	json_object_put(document);
	profile->wait_status = 3 << 8;
	write_and_parse("--json");
	cr_assert_eq(json_object_get_int(run_value("exit_status")), 3);
	cr_assert_null(run_value("signal"));
}

Test(report_json, without_ticks_has_no_rows_and_says_why)
{
	write_and_parse("--json");
	cr_assert_eq(json_object_array_length(json_object_object_get(document, "rows")), 0);
	cr_assert_eq(json_object_array_length(run_value("notes")), 1);
}

Test(report_json, lists_processes)
{
	struct profile_process process = {
		.pid = 7, .parent = 1, .command = "cc1", .cpu_seconds = 0.5};
	struct json_object *first, *value;

	profile_add_process(profile, &process);
	process.cpu_seconds = -1;
	profile_add_process(profile, &process);
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0, 2, 5, 0);
	write_and_parse("--json");
	first = json_object_array_get_idx(run_value("processes"), 0);
	cr_assert_eq(json_object_get_int(json_object_object_get(first, "ticks")), 5);
	cr_assert_str_eq(json_object_get_string(json_object_object_get(first, "command")), "cc1");
	cr_assert(json_object_object_get_ex(json_object_array_get_idx(run_value("processes"), 1),
					    "cpu_seconds", &value));
	cr_assert_null(value);
}
