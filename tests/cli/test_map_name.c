/* SPDX-License-Identifier: MIT */
/* Names as they stand in /proc/PID/maps and behind /proc/PID/exe. */

#include "cli/collect/map_name.h"

#include <criterion/criterion.h>

Test(map_name, only_paths_of_files_can_be_opened)
{
	cr_assert(map_name_is_file("/usr/bin/app"));
	cr_assert(map_name_is_file("/dev/shm/plugin.so"));
	cr_assert_not(map_name_is_file("[heap]"));
	cr_assert_not(map_name_is_file("//anon"));
	cr_assert_not(map_name_is_file("/memfd:jit (deleted)"));
	cr_assert_not(map_name_is_file("/SYSV00000000"));
	cr_assert_not(map_name_is_file("/dev/zero (deleted)"));
	cr_assert_not(map_name_is_file(""));
}

Test(map_name, ends_before_what_the_kernel_adds)
{
	cr_assert_eq(map_name_length("/app (deleted)"), 4);
	cr_assert_eq(map_name_length("/app (deleted) twice"), 20);
	cr_assert_eq(map_name_length("/app (deleted) (deleted)"), 14);
	cr_assert_eq(map_name_length(" (deleted)"), 10);
	cr_assert_eq(map_name_length(""), 0);
}
