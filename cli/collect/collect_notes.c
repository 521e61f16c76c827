/* SPDX-License-Identifier: MIT */
/* One sentence for each kind of loss, with its count, its cause and a way out. */

#include "cli/collect/collect_notes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/launch/preflight.h"

static const struct {
	const char *what, *hint;
} texts[] = {
	[ARENA_REASON_MAP] = {"no memory could be mapped for their histograms",
			      "raise the limit of address space ('ulimit -v'), or use a coarser "
			      "--scale"},
	[ARENA_REASON_FULL] = {"the shared memory has no room left", "use a coarser --scale"},
	[ARENA_REASON_SIGNAL] = {"no real-time signal is free to tick with",
				 "choose one with --signal"},
	[ARENA_REASON_TIMER] = {"not all threads could be given a timer",
				"raise the limit of pending signals ('ulimit -i'), or use "
				"--ticks=kernel"},
	[ARENA_REASON_SIGPROF] = {"the program uses SIGPROF itself", "use --ticks=timer"},
	[ARENA_REASON_LIBC] = {"the C library has no profil()", "use --ticks=timer"},
	[ARENA_REASON_TRACED] = {"a debugger traces them, which the signal that ticks would stop",
				 "use --ticks=kernel"},
	[ARENA_REASON_FILTERED] = {"a filter of system calls would end them at a tick",
				   "use --ticks=kernel"},
	[ARENA_REASON_CLOCK] = {"they have no clock without a system call", "use --ticks=timer"},
	[ARENA_REASON_REGIONS] = {"not all of their code could be registered",
				  "raise the limit of address space ('ulimit -v')"},
};

void collect_notes_done(struct collect_notes *notes)
{
	for (size_t i = 0; i < notes->became_count; i++)
		free(notes->became[i].path);
	free(notes->became);
}

void collect_notes_damaged(struct collect_notes *notes)
{
	notes->damaged = true;
}

static void add_reason(struct collect_notes *notes, uint32_t reason, int error, const char *command)
{
	struct reason *entry;

	if (reason == ARENA_REASON_NONE || reason >= ARENA_REASON_COUNT)
		return;
	entry = &notes->reasons[reason];
	if (entry->images++ > 0)
		return;
	entry->error = error;
	entry->command = command;
}

static void add_became(struct collect_notes *notes, const char *path, unsigned times)
{
	for (size_t i = 0; i < notes->became_count; i++) {
		if (strcmp(notes->became[i].path, path) == 0) {
			notes->became[i].times += times;
			return;
		}
	}
	if (!grow(&notes->became, notes->became_count + 1, &notes->became_room))
		return;
	notes->became[notes->became_count] = (struct became){strdup(path), times};
	if (notes->became[notes->became_count].path)
		notes->became_count++;
}

void collect_notes_entered(struct image *image)
{
	image->entered_next = true;
}

void collect_notes_image(struct collect_notes *notes, const struct image *image,
			 const struct profile *profile)
{
	const struct arena_image *head = image->slice->image;

	add_reason(notes, atomic_load(&head->reason), atomic_load(&head->error),
		   profile->processes[image->process].command);
	for (enum summons_refusal why = SUMMONS_SECCOMP; why < SUMMONS_COUNT; why++)
		notes->refused[why] += summons_refused(image->summons, why);
	notes->unarmed += atomic_load(&head->unarmed);
	if (atomic_load(&head->executing) && !image->entered_next)
		add_became(notes, head->exec_path, 1);
}

static int take_failures(uint64_t offset, const void *bytes, size_t size, void *data)
{
	const struct arena_failure *failures = bytes;

	(void)offset;
	for (size_t i = 0; i < size / sizeof(*failures); i++)
		add_reason(data, failures[i].reason, failures[i].error, NULL);
	return 0;
}

void collect_notes_failures(struct collect_notes *notes, const struct arena_file *file)
{
	arena_file_each_data(file, ARENA_FAILURES_OFFSET,
			     ARENA_FAILURES_OFFSET + ARENA_FAILURES * sizeof(struct arena_failure),
			     take_failures, notes);
}

void collect_notes_unentered(struct collect_notes *notes, const struct arena_file *file)
{
	for (size_t i = 0; i < ARENA_UNENTERED; i++) {
		const struct arena_unentered *entry = &file->header->unentered[i];
		uint32_t times = atomic_load(&entry->times);
		char path[sizeof(entry->path) + 1] = "";
		struct preflight preflight;

		if (atomic_load(&entry->state) != 2 || times == 0)
			continue;
		memcpy(path, entry->path, sizeof(entry->path));
		preflight_examine(path, &preflight);
		if (preflight.verdict == PREFLIGHT_NOT_PROFILED)
			add_became(notes, path, times);
		preflight_done(&preflight);
	}
}

