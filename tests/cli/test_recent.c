/* SPDX-License-Identifier: MIT */
/* Snapshots of the last seconds: which are kept, and what is between two of them. */

#include "cli/live/recent.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/cli/profile_maker.h"

static int open_some(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

Test(recent, one_from_ten_seconds_before_is_kept)
{
	struct recent *recent = recent_new();
	int first = open_some(), last = first, next = -1;

	cr_assert_eq(recent_newest(recent), -1);
	for (int i = 0; i <= 100; i++) {
		int fd = i ? open_some() : first;

		if (i == 80)
			next = fd;
		last = fd;
		recent_keep(recent, fd, i * 0.5);
		cr_assert_eq(recent_newest(recent), fd);
		cr_assert_eq(recent_earlier(recent) < 0, i < 20);
	}
	cr_assert_eq(recent_earlier(recent), next);
	recent_keep(recent, open_some(), 1000);
	cr_assert_eq(recent_earlier(recent), last);
	cr_assert_eq(fcntl(next, F_GETFD), -1, "older ones stay open");
	recent_free(recent);
	cr_assert_eq(fcntl(last, F_GETFD), -1);
}

Test(recent, any_number_of_them_may_come)
{
	struct recent *recent = recent_new();

	for (int i = 0; i < 1000; i++)
		recent_keep(recent, open_some(), i * 0.01);
	cr_assert_eq(recent_earlier(recent), -1);
	recent_free(recent);
}

static uint32_t add_process(struct profile *profile, pid_t pid, unsigned image)
{
	struct profile_process process = {.pid = pid, .image = image, .command = "p"};

	return (uint32_t)profile_add_process(profile, &process);
}

static void add(struct profile *profile, uint32_t object, uint32_t process, uint64_t address,
		uint64_t ticks)
{
	struct profile_entry entry = {
		.object = object,
		.process = process,
		.address = address,
		.size = 2,
		.ticks = ticks,
	};

	cr_assert_eq(profile_add_entry(profile, &entry), 0);
	profile->effective_ticks += (double)ticks;
}

static uint64_t ticks_at(const struct profile *profile, uint32_t object, uint32_t process,
			 uint64_t address)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (entry->object == object && entry->process == process &&
		    entry->address == address)
			sum += entry->ticks;
	}
	return sum;
}

Test(recent, what_was_counted_before_is_taken_away)
{
	struct profile *now = make_profile(), *before = make_profile();
	uint32_t app = make_object(now, OBJECT_FILE, "app"), p, q, r;
	uint32_t libc = make_object(now, OBJECT_FILE, "libc");

	/* Numbers differ between the two. */
	uint32_t libc_before = make_object(before, OBJECT_FILE, "libc");
	uint32_t app_before = make_object(before, OBJECT_FILE, "app");

	p = add_process(now, 5, 0);
	q = add_process(now, 6, 0);
	r = add_process(now, 5, 1);
	add(now, app, p, 0x1000, 100);
	add(now, app, q, 0x1000, 30);
	add(now, app, r, 0x1000, 7);
	add(now, libc, p, 0x2000, 50);
	add(now, libc, p, 0x3000, 13);
	p = add_process(before, 5, 0);
	q = add_process(before, 6, 0);
	add(before, app_before, p, 0x1000, 60);
	add(before, app_before, q, 0x1000, 30);
	add(before, libc_before, p, 0x2000, 50);
	cr_assert_eq(recent_subtract(now, before), 0);
	p = now->process_count - 3;
	cr_assert_eq(ticks_at(now, app, p, 0x1000), 40);
	cr_assert_eq(ticks_at(now, app, p + 1, 0x1000), 0);
	cr_assert_eq(ticks_at(now, app, p + 2, 0x1000), 7);
	cr_assert_eq(ticks_at(now, libc, p, 0x2000), 0);
	cr_assert_eq(ticks_at(now, libc, p, 0x3000), 13);
	cr_assert_eq(now->entry_count, 3);
	cr_assert_eq(now->ticks, 60);
	cr_assert_float_eq(now->effective_ticks, 60, 1e-9);
	profile_free(now);
	profile_free(before);
}

Test(recent, nothing_new_leaves_nothing)
{
	struct profile *now = make_profile(), *before = make_profile();

	make_entry(now, make_object(now, OBJECT_FILE, "app"), 0x1000, 2, 9, 3);
	make_entry(before, make_object(before, OBJECT_FILE, "app"), 0x1000, 2, 9, 3);
	cr_assert_eq(recent_subtract(now, before), 0);
	cr_assert_eq(now->entry_count, 0);
	cr_assert_eq(now->ticks, 0);
	profile_free(now);
	profile_free(before);
}
