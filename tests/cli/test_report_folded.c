/* SPDX-License-Identifier: MIT */
/* The format folded: chains, and names that lines do not like. */

#include <criterion/criterion.h>
#include <stdlib.h>

#include "cli/report/report.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct options options;

static void set_up(void)
{
	uint32_t app;

	profile = make_profile();
	app = make_object(profile, OBJECT_FILE, "app");
	cr_assert_geq(profile_add_process(profile,
					  &(struct profile_process){
						  .command = "app",
						  .pid = 7,
					  }),
		      0);
	make_entry(profile, app, 0x1000, 2, 3, 0);
	make_entry(profile, app, 0x2000, 0x20, 1, 0);
	make_entry(profile, app, 0x3000, 2, 2, 0);
	make_entry(profile, make_object(profile, OBJECT_SPECIAL, "[program start]"), 0, 1, 1, 0);
	make_place(profile, app, 0x1000, 0x1010, "a;b c\n\xff");
	make_place(profile, app, 0x2000, 0x2010, "left");
	make_place(profile, app, 0x2010, 0x2020, "right");
	make_place(profile, app, 0x3000, 0x3010, NULL);
}

static void tear_down(void)
{
	options_done(&options);
	profile_free(profile);
}

TestSuite(report_folded, .init = set_up, .fini = tear_down);

static void expect(const char *line, const char *expected)
{
	char *text;

	make_options(&options, line);
	text = make_report(profile, &options);
	cr_assert_str_eq(text, expected, "%s", text);
	free(text);
}

/* Of a tick that two functions share, one has the whole: readers want whole numbers. */
Test(report_folded, a_line_is_a_chain_and_its_ticks)
{
	expect("--format=folded", "[program start] 1\n"
				  "app;[app+0x3000] 2\n"
				  "app;a\\x3Bb c\\x0A\\xFF 3\n"
				  "app;left 1\n");
}

Test(report_folded, processes_stand_in_front)
{
	expect("--format=folded --by=process,function --focus=app.0x3000",
	       "[other] 5\napp (7);app;[app+0x3000] 2\n");
}
