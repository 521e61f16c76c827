/* SPDX-License-Identifier: MIT */
/*
 * The processes of a run as the kernel's records tell them, and the account of each.
 *
 * A sample stands for the period of the clock that took it. That is right on average; the CPU time
 * that a process really had is known to its own clock. So each process has an account: what its
 * samples stood for against what its clock says, and when the two are more than a tick and a half
 * apart, the next samples stand for more or less until they agree. (Correcting at once, within
 * every short stretch of time, would take ticks from what runs in short bursts.) Whole ticks are
 * taken from what the samples stand for; the remainder stays for the next. The first remainder is
 * random, so that processes that are shorter than a tick have their share too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/images.h"
#include "cli/ticks/kernel_maps.h"
#include "cli/ticks/kernel_threads.h"

struct kernel_process {
	struct kernel_process *next; /* in its chain of the table */
	pid_t pid, parent;
	unsigned threads; /* 0: it has ended */
	bool gone;	  /* and nobody will see more of it */
	unsigned execs;
	uint32_t jit; /* its object for code of no file, or KERNEL_NONE */
	int perf_map; /* that names it, or negative: not open */
	uint64_t jit_ticks;
	char name[16];	/* the kernel's, cut */
	bool loaded;	/* its memory is that of the program that it executes */
	uint32_t main;	/* text of the main executable, or KERNEL_NONE */
	uint32_t index; /* into the profile's processes, or KERNEL_NONE until it is needed */
	uint64_t exec_time;
	struct kernel_maps *maps;
	struct kernel_threads known; /* threads, where they are kept apart */
	struct image *image;	     /* what the preload registered of it, or NULL */
	struct image *waiting;	     /* images of this pid whose time has not come, by .next */
	/* Nanoseconds of CPU time. */
	uint64_t stood;				 /* that its samples stood for */
	uint64_t sampled;			 /* the same without corrections */
	int64_t owed;				 /* to be made up for by the next samples */
	uint64_t credit;			 /* that makes no whole tick yet */
	uint64_t clock;				 /* at the last reading, 0: none */
	uint64_t settled_clock, settled_sampled; /* at the last comparison */
	uint64_t exec_clock;			 /* when it became this image, as far as is known */
};

#define KERNEL_CHAINS 4096

struct kernel_processes {
	struct kernel_process *chains[KERNEL_CHAINS];
	uint64_t tick;	 /* nanoseconds */
	uint64_t random; /* state of the generator */
};

void kernel_processes_init(struct kernel_processes *processes, uint64_t tick);
void kernel_processes_done(struct kernel_processes *processes);

struct kernel_process *kernel_process_find(const struct kernel_processes *processes, pid_t pid);

/* A new process with @parent's memory (NULL: none yet). NULL: out of memory. */
struct kernel_process *kernel_process_add(struct kernel_processes *processes, pid_t pid,
					  const struct kernel_process *parent);

/* It has ended; it has no images any more. */
void kernel_process_remove(struct kernel_processes *processes, pid_t pid);

/* It becomes another program, at @time. 0 or -ENOMEM. */
int kernel_process_exec(struct kernel_process *process, const char *name, uint64_t time);

/* The ticks for a sample that stands for @period. */
uint64_t kernel_process_weigh(const struct kernel_processes *processes,
			      struct kernel_process *process, uint64_t period);

/* Compares its account with .clock, at a moment to which all samples are in. */
void kernel_process_settle(const struct kernel_processes *processes,
			   struct kernel_process *process);

/* Reads .clock of a process that runs, if there were enough ticks for an account. */
void kernel_process_read_clock(const struct kernel_processes *processes,
			       struct kernel_process *process);
