/* SPDX-License-Identifier: MIT */
/* Files that are cut short while they are mapped. */

#include "symbolize/guard.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "symbolize/symbolize.h"
#include "symbolize/util.h"
#include "tests/symbolize/parts.h"

static struct sigaction disposition(void)
{
	struct sigaction action;

	sigaction(SIGBUS, NULL, &action);
	return action;
}

Test(guard, a_cut_file_reads_as_zeros_and_is_counted)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 3 * page;
	AUTO_CLOSE int fd = memfd_create("cut", MFD_CLOEXEC);
	const unsigned before = guard_cuts();
	struct guard *guard;
	char *image;

	cr_assert_eq(ftruncate(fd, (off_t)size), 0);
	cr_assert_eq(pwrite(fd, "last", 4, (off_t)(2 * page)), 4);
	image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	cr_assert_neq(image, MAP_FAILED);
	guard = guard_new(image, size);
	cr_assert(guard);
	cr_expect_eq(image[2 * page], 'l');
	cr_expect_eq(guard_cuts(), before);
	cr_assert_eq(ftruncate(fd, (off_t)page), 0);
	cr_expect_eq(image[2 * page], 0);
	cr_expect_eq(guard_cuts(), before + 1);
	cr_expect_eq(image[page], 0);
	guard_free(guard);
	munmap(image, size);
}

Test(guard, the_signal_is_left_alone_when_nothing_is_guarded)
{
	const struct sigaction before = disposition();
	char byte = 0;
	struct guard *one = guard_new(&byte, 1), *other = guard_new(&byte, 1);

	cr_expect_neq(disposition().sa_handler, before.sa_handler);
	guard_free(one);
	cr_expect_neq(disposition().sa_handler, before.sa_handler);
	guard_free(other);
	cr_expect_eq(disposition().sa_handler, before.sa_handler);
}

static sigjmp_buf faulted;

static void leap(int number)
{
	(void)number;
	siglongjmp(faulted, 1);
}

Test(guard, a_fault_elsewhere_is_what_it_was)
{
	AUTO_CLOSE int fd = memfd_create("empty", MFD_CLOEXEC);
	const struct sigaction action = {.sa_handler = leap};
	volatile char *image = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	const unsigned before = guard_cuts();
	char byte = 0;

	sigaction(SIGBUS, &action, NULL);
	cr_assert(guard_new(&byte, 1));
	if (sigsetjmp(faulted, 1) == 0) {
		image[0];
		cr_assert_fail("no fault");
	}
	cr_expect_eq(guard_cuts(), before);
}

Test(guard, an_object_that_is_cut_short_has_no_names_and_says_so)
{
	const struct parts parts = parts_load();
	AUTO_FREE char *copy = parts_patched(PARTS, 0, "\x7f", 1);
	struct sym_object *object = parts_open(copy);

	cr_expect_str_eq(parts_name(object, parts.hidden), "parts_static");
	cr_assert_eq(truncate(copy, sysconf(_SC_PAGESIZE)), 0);
	cr_expect_null(parts_name(object, parts.hidden));
	cr_expect_null(parts_name(object, parts.exported));
	cr_expect(strstr(sym_object_note(object, 0), "cut short"));
	sym_object_close(object);
	unlink(copy);
}

Test(guard, an_object_that_is_cut_short_has_no_boundaries)
{
	const struct sym_range whole = {0, UINT64_MAX};
	AUTO_FREE char *copy = parts_patched(PARTS, 0, "\x7f", 1);
	struct sym_object *object = parts_open(copy);
	uint64_t *cuts;
	size_t count;

	cr_assert_eq(sym_object_cuts(object, &whole, 1, &cuts, &count, NULL), 0);
	cr_expect_gt(count, 0);
	free(cuts);
	cr_assert_eq(truncate(copy, sysconf(_SC_PAGESIZE)), 0);
	cr_assert_eq(sym_object_cuts(object, &whole, 1, &cuts, &count, NULL), 0);
	cr_expect_eq(count, 0);
	free(cuts);
	sym_object_close(object);
	unlink(copy);
}

Test(guard, more_files_than_can_be_guarded_are_read)
{
	enum { MANY = 300 };
	const struct parts parts = parts_load();
	struct sym_object *objects[MANY];

	for (size_t i = 0; i < MANY; i++)
		objects[i] = parts_open(PARTS);
	cr_expect_str_eq(parts_name(objects[MANY - 1], parts.hidden), "parts_static");
	for (size_t i = 0; i < MANY; i++)
		sym_object_close(objects[i]);
}
