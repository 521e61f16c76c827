/* SPDX-License-Identifier: MIT */
/*
 * Runtimes by the loops of their interpreters, and by the names of the programs that make code;
 * stripped files by the names that are made of addresses.
 */

#include "cli/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/places.h"
#include "symbolize/util.h"

#define MOST	     0.5	 /* of the ticks */
#define FIRST_CODE   0x1000	 /* no file has code before */
#define FUNCTION_MAX (1UL << 20) /* bytes */

struct runtime {
	const char *what;
	const char *command; /* the program's name starts so; NULL: any other that makes code */
	const char *loop;    /* the interpreter's function starts so, or NULL: it makes code */
	const char *hint;
};

static const struct runtime runtimes[] = {
	{
		.what = "in the loop of Python's interpreter",
		.loop = "_PyEval_EvalFrame",
		.hint = "'python3 -m cProfile' tells Python's functions, and so do 'python3 -X "
			"perf' (3.12 or later) and 'perf record -g'",
	},
	{
		.what = "in the loop of Perl's interpreter",
		.loop = "Perl_runops_",
		.hint = "'perl -d:NYTProf' tells Perl's functions",
	},
	{
		.what = "in code that node made at run time",
		.command = "node",
		.hint = "'node --perf-basic-prof' gives it names",
	},
	{
		.what = "in code that Java made at run time",
		.command = "java",
		.hint = "'java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit' (17 or "
			"later) gives it names",
	},
	{
		.what = "in code that .NET made at run time",
		.command = "dotnet",
		.hint = "DOTNET_PerfMapEnabled=1 in the environment gives it names",
	},
	{
		.what = "in code that Ruby made at run time",
		.command = "ruby",
		.hint = "'ruby --yjit-perf' gives it names",
	},
	{
		.what = "in code that was made at run time",
		.hint = "if the program writes /tmp/perf-PID.map when asked, that gives it names",
	},
};

static bool starts(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* The function at the start of a bucket, or NULL. */
static const char *function_of(const struct profile *profile, const struct profile_entry *entry)
{
	size_t count;
	const struct profile_place *place =
		places_overlap(profile, entry->object, entry->address, entry->address + 1, &count);

	if (count == 0 || place->frame_count == 0)
		return NULL;
	return profile->frames[place->frame + place->frame_count - 1].function;
}

static bool is_of(const struct profile *profile, const struct profile_entry *entry,
		  const char *function, const struct runtime *runtime)
{
	enum object_kind kind = profile->objects[entry->object].kind;
	const char *command = entry->process < profile->process_count
				      ? profile->processes[entry->process].command
				      : NULL;

	if (runtime->loop)
		return function && starts(function, runtime->loop);
	if (function || (kind != OBJECT_ANON && kind != OBJECT_JIT))
		return false;
	return !runtime->command || (command && starts(command, runtime->command));
}

/*
 * Whether the name is one that is made of the address at which a function without a name starts.
 * One that its author called so is hardly where its name says.
 */
static bool is_nameless(const char *function, uint64_t address)
{
	static const char start[] = "func_";
	uint64_t number;
	char *end;

	if (!function || !starts(function, start))
		return false;
	number = strtoull(function + strlen(start), &end, 16);
	return !*end && number >= FIRST_CODE && number <= address &&
	       address - number < FUNCTION_MAX;
}

/* Code of stripped files, which of them has most of it. */
static bool find_nameless(const struct profile *profile, char *line, size_t size)
{
	AUTO_FREE uint64_t *ticks = calloc(profile->object_count + 1, sizeof(*ticks));
	uint64_t all = 0;
	size_t most = 0;

	for (size_t i = 0; ticks && i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (!is_nameless(function_of(profile, entry), entry->address))
			continue;
		all += entry->ticks;
		ticks[entry->object] += entry->ticks;
		most = ticks[entry->object] > ticks[most] ? entry->object : most;
	}
	if ((double)all <= MOST * (double)profile->ticks)
		return false;
	snprintf(line, size,
		 "%.0f %% of the time is in functions without names, most of it in %.100s; its "
		 "debug package, --debuginfod or a build with symbols gives them names",
		 100.0 * (double)all / (double)profile->ticks, profile->objects[most].name);
	return true;
}

bool hint_find(const struct profile *profile, char *line, size_t size)
{
	uint64_t ticks[ARRAY_SIZE(runtimes)] = {0};

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		const char *function = function_of(profile, entry);
		size_t j = 0;

		while (j < ARRAY_SIZE(runtimes) && !is_of(profile, entry, function, &runtimes[j]))
			j++;
		if (j < ARRAY_SIZE(runtimes))
			ticks[j] += entry->ticks;
	}
	for (size_t j = 0; j < ARRAY_SIZE(runtimes); j++) {
		if ((double)ticks[j] <= MOST * (double)profile->ticks)
			continue;
		snprintf(line, size, "%.0f %% of the time is %s; %s",
			 100.0 * (double)ticks[j] / (double)profile->ticks, runtimes[j].what,
			 runtimes[j].hint);
		return true;
	}
	return find_nameless(profile, line, size);
}

const char *hint_of_program(const char *command, const char **ret_what)
{
	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++) {
		if (!runtimes[i].command || !starts(command, runtimes[i].command))
			continue;
		*ret_what = runtimes[i].what;
		return runtimes[i].hint;
	}
	return NULL;
}
