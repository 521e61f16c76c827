/* SPDX-License-Identifier: MIT */
/* The format csv, to the byte. */

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>

#include "cli/profile/profile.h"
#include "cli/report/report.h"
#include "tests/cli/profile_maker.h"

#define HEADER                                                                              \
	"function,object,file,line,ticks,seconds,percent,margin,cumulative_percent,kernel_" \
	"percent,"                                                                          \
	"estimated\n"

static struct profile *profile;
static struct options options;

static void make(void)
{
	profile = make_profile();
}

static void drop(void)
{
	profile_free(profile);
	options_done(&options);
}

TestSuite(report_csv, .init = make, .fini = drop);

static void expect(const char *line, const char *expected)
{
	char *text;

	options_done(&options); /* of the call before */
	make_options(&options, line);
	text = make_report(profile, &options);
	cr_assert_str_eq(text, expected, "%s", text);
	free(text);
	options_done(&options);
}

Test(report_csv, without_ticks_is_the_header_alone)
{
	expect("--csv", HEADER);
}

Test(report_csv, has_a_row_per_function_by_falling_ticks)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, object, 0x1000, 2, 20, 0);
	make_entry(profile, object, 0x1010, 2, 30, 30);
	make_entry(profile, object, 0x1100, 2, 50, 5);
	make_entry(profile, object, 0x1200, 2, 100, 0);
	make_place(profile, object, 0x1000, 0x1100, "slow");
	make_place(profile, object, 0x1100, 0x1200, "quick");
	make_place(profile, object, 0x1200, 0x1300, "main");
	profile->kernel_known = true;
	expect("--csv", HEADER "main,app,,,100,1.000,50.000,6.864,50.000,0.000,0\n"
			       "quick,app,,,50,0.500,25.000,5.963,75.000,10.000,0\n"
			       "slow,app,,,50,0.500,25.000,5.963,100.000,60.000,0\n");
}

Test(report_csv, leaves_the_kernel_share_empty_where_nobody_knows)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, object, 0x1000, 2, 1, 0);
	make_place(profile, object, 0x1000, 0x1100, "f");
	expect("--csv", HEADER "f,app,,,1,0.010,100.000,39.673,100.000,,0\n");
}

Test(report_csv, divides_a_straddling_bucket_and_says_so)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");

	make_entry(profile, object, 0x1000, 0x30, 10, 0);
	make_place(profile, object, 0x1000, 0x1010, "a");
	make_place(profile, object, 0x1010, 0x1030, "b");
	expect("--csv", HEADER "b,app,,,6.667,0.067,66.670,25.261,66.670,,1\n"
			       "a,app,,,3.333,0.033,33.330,25.261,100.000,,1\n");
}

Test(report_csv, quotes_by_rfc_4180)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "a,\"b\"");

	make_entry(profile, object, 0x1000, 2, 3, 0);
	make_entry(profile, object, 0x2000, 2, 2, 0);
	make_entry(profile, object, 0x3000, 2, 1, 0);
	make_place(profile, object, 0x1000, 0x1010, "std::map<int, long>");
	make_place(profile, object, 0x2000, 0x2010, "two\nlines \xc3\xa9");
	make_place(profile, object, 0x3000, 0x3010, "=no\xff\xc3 tab\t");
	profile->effective_ticks = 0;
	expect("--csv",
	       HEADER "\"std::map<int, long>\",\"a,\"\"b\"\"\",,,3,0.030,50.000,100.000,50.000,,0\n"
		      "\"two\nlines \xc3\xa9\",\"a,\"\"b\"\"\",,,2,0.020,33.333,100.000,83.333,,0\n"
		      "=no\\xFF\\xC3 tab\t,\"a,\"\"b\"\"\",,,1,0.010,16.667,100.000,100.000,,0\n");
}

