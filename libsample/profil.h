/* SPDX-License-Identifier: MIT */
/*
 * profil(3): a histogram of the program counter, sampled every 10 ms of CPU time in every thread.
 *
 * Link with -lsample. Threads are found however they were made before the call; later ones when
 * they are made by pthread_create(3) or thrd_create(3). Ticks come from per-thread POSIX timers on
 * a real-time signal; ITIMER_PROF and SIGPROF stay the program's. See man/profil.3.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/*
 * Starts, replaces (a second call) or stops (@buf NULL) the process's histogram. @buf holds
 * @bufsiz / 2 entries. A program counter pc >= @offset counts in the entry
 *
 *     floor(floor((pc - offset) / 2) * scale / 65536)
 *
 * if there is such an entry: scale 0x10000 is an entry per 2 bytes of text, 0x8000 per 4. Entries
 * saturate at 65535. When the call has returned no thread touches the buffer of an earlier call.
 * A child of fork(2) is not profiled until it calls again.
 *
 * Always returns 0. MT-Safe. Not async-signal-safe. Source: profil(3), glibc 2.36.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls" /* <unistd.h> declares it too */
int profil(unsigned short *buf, size_t bufsiz, size_t offset, unsigned int scale) __THROW;
#pragma GCC diagnostic pop

/* The indices of entries that wrapped: each occurrence stands for 65536 further ticks. All zero
 * at first. */
struct profil_carry {
#ifdef __cplusplus
	uint64_t head, tail;
#else
	_Atomic uint64_t head; /* entries ever appended */
	_Atomic uint64_t tail; /* entries that a reader took out again */
#endif
	uint32_t entry[]; /* index + 1, at position modulo the list's size; 0: not written yet */
};

/*
 * One histogram. All zero before its first use, but for the carry list; what follows .saturated is
 * private. It must stay where it is, and so must the buffer, until profil_r() with @buf NULL
 * returned.
 */
struct profil {
	struct profil_carry *carry; /* NULL: entries saturate */
	uint64_t carry_size;	    /* of carry->entry */
	uint64_t saturated;	    /* ticks lost to saturation */
	uintptr_t start, end;	    /* of the range that counts; private, as all below */
	unsigned short *buf;
	uint64_t entries;
	uint32_t scale;
	uint32_t active;
};

/*
 * The same for any number of histograms at once, which do not know of each other; ranges may
 * overlap. Every tick counts in each histogram whose range holds it. Returns 0, or -ENOMEM, or the
 * negative errno with which timers or a signal were refused (nothing is active then). MT-Safe. Not
 * async-signal-safe.
 */
int profil_r(struct profil *histogram, unsigned short *buf, size_t bufsiz, size_t offset,
	     unsigned int scale) __THROW;

__END_DECLS
