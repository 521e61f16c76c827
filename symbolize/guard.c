/* SPDX-License-Identifier: MIT */
/*
 * The handler may run in any thread at any time: it reads a table that never moves. The signal's
 * earlier disposition is back as soon as nothing is guarded, so that programs that are started then
 * inherit it.
 */

#include "symbolize/guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARDS_MAX 256

struct guard {
	_Atomic uintptr_t start; /* 0: free; set last */
	_Atomic uintptr_t end;
};

static struct guard guards[GUARDS_MAX];
static atomic_uint cuts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned guard_count;
static struct sigaction earlier;

unsigned guard_cuts(void)
{
	return atomic_load(&cuts);
}

/* Puts zeros where the file no longer is, from the fault's page to the end of the mapping. */
static bool cover(const struct guard *guard, uintptr_t address)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = address & ~(page - 1);
	const size_t size = (atomic_load(&guard->end) - start + page - 1) & ~(page - 1);

	return mmap((void *)start, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) != MAP_FAILED;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	const uintptr_t address = (uintptr_t)info->si_addr;

	(void)context;
	for (size_t i = 0; i < GUARDS_MAX; i++) {
		const uintptr_t start = atomic_load(&guards[i].start);

		if (start == 0 || address < start || address >= atomic_load(&guards[i].end) ||
		    !cover(&guards[i], address))
			continue;
		atomic_fetch_add(&cuts, 1);
		return;
	}
	/* Not ours: the same instruction faults again, without us. */
	sigaction(number, &earlier, NULL);
}

static void catch_faults(void)
{
	struct sigaction action = {.sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &earlier);
}

static struct guard *find_free(void)
{
	for (size_t i = 0; i < GUARDS_MAX; i++)
		if (atomic_load(&guards[i].start) == 0)
			return &guards[i];
	return NULL;
}

struct guard *guard_new(const void *start, size_t size)
{
	struct guard *guard;

	pthread_mutex_lock(&lock);
	guard = find_free();
	if (guard) {
		if (guard_count++ == 0)
			catch_faults();
		atomic_store(&guard->end, (uintptr_t)start + size);
		atomic_store(&guard->start, (uintptr_t)start);
	}
	pthread_mutex_unlock(&lock);
	return guard;
}

void guard_free(struct guard *guard)
{
	if (!guard)
		return;
	pthread_mutex_lock(&lock);
	atomic_store(&guard->start, 0);
	if (--guard_count == 0)
		sigaction(SIGBUS, &earlier, NULL);
	pthread_mutex_unlock(&lock);
}
