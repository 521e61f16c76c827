/* SPDX-License-Identifier: MIT */
/* Addresses from arguments and from a pipe whose writer may wait for answers. */

#include "cli/report/address_list.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

Test(address_list, takes_hexadecimal_with_and_without_prefix)
{
	struct address_list list = {NULL, 0, 0};

	cr_assert_eq(address_list_add(&list, "0x1165", NULL), 0);
	cr_assert_eq(address_list_add(&list, "ffffffffff600000", NULL), 0);
	cr_assert_eq(address_list_add(&list, " 0XAB \r", NULL), 0);
	cr_assert_eq(list.count, 3);
	cr_expect_eq(list.items[0], 0x1165);
	cr_expect_eq(list.items[1], UINT64_C(0xffffffffff600000));
	cr_expect_eq(list.items[2], 0xab);
	address_list_done(&list);
}

Test(address_list, refuses_everything_else)
{
	static const char *const bad[] = {"",	 "0x",	"main",	   "-1",
					  "12g", "1 2", "0x1.8p3", "11112222333344445"};
	struct address_list list = {NULL, 0, 0};
	struct error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_eq(address_list_add(&list, bad[i], &err), -EINVAL, "'%s'", bad[i]);
		cr_expect(strstr(err.text, "is no address"));
	}
	cr_expect_eq(list.count, 0);
	address_list_done(&list);
}

static void write_all(int fd, const char *text)
{
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

Test(address_list, reads_lines_until_the_writer_pauses)
{
	struct address_list list = {NULL, 0, 0};
	struct address_lines lines = {.fd = -1};
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	lines.fd = ends[0];
	write_all(ends[1], "0x1\n0x2\n\n0x");
	cr_assert_eq(address_lines_read(&lines, &list, NULL), 1);
	cr_assert_eq(list.count, 2);
	write_all(ends[1], "3\n4");
	close(ends[1]);
	cr_assert_eq(address_lines_read(&lines, &list, NULL), 1);
	cr_assert_eq(list.count, 2);
	cr_expect_eq(list.items[0], 3);
	cr_expect_eq(list.items[1], 4);
	cr_expect_eq(address_lines_read(&lines, &list, NULL), 0);
	cr_expect_eq(list.count, 0);
	address_lines_done(&lines);
	address_list_done(&list);
	close(ends[0]);
}

Test(address_list, keeps_what_stands_before_a_bad_line)
{
	struct address_list list = {NULL, 0, 0};
	struct address_lines lines = {.fd = -1};
	struct error err;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	lines.fd = ends[0];
	write_all(ends[1], "0x1\nmain\n0x2\n");
	close(ends[1]);
	cr_expect_eq(address_lines_read(&lines, &list, &err), -EINVAL);
	cr_expect_eq(list.count, 1);
	cr_expect(strstr(err.text, "main"));
	address_lines_done(&lines);
	address_list_done(&list);
	close(ends[0]);
}
