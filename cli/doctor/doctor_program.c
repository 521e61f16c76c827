/* SPDX-License-Identifier: MIT */
/* Checks of a program, by its file. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/hint.h"
#include "cli/ticks/tick_source.h"
#include "symbolize/symbolize.h"
#include "symbolize/util.h"

#define STACK_MORE 2048 /* beyond what the kernel itself needs for a signal */

static void look_at_kind(const struct doctor_program *program, struct doctor_finding *finding)
{
	const struct preflight *preflight = program->preflight;
	const struct tick_need need = {.privileged = preflight->privileged};
	const struct tick_source *source;
	struct error why;

	if (preflight->verdict == PREFLIGHT_OK) {
		doctor_find(finding, DOCTOR_FINE, "%s%s", preflight->interpreter ? "run by " : "",
			    preflight->interpreter ? preflight->interpreter
						   : "a dynamic program that the preload enters");
		return;
	}
	source = tick_source_choose(&need, &why);
	if (preflight->verdict == PREFLIGHT_NOT_PROFILED && source->any_program) {
		doctor_find(finding, DOCTOR_LESS, "%s", preflight->reason);
		doctor_hint(finding, "--ticks=%s, which --ticks=auto takes here", source->name);
		return;
	}
	doctor_find(finding, DOCTOR_FAILS, "%s", preflight->reason);
	doctor_hint(finding, "%s", preflight->hint);
}

/* Whether a debug file is found for it, as a report would: it names the program's first function.
 */
static bool has_debug_file(const char *path, uint64_t entry)
{
	struct sym_object *object;
	struct sym_answer answer;
	struct error err;
	const char *source;
	bool found = false;

	if (sym_object_open(path, NULL, &object, &err) < 0)
		return false;
	if (sym_object_find(object, &entry, 1, 0, &answer, &err) == 0) {
		source = sym_object_source(object);
		found = source && strcmp(source, "debug file") == 0;
	}
	sym_object_close(object);
	return found;
}

static void look_at_names(const struct doctor_program *program, struct doctor_finding *finding)
{
	const struct doctor_elf *elf = &program->elf;

	if (!program->readable)
		return;
	if (elf->lines) {
		doctor_find(finding, DOCTOR_FINE, "it has functions and source lines");
		return;
	}
	if (has_debug_file(program->path, elf->entry)) {
		doctor_find(finding, DOCTOR_FINE, "a debug file has functions and source lines");
		return;
	}
	if (elf->symbols)
		doctor_find(finding, DOCTOR_LESS, "it has functions, but no source lines");
	else
		doctor_find(finding, DOCTOR_LESS,
			    "it is stripped: what it exports has names, other functions are "
			    "called by their address");
	doctor_hint(finding, "its debug package, --debuginfod, or a build with -g");
}

static void look_at_sanitizer(const struct doctor_program *program, struct doctor_finding *finding)
{
	if (program->elf.sanitizer[0])
		doctor_find(finding, DOCTOR_FINE,
			    "%s stays the first library; its own code has rows too",
			    program->elf.sanitizer);
}

static void look_at_signals(const struct doctor_program *program, struct doctor_finding *finding)
{
	if (program->elf.instruments)
		doctor_find(finding, DOCTOR_FINE,
			    "built with -pg: its SIGPROF and gmon.out stay its own (but for "
			    "--ticks=libc)");
	else if (program->elf.sigprof)
		doctor_find(finding, DOCTOR_FINE,
			    "it may use SIGPROF and interval timers, which stay its own (but for "
			    "--ticks=libc)");
}

static void look_at_stacks(const struct doctor_program *program, struct doctor_finding *finding)
{
	unsigned long least = getauxval(AT_MINSIGSTKSZ);

	if (!program->elf.stacks)
		return;
	doctor_find(
		finding, DOCTOR_FINE,
		"stacks of its own need %lu bytes to take a signal; with less no signal is safe",
		(least ? least : 2048) + STACK_MORE);
	doctor_hint(finding, "--ticks=kernel, which sends none");
}

static void look_at_filters(const struct doctor_program *program, struct doctor_finding *finding)
{
	if (program->elf.filters)
		doctor_find(finding, DOCTOR_FINE,
			    "it filters system calls; ticks make none, but threads that start "
			    "behind a filter may have none");
}

static void look_at_runtime(const struct doctor_program *program, struct doctor_finding *finding)
{
	const char *slash = program->path ? strrchr(program->path, '/') : NULL;
	const char *what, *hint;

	if (!slash || !(hint = hint_of_program(slash + 1, &what)))
		return;
	doctor_find(finding, DOCTOR_LESS, "time %s has no names", what);
	doctor_hint(finding, "%s", hint);
}

static const struct doctor_check checks[] = {
	{"kind", look_at_kind},	      {"names", look_at_names},	  {"sanitizer", look_at_sanitizer},
	{"signals", look_at_signals}, {"stacks", look_at_stacks}, {"filters", look_at_filters},
	{"runtime", look_at_runtime},
};

const struct doctor_check *doctor_program_at(size_t index)
{
	return index < ARRAY_SIZE(checks) ? &checks[index] : NULL;
}