Test(report_csv, names_unknown_code_by_object_and_offset)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");
	uint32_t vdso = make_object(profile, OBJECT_VDSO, "[vdso]");
	uint32_t anonymous = make_object(profile, OBJECT_ANON, "[anon]");
	uint32_t special = make_object(profile, OBJECT_SPECIAL, "[signals blocked]");

	make_entry(profile, object, 0x1234, 2, 4, 0);
	make_entry(profile, vdso, 0x10, 2, 3, 0);
	make_entry(profile, anonymous, 0x7f0000000000, 2, 2, 0);
	make_entry(profile, special, 0, 0, 1, 0);
	profile->effective_ticks = 0;
	expect("--csv", HEADER "[app+0x1234],app,,,4,0.040,40.000,100.000,40.000,,0\n"
			       "[vdso+0x10],[vdso],,,3,0.030,30.000,100.000,70.000,,0\n"
			       "[anon],[anon],,,2,0.020,20.000,100.000,90.000,,0\n"
			       "[signals blocked],,,,1,0.010,10.000,100.000,100.000,,0\n");
}

Test(report_csv, keys_add_columns_in_front_and_empty_those_they_do_not_tell)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");
	struct profile_process process = {.pid = 12, .command = "cc1"};

	profile_add_process(profile, &process);
	make_entry(profile, object, 0x1000, 2, 3, 0);
	make_entry(profile, object, 0x2000, 2, 1, 0);
	make_place(profile, object, 0x1000, 0x1010, "a");
	make_place(profile, object, 0x2000, 0x2010, "b");
	profile->effective_ticks = 0;
	expect("--csv --by=object", HEADER ",app,,,4,0.040,100.000,100.000,100.000,,0\n");
	expect("--csv --by=process",
	       "process," HEADER "cc1 (12),,,,,4,0.040,100.000,100.000,100.000,,0\n");
	expect("--csv --by=address",
	       "address," HEADER "0x1000,a,app,,,3,0.030,75.000,100.000,75.000,,0\n"
	       "0x2000,b,app,,,1,0.010,25.000,100.000,100.000,,0\n");
	expect("--csv --by=process,address",
	       "process,address," HEADER
	       "cc1 (12),0x1000,a,app,,,3,0.030,75.000,100.000,75.000,,0\n"
	       "cc1 (12),0x2000,b,app,,,1,0.010,25.000,100.000,100.000,,0\n");
}

Test(report_csv, has_a_decimal_point_whatever_the_locale)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");

	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		setlocale(LC_CTYPE, "C.UTF-8");
	setlocale(LC_NUMERIC, "C");
	make_entry(profile, object, 0x1000, 2, 1, 0);
	make_place(profile, object, 0x1000, 0x1100, "f");
	expect("--csv", HEADER "f,app,,,1,0.010,100.000,39.673,100.000,,0\n");
}

Test(report_csv, sums_what_is_hidden_in_a_last_row)
{
	uint32_t object = make_object(profile, OBJECT_FILE, "app");

	for (uint64_t i = 0; i < 4; i++) {
		char name[2] = {(char)('a' + i), '\0'};

		make_entry(profile, object, 0x1000 * i, 2, 10, 0);
		make_place(profile, object, 0x1000 * i, 0x1000 * i + 0x10, name);
	}
	profile->effective_ticks = 0;
	expect("--csv --top=2", HEADER "a,app,,,10,0.100,25.000,100.000,25.000,,0\n"
				       "b,app,,,10,0.100,25.000,100.000,50.000,,0\n"
				       "[other],,,,20,0.200,50.000,100.000,100.000,,0\n");
	expect("--csv --focus=^c$", HEADER "c,app,,,10,0.100,25.000,100.000,25.000,,0\n"
					   "[other],,,,30,0.300,75.000,100.000,100.000,,0\n");
	expect("--csv --min=25.1", HEADER "[other],,,,40,0.400,100.000,100.000,100.000,,0\n");
	expect("--csv --focus=nothing", HEADER);
}
