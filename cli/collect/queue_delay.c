/* SPDX-License-Identifier: MIT */
/* Sums over the threads of /proc/PID/task, as often as their number allows. */

#include "cli/collect/queue_delay.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "cli/collect/task_status.h"
#include "cli/grow.h"
#include "cli/monotonic.h"

/* Many threads are looked at less often; of many processes some tell enough. */
#define INTERVAL      UINT64_C(50000000) /* nanoseconds */
#define THREADS	      16
#define PROCESSES_MAX 64
#define SEEN	      0.5 /* of the CPU time, to speak for the rest */

struct queue_delay_process {
	pid_t pid;
	uint64_t next; /* when it is to be looked at again; 0: it was not yet */
	uint64_t ran, waited;
};

struct sum {
	pid_t pid;
	uint64_t ran, waited;
};

static int add_thread(pid_t tid, void *data)
{
	struct sum *sum = data;
	uint64_t ran, waited;

	if (task_clock_read(sum->pid, tid, &ran, &waited)) {
		sum->ran += ran;
		sum->waited += waited;
	}
	return 0;
}

static struct queue_delay_process *find(struct queue_delay *delay, pid_t pid)
{
	for (size_t i = 0; i < delay->count; i++) {
		if (delay->processes[i].pid == pid)
			return &delay->processes[i];
	}
	if (delay->count == PROCESSES_MAX ||
	    !grow(&delay->processes, delay->count + 1, &delay->room))
		return NULL;
	delay->processes[delay->count] = (struct queue_delay_process){.pid = pid};
	return &delay->processes[delay->count++];
}

void queue_delay_look(struct queue_delay *delay, pid_t pid)
{
	struct queue_delay_process *process = find(delay, pid);
	struct sum sum = {.pid = pid};
	uint64_t time = monotonic_nanoseconds();

	if (!process || time < process->next)
		return;
	task_each(pid, add_thread, &sum);
	/* Less than before: threads have ended, and took their times with them. */
	if (process->next && sum.ran >= process->ran && sum.waited >= process->waited) {
		delay->ran += sum.ran - process->ran;
		delay->waited += sum.waited - process->waited;
	}
	process->next = time + INTERVAL * (1 + task_count(pid) / THREADS);
	process->ran = sum.ran;
	process->waited = sum.waited;
}

void queue_delay_done(struct queue_delay *delay)
{
	free(delay->processes);
	*delay = (struct queue_delay){0};
}

double queue_delay_part(const struct queue_delay *delay, double cpu_seconds)
{
	double ran = (double)delay->ran * 1e-9, waited = (double)delay->waited * 1e-9;

	return ran > 0 && ran >= SEEN * cpu_seconds ? waited / (ran + waited) : -1;
}
