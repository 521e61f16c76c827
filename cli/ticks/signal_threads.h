/* SPDX-License-Identifier: MIT */
/*
 * The threads of a process as profrun sees them in /proc, where it looks very often: the files stay
 * open. A thread that slept and has not been put on a CPU since sleeps on, which takes one short
 * file to see; of many that do, only some are looked at each time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/ticks/signal_judge.h"
#include "cli/ticks/signal_scale.h"

/* A probe that was not judged yet. */
struct signal_probe {
	uint32_t number;  /* 0: none */
	uint32_t weight;  /* ticks that it stands for */
	uint64_t looked;  /* as in struct signal_seen */
	bool late;	  /* likewise */
	uint32_t skipped; /* moments at which no other one could be sent */
	struct signal_account before;
};

struct signal_thread {
	pid_t tid;
	int account_fd, stat_fd;
	struct signal_account account; /* when it was looked at last */
	bool asleep;		       /* it was so then */
	unsigned quiet;		       /* how often it was, in a row */
	unsigned round;		       /* of the last sweep that met it */
	uint32_t number;	       /* in the image's table of threads; 0: none */
	double credit;		       /* of a tick, not counted yet */
	struct signal_probe probe;
};

struct signal_threads {
	pid_t pid;
	struct signal_thread *threads;
	size_t count, room;
	uint32_t births;    /* of the program, at the last sweep */
	uint64_t sweep_at;  /* nanoseconds of CLOCK_MONOTONIC */
	unsigned round;	    /* of sweeps */
	size_t quiet_count; /* threads that have been quiet for long */
	uint64_t stack;	    /* where the process's stack began: another one is another program */
	struct signal_scale scale;
	double cpu_before; /* seconds of CPU time that are not to be counted */
	double cpu;	   /* and all of them, as last seen */
	bool refused;	   /* files could not be opened */
};

struct signal_threads *signal_threads_new(pid_t pid);
void signal_threads_free(struct signal_threads *threads);

/* Looks for new threads, if @births has changed or it is time. 0 or -ENOMEM. */
int signal_threads_sweep(struct signal_threads *threads, uint32_t births, uint64_t now);

/*
 * Calls @function with every thread that is now on a CPU or waits for one, and with the number of
 * threads that it stands for: 1, but more where not all were looked at.
 */
void signal_threads_each_running(struct signal_threads *threads, uint64_t random,
				 void (*function)(struct signal_thread *thread, uint32_t weight,
						  void *data),
				 void *data);

/* Reads the account anew. False: the thread has ended. */
bool signal_account_read(struct signal_thread *thread, struct signal_account *ret_account);

/* That of the calling thread. False: the kernel keeps none. */
bool signal_account_read_own(struct signal_account *ret_account);
