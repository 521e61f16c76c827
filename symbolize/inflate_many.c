/* SPDX-License-Identifier: MIT */
/*
 * Inflating several sections at once. In a large file .debug_info and .debug_str share most of the
 * work, and nothing can begin before both are there.
 */

#include "symbolize/inflate_many.h"

#include "symbolize/inflate.h"
#include "symbolize/worker.h"

/* Compressed bytes from which on a thread is worth it: a few milliseconds of work. */
#define LARGE	 ((uint64_t)1 << 20)
#define JOBS_MAX 4

struct job {
	const struct elf_file *file;
	const struct elf_section *section;
	pthread_t thread;
};

/* The contents are kept with the section, where nobody else writes. */
static void *run(void *data)
{
	const struct job *job = data;

	elf_file_contents(job->file, job->section);
	return NULL;
}

static bool is_large(const struct elf_section *section)
{
	return section && inflate_is_needed(section) && section->header.sh_size >= LARGE;
}

void inflate_many(const struct elf_file *file, const struct elf_section *const *sections,
		  size_t count)
{
	struct job jobs[JOBS_MAX];
	size_t started = 0;

	for (size_t i = 0; i < count && started < JOBS_MAX; i++) {
		jobs[started] = (struct job){.file = file, .section = sections[i]};
		if (is_large(sections[i]) &&
		    worker_start(&jobs[started].thread, run, &jobs[started]))
			started++;
	}
	for (size_t i = 0; i < started; i++)
		pthread_join(jobs[i].thread, NULL);
}
