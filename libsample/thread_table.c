/* SPDX-License-Identifier: MIT */
/* Records are added and never taken back: profrun reads them while the program runs. */

#include "libsample/thread_table.h"

#include <stddef.h>
#include <sys/prctl.h>

#include "libsample/arena.h"
#include "libsample/sys.h"

static struct {
	struct arena_thread *threads;
	_Atomic uint32_t *count;
} table;

void thread_table_init(struct arena_thread *threads, _Atomic uint32_t *count)
{
	table.threads = threads;
	table.count = count;
}

uint32_t thread_table_add(int tid)
{
	uint32_t number;

	if (!table.threads)
		return 0;
	number = atomic_load(table.count);
	do {
		if (number >= ARENA_THREADS)
			return 0;
	} while (!atomic_compare_exchange_weak(table.count, &number, number + 1));
	atomic_store(&table.threads[number].tid, (uint32_t)tid);
	return number + 1;
}

void thread_table_name(uint32_t number)
{
	if (number > 0)
		sys_call(SYS_prctl, PR_GET_NAME, table.threads[number - 1].name, 0, 0, 0);
}

void thread_table_end(uint32_t number)
{
	thread_table_name(number);
	if (number > 0)
		table.threads[number - 1].ended = 1;
}
