/* SPDX-License-Identifier: MIT */
/* The facts of a run as JSON text. */

#include "cli/profile/facts.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

#define VERSION	    1
#define DEPTH_MAX   8
#define VERSION_KEY "profrun"

/* The text starts like this, so that it is told from any other comment without parsing. */
static const char start[] = "{\"" VERSION_KEY "\":";

enum fact_kind {
	FACT_TEXT,
	FACT_DOUBLE,
	FACT_UINT64,
	FACT_UINT32,
	FACT_INT,
	FACT_BOOL,
};

struct fact {
	const char *name;
	enum fact_kind kind;
	size_t field;
};

#define OF_PROFILE(member) offsetof(struct profile, member)
#define OF_PROCESS(member) offsetof(struct profile_process, member)

static const struct fact profile_facts[] = {
	{"wait_status", FACT_INT, OF_PROFILE(wait_status)},
	{"still_runs", FACT_BOOL, OF_PROFILE(still_runs)},
	{"host", FACT_TEXT, OF_PROFILE(host)},
	{"elapsed_seconds", FACT_DOUBLE, OF_PROFILE(elapsed_seconds)},
	{"user_seconds", FACT_DOUBLE, OF_PROFILE(user_seconds)},
	{"system_seconds", FACT_DOUBLE, OF_PROFILE(system_seconds)},
	{"queued_seconds", FACT_DOUBLE, OF_PROFILE(queued_seconds)},
	{"unsampled_seconds", FACT_DOUBLE, OF_PROFILE(unsampled_seconds)},
	{"tick_source", FACT_TEXT, OF_PROFILE(tick_source)},
	{"rate_hz", FACT_UINT32, OF_PROFILE(rate_hz)},
	{"period_seconds", FACT_DOUBLE, OF_PROFILE(period_seconds)},
	{"scale", FACT_UINT32, OF_PROFILE(scale)},
	{"kernel_known", FACT_BOOL, OF_PROFILE(kernel_known)},
	{"threads_apart", FACT_BOOL, OF_PROFILE(threads_apart)},
	{"lost_ticks", FACT_UINT64, OF_PROFILE(lost_ticks)},
	{"effective_ticks", FACT_DOUBLE, OF_PROFILE(effective_ticks)},
	{"name_flags", FACT_UINT32, OF_PROFILE(name_flags)},
	{"foreign", FACT_BOOL, OF_PROFILE(foreign)},
	{"no_ticks", FACT_TEXT, OF_PROFILE(no_ticks)},
};

static const struct fact process_facts[] = {
	{"pid", FACT_INT, OF_PROCESS(pid)},
	{"parent", FACT_INT, OF_PROCESS(parent)},
	{"image", FACT_UINT32, OF_PROCESS(image)},
	{"command", FACT_TEXT, OF_PROCESS(command)},
	{"command_line", FACT_TEXT, OF_PROCESS(command_line)},
	{"cpu_seconds", FACT_DOUBLE, OF_PROCESS(cpu_seconds)},
	{"run", FACT_TEXT, OF_PROCESS(run)},
};

static struct json_object *make_text(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

static struct json_object *make_value(enum fact_kind kind, const void *field)
{
	switch (kind) {
	case FACT_TEXT:
		return make_text(*(const char *const *)field);
	case FACT_DOUBLE:
		return json_object_new_double(*(const double *)field);
	case FACT_UINT64:
		return json_object_new_uint64(*(const uint64_t *)field);
	case FACT_UINT32:
		return json_object_new_uint64(*(const uint32_t *)field);
	case FACT_INT:
		return json_object_new_int(*(const int *)field);
	case FACT_BOOL:
		return json_object_new_boolean(*(const bool *)field);
	}
	return NULL;
}

static void put_facts(struct json_object *object, const struct fact *facts, size_t count,
		      const void *record)
{
	for (size_t i = 0; i < count; i++)
		json_object_object_add(
			object, facts[i].name,
			make_value(facts[i].kind, (const char *)record + facts[i].field));
}

static struct json_object *make_texts(const char *const *texts, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, make_text(texts[i]));
	return array;
}

char *facts_write(const struct profile *profile)
{
	struct json_object *facts = json_object_new_object();
	struct json_object *processes = json_object_new_array();
	size_t words = 0;
	char *text;

	while (profile->command && profile->command[words])
		words++;
	json_object_object_add(facts, VERSION_KEY, json_object_new_int(VERSION));
	json_object_object_add(facts, "command", make_texts(profile->command, words));
	put_facts(facts, profile_facts, ARRAY_SIZE(profile_facts), profile);
	for (size_t i = 0; i < profile->process_count; i++) {
		struct json_object *process = json_object_new_object();

		put_facts(process, process_facts, ARRAY_SIZE(process_facts),
			  &profile->processes[i]);
		json_object_array_add(processes, process);
	}
	json_object_object_add(facts, "processes", processes);
	json_object_object_add(facts, "notes", make_texts(profile->notes, profile->note_count));
	text = strdup(json_object_to_json_string_ext(facts, JSON_C_TO_STRING_PLAIN));
	json_object_put(facts);
	return text;
}

