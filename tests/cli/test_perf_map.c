/* SPDX-License-Identifier: MIT */
/* Perf maps: their forms, what overlaps, what is broken, and which files are none. */

#include "cli/collect/perf_map.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct string_pool *pool;
static char path[64];

static void make(void)
{
	pool = string_pool_new();
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
}

static void drop(void)
{
	string_pool_free(pool);
	unlink(path);
}

TestSuite(perf_map, .init = make, .fini = drop);

/* What @text calls the pc; *ret_bad as perf_map_read() has it. */
static const char *name_of(const char *text, uint64_t pc, unsigned *ret_bad)
{
	struct perf_map_name names[] = {{1, NULL}, {pc, NULL}, {UINT64_MAX, NULL}};
	FILE *stream = fmemopen((char *)(uintptr_t)text, strlen(text), "r");

	cr_assert_eq(perf_map_read(stream, names, 3, pool, ret_bad), 0);
	fclose(stream);
	return names[1].name;
}

static void expect(const char *text, uint64_t pc, const char *name)
{
	unsigned bad;
	const char *found = name_of(text, pc, &bad);

	cr_assert_eq(bad, 0, "%s", text);
	cr_assert(!found == !name);
	if (name)
		cr_assert_str_eq(found, name);
}

Test(perf_map, numbers_are_hexadecimal_with_and_without_0x)
{
	expect("7f00aB 10 f\n", 0x7f00ab, "f");
	expect("0x7f00ab 0x10 f\n", 0x7f00ba, "f");
	expect("7f00ab 10 f\n", 0x7f00bb, NULL);
	expect("7f00ab 10 f\n", 0x7f00aa, NULL);
	expect("7f00ab 0 f\n", 0x7f00ab, NULL);
}

Test(perf_map, names_keep_their_blanks)
{
	expect("1000 10 LazyCompile:*f g (/tmp/a b.js:1)\n", 0x1008,
	       "LazyCompile:*f g (/tmp/a b.js:1)");
	expect("1000 10 without an end", 0x1008, "without an end");
}

Test(perf_map, of_lines_that_overlap_the_last_one_holds)
{
	expect("1000 100 f\n1080 10 g\n", 0x1084, "g");
	expect("1080 10 g\n1000 100 f\n", 0x1084, "f");
	expect("1000 100 f\n1080 10 g\n", 0x1090, "f");
}

Test(perf_map, lines_that_make_no_sense_are_counted)
{
	static const char text[] = "\n"
				   "1000\n"
				   "1000 10\n"
				   "1000 10 \n"
				   "-1000 10 f\n"
				   " 1000 10 f\n"
				   "zzz 10 f\n"
				   "1000 10g f\n"
				   "11112222333344445 10 f\n"
				   "ffffffffffffffff 10 f\n"
				   "0x 10 f\n"
				   "1000 10 right\n";
	unsigned bad;

	cr_assert_str_eq(name_of(text, 0x1000, &bad), "right");
	cr_assert_eq(bad, 11);
}

Test(perf_map, a_line_may_be_longer_than_any_name)
{
	static char text[20000];
	unsigned bad;

	strcpy(text, "1000 10 ");
	memset(text + 8, 'f', 10000);
	strcpy(text + 10008, "\n2000 10 g\n");
	cr_assert_str_eq(name_of(text, 0x2000, &bad), "g");
	cr_assert_eq(bad, 0);
	cr_assert_gt(strlen(name_of(text, 0x1000, &bad)), 1000);
}

static void write_map(const char *file)
{
	FILE *stream = fopen(file, "w");

	fputs("1000 10 f\n", stream);
	fclose(stream);
}

Test(perf_map, is_found_by_the_number_of_its_process)
{
	int fd;

	write_map(path);
	fd = perf_map_open(getpid(), time(NULL) - 1000);
	cr_assert_geq(fd, 0);
	close(fd);
	cr_assert_lt(perf_map_open(getpid(), time(NULL) + 1000), 0, "it is older than the run");
}

Test(perf_map, is_neither_a_link_nor_a_pipe)
{
	char other[80];

	snprintf(other, sizeof(other), "%s.other", path);
	write_map(other);
	cr_assert_eq(symlink(other, path), 0);
	cr_assert_lt(perf_map_open(getpid(), 0), 0);
	unlink(other);
	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_lt(perf_map_open(getpid(), 0), 0);
}

Test(perf_map, of_another_user_is_none)
{
	if (geteuid() != 0)
		cr_skip_test("only root can give files away");
	write_map(path);
	cr_assert_eq(chown(path, 65534, 65534), 0);
	cr_assert_lt(perf_map_open(getpid(), 0), 0);
}
