/* SPDX-License-Identifier: MIT */
/*
 * To name all functions of a large program takes a second, most of it in the demangler, and names
 * have nothing to do with each other.
 */

#include "symbolize/each_name.h"

#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"
#include "symbolize/worker.h"

/* A millisecond of work for each thread. */
#define NAMES_LEAST 1024
#define JOBS_MAX    8

struct job {
	const struct elf_file *file;
	const char *const *names;
	const char **texts;
	size_t count;
	each_name_make *make;
	unsigned flags;
	struct arena arena;
	pthread_t thread;
};

static const char *make_text(struct job *job, const char *name)
{
	AUTO_FREE char *text = name ? job->make(name, job->flags) : NULL;

	return text ? arena_strndup(&job->arena, text, strlen(text)) : NULL;
}

static void *run(void *data)
{
	struct job *job = data;

	for (size_t i = 0; i < job->count; i++) {
		job->texts[i] = make_text(job, job->names[i]);
		if (i % EACH_NAME_FORGETS == EACH_NAME_FORGETS - 1)
			elf_file_forget(job->file);
	}
	return NULL;
}

static size_t count_jobs(size_t count)
{
	size_t jobs = count / NAMES_LEAST, most = worker_count();

	if (jobs > most)
		jobs = most;
	if (jobs > JOBS_MAX)
		jobs = JOBS_MAX;
	return jobs > 0 ? jobs : 1;
}

void each_name(const struct elf_file *file, const char *const *names, size_t count,
	       each_name_make *make, unsigned flags, struct arena *arena, const char **ret_texts)
{
	struct job jobs[JOBS_MAX];
	const size_t job_count = count_jobs(count);
	size_t started = 0;

	for (size_t i = 0; i < job_count; i++) {
		size_t start = count * i / job_count;

		jobs[i] = (struct job){
			.file = file,
			.names = names + start,
			.texts = ret_texts + start,
			.count = count * (i + 1) / job_count - start,
			.make = make,
			.flags = flags,
		};
	}
	while (started + 1 < job_count && worker_start(&jobs[started].thread, run, &jobs[started]))
		started++;
	/* The last part is the caller's, and those for which there were no threads. */
	for (size_t i = started; i < job_count; i++)
		run(&jobs[i]);
	for (size_t i = 0; i < job_count; i++) {
		if (i < started)
			pthread_join(jobs[i].thread, NULL);
		arena_join(arena, &jobs[i].arena);
	}
}
