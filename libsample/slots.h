/* SPDX-License-Identifier: MIT */
/*
 * One record for each thread that ticks. The timer's signal value names the record, so that the
 * handler needs no thread-local storage and can tell its own signals from everybody else's.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct slot {
	_Atomic int tid; /* 0: free */
	int timer;	 /* the kernel's timer id */
	unsigned number;
	void *value;		 /* what its signal carries */
	_Atomic int summoned;	 /* armed by the handler: its thread may be nobody's that we know */
	_Atomic uint32_t thread; /* its number in the table of threads; 0: none */
	_Atomic uint64_t random; /* state of its generator */
	/* All below in nanoseconds of CPU time. */
	_Atomic uint64_t period; /* between two expiries */
	_Atomic int64_t credit;	 /* that was seen and not counted yet; less than 0: counted early */
	_Atomic uint64_t counted;   /* in ticks */
	_Atomic int64_t more;	    /* that the next expiry adds to the credit */
	int64_t lent;		    /* of that, what other threads left */
	uint64_t start;		    /* the thread's clock when it was armed */
	_Atomic unsigned next_free; /* number + 1 of the next record in the list of free ones */
};

/* A free record, taken for @tid, with its value for a signal; NULL: no memory. Lock-free. */
struct slot *slots_claim(int tid);

/* The record that @value names, or NULL if it is no value of ours. Async-signal-safe. */
struct slot *slots_from_value(const void *value);

/* The record of @tid, or NULL. Looks at all of them. */
struct slot *slots_find(int tid);

/* Calls @function with every record in use. */
void slots_each(void (*function)(struct slot *slot));

void slots_release(struct slot *slot);

/* In the child of a fork, whose other threads and whose timers are gone. */
void slots_clear(void);
