/* SPDX-License-Identifier: MIT */
/*
 * To name all functions of a large program takes a second, most of it in the demangler, and names
 * have nothing to do with each other.
 */

#include "symbolize/each_name.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"
#include "symbolize/worker.h"

/* A millisecond of work for each thread. */
#define NAMES_LEAST 1024

struct work {
	const struct elf_file *file;
	const char *const *names;
	const char **texts;
	size_t count;
	each_name_make *make;
	unsigned flags;
	atomic_size_t next; /* the first name that nobody has begun with */
};

struct job {
	struct work *work;
	struct arena arena;
};

static const char *make_text(struct job *job, const char *name)
{
	AUTO_FREE char *text = name ? job->work->make(name, job->work->flags) : NULL;

	return text ? arena_strndup(&job->arena, text, strlen(text)) : NULL;
}

/* Names differ too much in what they cost for equal shares: who is done takes some more. */
static void *run(void *data)
{
	struct job *job = data;
	struct work *work = job->work;

	for (;;) {
		const size_t start = atomic_fetch_add(&work->next, EACH_NAME_FORGETS);

		for (size_t i = start; i < start + EACH_NAME_FORGETS; i++) {
			if (i >= work->count)
				return NULL;
			work->texts[i] = make_text(job, work->names[i]);
		}
		elf_file_forget(work->file);
	}
}

void each_name(const struct elf_file *file, const char *const *names, size_t count,
	       each_name_make *make, unsigned flags, struct arena *arena, const char **ret_texts)
{
	struct work work = {.file = file,
			    .names = names,
			    .texts = ret_texts,
			    .count = count,
			    .make = make,
			    .flags = flags};
	struct job jobs[WORKERS_MAX];
	const size_t job_count = worker_shares(count, NAMES_LEAST);

	for (size_t i = 0; i < job_count; i++)
		jobs[i] = (struct job){.work = &work};
	worker_run_all(run, jobs, sizeof(*jobs), job_count);
	for (size_t i = 0; i < job_count; i++)
		arena_join(arena, &jobs[i].arena);
}
