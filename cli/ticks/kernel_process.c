/* SPDX-License-Identifier: MIT */
/* A hash table by pid, with chains: processes come and go by the thousand. */

#include "cli/ticks/kernel_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* An account of less is all noise. */
#define ACCOUNT_TICKS 8

/* The part of a difference that one sample makes up for. */
#define SETTLING 4

void kernel_processes_init(struct kernel_processes *processes, uint64_t tick)
{
	*processes = (struct kernel_processes){.tick = tick};
	if (getrandom(&processes->random, sizeof(processes->random), GRND_NONBLOCK) < 0)
		processes->random = tick;
}

static void process_free(struct kernel_process *process)
{
	kernel_maps_release(process->maps);
	kernel_threads_done(&process->known);
	if (process->perf_map >= 0)
		close(process->perf_map);
	free(process);
}

void kernel_processes_done(struct kernel_processes *processes)
{
	for (size_t i = 0; i < KERNEL_CHAINS; i++) {
		while (processes->chains[i]) {
			struct kernel_process *process = processes->chains[i];

			processes->chains[i] = process->next;
			process_free(process);
		}
	}
}

/* splitmix64 */
static uint64_t random_below(struct kernel_processes *processes, uint64_t limit)
{
	uint64_t x = processes->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (x ^ (x >> 31)) % limit;
}

static struct kernel_process **place_of(const struct kernel_processes *processes, pid_t pid)
{
	struct kernel_process *const *chain = &processes->chains[(unsigned)pid % KERNEL_CHAINS];

	while (*chain && (*chain)->pid != pid)
		chain = &(*chain)->next;
	return (struct kernel_process **)(uintptr_t)chain;
}

struct kernel_process *kernel_process_find(const struct kernel_processes *processes, pid_t pid)
{
	return *place_of(processes, pid);
}

struct kernel_process *kernel_process_add(struct kernel_processes *processes, pid_t pid,
					  const struct kernel_process *parent)
{
	struct kernel_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	*process = (struct kernel_process){
		.pid = pid,
		.threads = 1,
		.main = KERNEL_NONE,
		.index = KERNEL_NONE,
		.jit = KERNEL_NONE,
		.perf_map = -1,
		.credit = random_below(processes, processes->tick),
	};
	if (parent) {
		process->parent = parent->pid;
		process->execs = parent->execs;
		process->main = parent->main;
		process->loaded = parent->loaded;
		memcpy(process->name, parent->name, sizeof(process->name));
	}
	process->maps = parent ? kernel_maps_share(parent->maps) : kernel_maps_new();
	if (!process->maps) {
		process_free(process);
		return NULL;
	}
	*place_of(processes, pid) = process;
	return process;
}

void kernel_process_remove(struct kernel_processes *processes, pid_t pid)
{
	struct kernel_process **place = place_of(processes, pid), *process = *place;

	if (!process)
		return;
	*place = process->next;
	process_free(process);
}

int kernel_process_exec(struct kernel_process *process, const char *name, uint64_t time)
{
	struct kernel_maps *maps = kernel_maps_new();

	if (!maps)
		return -ENOMEM;
	kernel_maps_release(process->maps);
	process->maps = maps;
	kernel_threads_done(&process->known);
	process->threads = 1;
	process->execs++;
	process->loaded = false;
	snprintf(process->name, sizeof(process->name), "%s", name);
	process->main = process->index = KERNEL_NONE;
	process->exec_time = time;
	process->exec_clock = process->stood;
	return 0;
}

uint64_t kernel_process_weigh(const struct kernel_processes *processes,
			      struct kernel_process *process, uint64_t period)
{
	int64_t more = process->owed / SETTLING;
	uint64_t weight;

	if (more < -(int64_t)period)
		more = -(int64_t)period;
	process->owed -= more;
	process->sampled += period;
	process->stood += period + (uint64_t)more;
	process->credit += period + (uint64_t)more;
	weight = process->credit / processes->tick;
	process->credit -= weight * processes->tick;
	return weight;
}

void kernel_process_settle(const struct kernel_processes *processes, struct kernel_process *process)
{
	int64_t off = (int64_t)(process->clock - process->stood);

	if (process->clock == 0)
		return;
	process->owed = 2 * llabs(off) > 3 * (int64_t)processes->tick ? off : 0;
	process->settled_clock = process->clock;
	process->settled_sampled = process->sampled;
}

void kernel_process_read_clock(const struct kernel_processes *processes,
			       struct kernel_process *process)
{
	double seconds = -1;

	process->clock = 0;
	if (process->threads > 0 && process->stood >= ACCOUNT_TICKS * processes->tick)
		seconds = image_process_cpu(process->pid);
	if (seconds > 0)
		process->clock = (uint64_t)(seconds * 1e9);
}
