/* SPDX-License-Identifier: MIT */
/* What is written for the view is what it reads. */

#include "cli/live/snapshot.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/cli/profile_maker.h"

static struct profile *pass(const struct profile *profile)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	struct profile *copy = NULL;

	cr_assert_eq(snapshot_write(profile, fd), 0);
	cr_assert_eq(snapshot_read(fd, &copy), 0);
	close(fd);
	return copy;
}

Test(snapshot, everything_that_a_view_shows_arrives)
{
	struct profile *profile = make_profile(), *copy;
	struct profile_process process = {.pid = 77, .parent = 7, .image = 2, .command = "cc1"};
	struct profile_thread thread = {.tid = 78, .name = "worker"};
	const struct profile_object file = {.kind = OBJECT_FILE, .name = "app", .path = "/bin/app"};
	uint32_t app = (uint32_t)profile_add_object(profile, &file);
	uint32_t jit = make_object(profile, OBJECT_JIT, "[jit]");

	profile_add_process(profile, &process);
	profile_add_thread(profile, &thread);
	make_entry(profile, app, 0x1000, 2, 600, 20);
	make_entry(profile, jit, 0x7000, 1, 5, 0);
	make_place(profile, jit, 0x7000, 0x7001, "made");
	profile->user_seconds = 5.5;
	profile->tick_source = "kernel";
	profile->threads_apart = true;
	copy = pass(profile);
	cr_assert_eq(copy->ticks, 605);
	cr_assert_eq(copy->user_seconds, 5.5);
	cr_assert_eq(copy->period_seconds, profile->period_seconds);
	cr_assert_eq(copy->effective_ticks, profile->effective_ticks);
	cr_assert_str_eq(copy->tick_source, "kernel");
	cr_assert(copy->threads_apart);
	cr_assert_eq(copy->object_count, 2);
	cr_assert_str_eq(copy->objects[app].name, "app");
	cr_assert_str_eq(copy->objects[app].path, "/bin/app");
	cr_assert_eq(copy->process_count, profile->process_count);
	cr_assert_str_eq(copy->processes[copy->process_count - 1].command, "cc1");
	cr_assert_str_eq(copy->threads[0].name, "worker");
	cr_assert_eq(copy->entry_count, 2);
	cr_assert_eq(memcmp(copy->entries, profile->entries, 2 * sizeof(*copy->entries)), 0);
	cr_assert_eq(copy->place_count, 1);
	cr_assert_str_eq(copy->frames[copy->places[0].frame].function, "made");
	profile_free(profile);
	profile_free(copy);
}

Test(snapshot, an_empty_run_is_one_too)
{
	struct profile *profile = make_profile(), *copy = pass(profile);

	cr_assert_eq(copy->ticks, 0);
	cr_assert_eq(copy->entry_count, 0);
	profile_free(profile);
	profile_free(copy);
}

Test(snapshot, what_is_cut_off_is_refused)
{
	struct profile *profile = make_profile(), *copy;
	uint32_t app = make_object(profile, OBJECT_FILE, "app");
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	off_t size;

	make_entry(profile, app, 0x1000, 2, 600, 0);
	cr_assert_eq(snapshot_write(profile, fd), 0);
	size = lseek(fd, 0, SEEK_END);
	for (off_t cut = 0; cut < size; cut++) {
		cr_assert_eq(ftruncate(fd, cut), 0);
		cr_assert_lt(snapshot_read(fd, &copy), 0);
		cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
		cr_assert_eq(snapshot_write(profile, fd), 0);
	}
	close(fd);
	profile_free(profile);
}