static int write_reason(struct profile *profile, size_t index, const struct reason *reason)
{
	const char *first = reason->command && *reason->command ? reason->command : "a process";
	char more[48] = " was", error[80] = "";

	if (reason->images > 1)
		snprintf(more, sizeof(more), " and %u more processes were", reason->images - 1);
	if (reason->error)
		snprintf(error, sizeof(error), " (%s)", strerror(abs(reason->error)));
	return profile_add_note(profile, "%s%s not fully profiled: %s%s; %s", first, more,
				texts[index].what, error, texts[index].hint);
}

static int write_became(struct profile *profile, const struct became *became)
{
	struct preflight preflight;
	char times[32] = "";
	int r;

	preflight_examine(became->path, &preflight);
	if (became->times > 1)
		snprintf(times, sizeof(times), " (%u times)", became->times);
	if (preflight.verdict == PREFLIGHT_NOT_PROFILED)
		r = profile_add_note(profile, "not profiled after exec%s: %s%s%s", times,
				     preflight.reason, preflight.hint[0] ? "; " : "",
				     preflight.hint);
	else
		r = profile_add_note(profile,
				     "not profiled after exec%s: '%s' ran without the preload; use "
				     "--ticks=kernel, which needs none",
				     times, became->path);
	preflight_done(&preflight);
	return r;
}

/*
 * CPU time that neither ticks nor what was said so far explains: less than 5 % and a few ticks are
 * the ends of processes.
 */
static int write_unseen(struct profile *profile, const struct collect_facts *facts)
{
	double cpu = profile_cpu_seconds(profile) - profile->unsampled_seconds;
	double unseen = cpu - (double)profile->ticks * profile->period_seconds;
	/* Where in its period a process ends is chance: three deviations of their sum. */
	double ends = 1.5 * sqrt((double)profile->process_count);

	/* Why there is nothing may have been said before the program ran. */
	if (profile->no_ticks || unseen < 0.05 * cpu + (4 + ends) * profile->period_seconds)
		return 0;
	if (!facts->followed)
		return profile_add_note(profile,
					"%.2f s of CPU time were not seen: child processes were "
					"not followed",
					unseen);
	if (facts->from_outside)
		return 0;
	return profile_add_note(profile,
				"%.2f s of CPU time were not seen, most likely in processes that "
				"the preload could not enter (static, set-id, 32-bit, or started "
				"with an environment of their own)",
				unseen);
}

/* The first reason that was found for having no ticks at all. */
static void explain_no_ticks(struct profile *profile, size_t first_note, bool entered)
{
	if (profile->ticks > 0 || profile->no_ticks)
		return;
	if (profile->note_count > first_note)
		profile->no_ticks = profile->notes[first_note];
	else if (!entered)
		profile->no_ticks = "the preload did not enter the program";
}

int collect_notes_write(const struct collect_notes *notes, struct profile *profile,
			const struct collect_facts *facts)
{
	size_t first = profile->note_count;
	int r = 0;

	for (size_t i = 1; i < ARENA_REASON_COUNT && r == 0; i++) {
		if (notes->reasons[i].images > 0)
			r = write_reason(profile, i, &notes->reasons[i]);
	}
	if (r == 0 && notes->unarmed > 0)
		r = profile_add_note(profile, "%llu threads were not sampled",
				     (unsigned long long)notes->unarmed);
	for (enum summons_refusal why = SUMMONS_SECCOMP; why < SUMMONS_COUNT && r == 0; why++) {
		if (notes->refused[why] > 0)
			r = profile_add_note(
				profile,
				"%llu thread%s started behind profrun's back and had no ticks: %s "
				"there; use --ticks=kernel",
				(unsigned long long)notes->refused[why],
				notes->refused[why] == 1 ? "" : "s", summons_reason(why));
	}
	for (size_t i = 0; i < notes->became_count && r == 0; i++)
		r = write_became(profile, &notes->became[i]);
	if (r == 0 && notes->damaged)
		r = profile_add_note(profile, "a program wrote into profrun's shared memory; "
					      "what it damaged is not counted");
	if (r == 0 && profile->note_count == first && !facts->main_only)
		r = write_unseen(profile, facts);
	explain_no_ticks(profile, first, facts->entered);
	if (r == 0 && facts->running > 0)
		r = profile_add_note(profile,
				     "%zu of the processes that it started %s still running; "
				     "counted up to now",
				     facts->running, facts->running == 1 ? "is" : "are");
	return r;
}