bool facts_are(const char *comment)
{
	return strncmp(comment, start, strlen(start)) == 0;
}

/* Numbers that a profile can hold: finite, and no larger than sums of them can be. */
static int take_double(struct json_object *value, double *field)
{
	double number = json_object_get_double(value);

	if (!isfinite(number) || fabs(number) > 1e15)
		return -EINVAL;
	*field = number;
	return 0;
}

static int take_integer(struct json_object *value, int64_t least, int64_t most, int64_t *ret_number)
{
	int64_t number = json_object_get_int64(value);

	if (!json_object_is_type(value, json_type_int) || number < least || number > most)
		return -EINVAL;
	*ret_number = number;
	return 0;
}

static int take_value(struct json_object *value, enum fact_kind kind, struct string_pool *strings,
		      void *field)
{
	int64_t number = 0;
	int code = 0;

	switch (kind) {
	case FACT_TEXT:
		*(const char **)field = string_pool_add(strings, json_object_get_string(value));
		return *(const char **)field ? 0 : -ENOMEM;
	case FACT_DOUBLE:
		return take_double(value, field);
	case FACT_UINT64:
		code = take_integer(value, 0, INT64_MAX, &number);
		*(uint64_t *)field = (uint64_t)number;
		return code;
	case FACT_UINT32:
		code = take_integer(value, 0, UINT32_MAX, &number);
		*(uint32_t *)field = (uint32_t)number;
		return code;
	case FACT_INT:
		code = take_integer(value, INT32_MIN, INT32_MAX, &number);
		*(int *)field = (int)number;
		return code;
	case FACT_BOOL:
		*(bool *)field = json_object_get_boolean(value);
		return 0;
	}
	return -EINVAL;
}

/* What is missing or null stays as it is. */
static int take_facts(struct json_object *object, const struct fact *facts, size_t count,
		      struct string_pool *strings, void *record, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		struct json_object *value = json_object_object_get(object, facts[i].name);
		int code;

		if (!value)
			continue;
		code = take_value(value, facts[i].kind, strings, (char *)record + facts[i].field);
		if (code < 0)
			return error_set(err, code, "its '%s' makes no sense", facts[i].name);
	}
	return 0;
}

static int take_processes(struct json_object *array, struct profile *profile, struct error *err)
{
	size_t count =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < count; i++) {
		struct profile_process process = {.pid = 0};
		int code = take_facts(json_object_array_get_idx(array, i), process_facts,
				      ARRAY_SIZE(process_facts), profile->strings, &process, err);

		if (code < 0)
			return code;
		if (profile_add_process(profile, &process) < 0)
			return error_set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

static int take_notes(struct json_object *array, struct profile *profile)
{
	size_t count =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < count; i++) {
		const char *note = json_object_get_string(json_object_array_get_idx(array, i));

		if (note && profile_add_note(profile, "%s", note) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int take_command(struct json_object *array, struct profile *profile)
{
	size_t count =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
	AUTO_FREE char **words = calloc(count + 1, sizeof(*words));

	if (!words)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(array, i));

		words[i] = (char *)(word ? word : "");
	}
	return profile_set_command(profile, words);
}

static int take_all(struct json_object *facts, struct profile *profile, struct error *err)
{
	struct json_object *version = json_object_object_get(facts, VERSION_KEY);
	int code;

	if (json_object_get_int(version) != VERSION)
		return error_set(err, -ENOTSUP,
				 "it is of another version of profrun (its format is %s)",
				 json_object_get_string(version));
	code = take_facts(facts, profile_facts, ARRAY_SIZE(profile_facts), profile->strings,
			  profile, err);
	if (code == 0)
		code = take_processes(json_object_object_get(facts, "processes"), profile, err);
	if (code < 0)
		return code;
	if (profile->period_seconds <= 0)
		return error_set(err, -EINVAL, "its 'period_seconds' makes no sense");
	if (take_notes(json_object_object_get(facts, "notes"), profile) < 0 ||
	    take_command(json_object_object_get(facts, "command"), profile) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	return 0;
}

int facts_read(const char *text, struct profile *profile, struct error *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *facts = NULL;
	size_t length = strlen(text);
	int code;

	if (!tokener)
		return error_set(err, -ENOMEM, "out of memory");
	if (length < INT32_MAX)
		facts = json_tokener_parse_ex(tokener, text, (int)length + 1);
	code = facts ? take_all(facts, profile, err)
		     : error_set(err, -EINVAL, "the facts of its run cannot be read");
	json_object_put(facts);
	json_tokener_free(tokener);
	return code;
}
