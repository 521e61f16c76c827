/* SPDX-License-Identifier: MIT */
/*
 * The table of regions. Two tables take turns; the one that is not published belongs to the writer.
 * Handlers count themselves in and out, so that a writer can wait until the old table is free: a
 * handler cannot be interrupted by another signal, so it never waits for what it interrupted.
 */

#include "libsample/region.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "libsample/histogram.h"
#include "libsample/sys.h"

struct region {
	uintptr_t start, end;
	uintptr_t reach; /* the largest end of this and all earlier entries */
	struct profil *histogram;
};

struct table {
	size_t count, capacity;
	struct region *regions;
};

#define INITIAL 16

static struct region initial_regions[2][INITIAL];
static struct table tables[2] = {
	{.capacity = INITIAL, .regions = initial_regions[0]},
	{.capacity = INITIAL, .regions = initial_regions[1]},
};
static struct table *_Atomic current = &tables[0];
static _Atomic int handlers;
static _Atomic int writing;

static void pause_briefly(unsigned round)
{
	static const struct timespec nap = {.tv_nsec = 50 * 1000};

	if (round < 100)
		sys_call(SYS_sched_yield);
	else
		sys_call(SYS_nanosleep, &nap, 0);
}

static void write_begin(void)
{
	for (unsigned round = 0; atomic_exchange(&writing, 1); round++)
		pause_briefly(round);
}

static void write_end(void)
{
	atomic_store(&writing, 0);
}

/* Makes @table the published one; the other is the writer's when this returns. */
static void publish(struct table *table)
{
	atomic_store(&current, table);
	for (unsigned round = 0; atomic_load(&handlers) > 0; round++)
		pause_briefly(round);
}

static int reserve(struct table *table, size_t count)
{
	size_t capacity = table->capacity;
	struct region *regions;

	if (count <= capacity)
		return 0;
	while (capacity < count)
		capacity *= 2;
	regions = sys_map(capacity * sizeof(*regions));
	if (!regions)
		return -ENOMEM;
	if (table->capacity > INITIAL)
		sys_call(SYS_munmap, table->regions, table->capacity * sizeof(*regions));
	table->regions = regions;
	table->capacity = capacity;
	return 0;
}

static void set_reach(struct table *table)
{
	uintptr_t reach = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (table->regions[i].end > reach)
			reach = table->regions[i].end;
		table->regions[i].reach = reach;
	}
}

int region_add(struct profil *histogram)
{
	struct region region = {histogram->start, histogram->end, 0, histogram};
	struct table *old, *new;
	size_t at = 0;
	int r;

	write_begin();
	old = atomic_load(&current);
	new = old == &tables[0] ? &tables[1] : &tables[0];
	r = reserve(new, old->count + 1);
	if (r < 0) {
		write_end();
		return r;
	}
	while (at < old->count && old->regions[at].start <= region.start)
		at++;
	memcpy(new->regions, old->regions, at * sizeof(region));
	new->regions[at] = region;
	memcpy(new->regions + at + 1, old->regions + at, (old->count - at) * sizeof(region));
	new->count = old->count + 1;
	set_reach(new);
	publish(new);
	write_end();
	return 0;
}

void region_remove(struct profil *histogram)
{
	struct table *old, *new;

	write_begin();
	old = atomic_load(&current);
	new = old == &tables[0] ? &tables[1] : &tables[0];
	new->count = 0;
	/* The unpublished table may be the smaller one only by what add() just put into the other.
	 */
	if (reserve(new, old->count) < 0) {
		/* Without memory for a copy the entry is emptied in place: its range holds no pc.
		 */
		for (size_t i = 0; i < old->count; i++) {
			if (old->regions[i].histogram == histogram)
				__atomic_store_n(&old->regions[i].end, old->regions[i].start,
						 __ATOMIC_SEQ_CST);
		}
		publish(old);
		write_end();
		return;
	}
	for (size_t i = 0; i < old->count; i++) {
		if (old->regions[i].histogram != histogram)
			new->regions[new->count++] = old->regions[i];
	}
	set_reach(new);
	publish(new);
	write_end();
}

size_t region_count(void)
{
	return atomic_load(&current)->count;
}

/* The number of regions that start at or below @pc. */
static size_t count_at_or_below(const struct table *table, uintptr_t pc)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->regions[middle].start <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool region_tick(uintptr_t pc, uint64_t weight)
{
	const struct table *table;
	bool found = false;

	atomic_fetch_add(&handlers, 1);
	table = atomic_load(&current);
	for (size_t i = count_at_or_below(table, pc); i > 0; i--) {
		const struct region *region = &table->regions[i - 1];

		if (region->reach <= pc)
			break;
		if (__atomic_load_n(&region->end, __ATOMIC_RELAXED) <= pc)
			continue;
		histogram_count(region->histogram, pc, weight);
		found = true;
	}
	atomic_fetch_sub(&handlers, 1);
	return found;
}

bool region_holds(uintptr_t pc)
{
	const struct table *table;
	size_t below;
	bool found;

	atomic_fetch_add(&handlers, 1);
	table = atomic_load(&current);
	below = count_at_or_below(table, pc);
	found = below > 0 && table->regions[below - 1].reach > pc;
	atomic_fetch_sub(&handlers, 1);
	return found;
}

void region_clear(void)
{
	struct table *table = atomic_load(&current);

	for (size_t i = 0; i < table->count; i++)
		table->regions[i].histogram->active = 0;
	table->count = 0;
}

void region_fork_child(void)
{
	atomic_store(&handlers, 0);
	atomic_store(&writing, 0);
}
