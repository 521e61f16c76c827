/* SPDX-License-Identifier: MIT */
/*
 * How long the program could have run and did not, because others had its CPU, as the kernel
 * accounts it for each thread. Processes are looked at now and then, and what counts is what
 * happened between two looks: of those that are so short that they are seen once, the ones that had
 * to wait would be seen more often.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct queue_delay {
	struct queue_delay_process *processes;
	size_t count, room;
	uint64_t ran, waited; /* nanoseconds of all, between looks */
};

/* Looks at the process, unless that was done just now. */
void queue_delay_look(struct queue_delay *delay, pid_t pid);
void queue_delay_done(struct queue_delay *delay);

/*
 * How much of the time in which it could run the program waited for a CPU, 0 to 1; negative
 * when too little of its @cpu_seconds was seen.
 */
double queue_delay_part(const struct queue_delay *delay, double cpu_seconds);
