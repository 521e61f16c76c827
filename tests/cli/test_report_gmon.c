/* SPDX-License-Identifier: MIT */
/* The format gmon, byte by byte. */

#include "cli/report/report_gmon.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "tests/cli/profile_maker.h"

#define HEAD	  20 /* bytes of the file's head */
#define HISTOGRAM 41 /* of a histogram's, with its tag */

static struct profile *profile;
static struct options options;
static char *bytes;
static size_t size;

static void set_up(void)
{
	profile = make_profile();
	make_options(&options, "--format=gmon");
	cr_assert_geq(profile_add_process(profile, &(struct profile_process){.command = "app"}), 0);
}

static void tear_down(void)
{
	free(bytes);
	options_done(&options);
	profile_free(profile);
}

TestSuite(report_gmon, .init = set_up, .fini = tear_down);

static void write_report(void)
{
	struct report report = {.profile = profile, .options = &options};
	FILE *stream = open_memstream(&bytes, &size);

	cr_assert_eq(report_gmon_write(&report, stream), 0);
	fclose(stream);
	cr_assert_eq(memcmp(bytes, "gmon\1\0\0\0", 8), 0);
}

static uint64_t address_at(size_t offset)
{
	uint64_t address;

	memcpy(&address, bytes + offset, sizeof(address));
	return address;
}

static unsigned bin_at(size_t offset)
{
	uint16_t bin;

	memcpy(&bin, bytes + offset, sizeof(bin));
	return bin;
}

Test(report_gmon, a_bin_is_two_bytes_of_text)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, app, 0x1000, 2, 3, 0);
	make_entry(profile, app, 0x1006, 2, 5, 0);
	write_report();
	cr_assert_eq(size, HEAD + HISTOGRAM + 4 * 2);
	cr_assert_eq(address_at(HEAD + 1), 0x1000);
	cr_assert_eq(address_at(HEAD + 9), 0x1008);
	cr_assert_eq(bin_at(HEAD + HISTOGRAM), 3);
	cr_assert_eq(bin_at(HEAD + HISTOGRAM + 6), 5);
}

Test(report_gmon, what_does_not_fit_a_bin_comes_again)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0x1000, 2, 70000, 0);
	write_report();
	cr_assert_eq(size, HEAD + 2 * (HISTOGRAM + 2));
	cr_assert_eq(bin_at(HEAD + HISTOGRAM) + bin_at(HEAD + 2 * HISTOGRAM + 2), 70000);
}

Test(report_gmon, ticks_far_apart_make_no_large_file)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, app, 0x1000, 2, 1, 0);
	make_entry(profile, app, 0x10000000, 2, 1, 0);
	write_report();
	cr_assert_eq(size, HEAD + 2 * (HISTOGRAM + 2));
}

Test(report_gmon, a_large_bucket_is_spread_over_its_bins)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0x1000, 8, 6, 0);
	write_report();
	cr_assert_eq(size, HEAD + HISTOGRAM + 4 * 2);
	cr_assert_eq(bin_at(HEAD + HISTOGRAM) + bin_at(HEAD + HISTOGRAM + 2) +
			     bin_at(HEAD + HISTOGRAM + 4) + bin_at(HEAD + HISTOGRAM + 6),
		     6);
	cr_assert_leq(bin_at(HEAD + HISTOGRAM), 2);
}

Test(report_gmon, the_end_of_all_addresses_is_no_beginning)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, app, UINT64_MAX - 4, 4, 6, 0);
	make_entry(profile, app, UINT64_MAX, 1, 6, 0);
	write_report();
	cr_assert_eq(address_at(HEAD + 1), UINT64_MAX - 5);
	cr_assert_eq(address_at(HEAD + 9), UINT64_MAX - 1);
	cr_assert_eq(size, HEAD + HISTOGRAM + 2 * 2);
}

Test(report_gmon, it_is_of_the_program_and_says_what_is_not)
{
	struct report report = {.profile = profile, .options = &options};
	char line[256];

	make_entry(profile, make_object(profile, OBJECT_FILE, "libc.so.6"), 0x9000, 2, 30, 0);
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0x1000, 2, 10, 0);
	write_report();
	cr_assert_eq(address_at(HEAD + 1), 0x1000);
	cr_assert_eq(report_gmon_remark(&report, line, sizeof(line)), 1);
	cr_assert_str_eq(line, "gmon holds one object: app with 25.0% of the ticks; --focus=NAME "
			       "chooses another");
}
