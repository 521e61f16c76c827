/* SPDX-License-Identifier: MIT */
/* The summary lines. */

#include "cli/report/summary.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile;

static void make(void)
{
	static char program[] = "./app", quote[] = "it's", nothing[] = "";
	static char *command[] = {program, quote, nothing, NULL};

	profile = make_profile();
	profile_set_command(profile, command);
	profile->elapsed_seconds = 2.5;
	profile->user_seconds = 1.9;
	profile->system_seconds = 0.1;
}

static void drop(void)
{
	profile_free(profile);
}

TestSuite(summary, .init = make, .fini = drop);

static void expect(const char *expected)
{
	struct terminal terminal = {.width = 0};
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	summary_write(profile, &terminal, stream);
	fclose(stream);
	cr_assert_str_eq(text, expected, "%s", text);
	free(text);
}

static void expect_no_ticks(const char *expected)
{
	char line[256];

	summary_no_ticks(profile, line, sizeof(line));
	cr_assert_str_eq(line, expected);
}

Test(summary, says_times_ticks_and_coverage)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 199, 0);
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 2.50 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "199 ticks of 10 ms (timer) cover 99.5 % of the CPU time\n\n");
}

Test(summary, says_what_was_lost_how_it_ended_and_the_notes)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 1, 0);
	profile->elapsed_seconds = 10;
	profile->lost_ticks = 3;
	profile->wait_status = SIGSEGV | 0x80;
	profile_add_note(profile, "first\nnote");
	profile_add_note(profile, "second note");
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 10.00 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "1 tick of 10 ms (timer) covers 0.5 % of the CPU time; 3 lost\n"
	       "killed by SIGSEGV (core dumped)\n"
	       "mostly waited: off the CPU for 8.00 s of 10.00 s\n"
	       "1.99 s of CPU time had no ticks: bursts that end before the scheduler's next tick "
	       "(--ticks=kernel sees them), the start of each process, and what the preload did "
	       "not enter\n"
	       "first\\nnote\nsecond note\n\n");
	profile->wait_status = 3 << 8;
	profile->note_count = 0;
	profile->elapsed_seconds = 2;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 2.00 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "1 tick of 10 ms (timer) covers 0.5 % of the CPU time; 3 lost\n"
	       "exit status 3\n"
	       "1.99 s of CPU time had no ticks: bursts that end before the scheduler's next tick "
	       "(--ticks=kernel sees them), the start of each process, and what the preload did "
	       "not enter\n\n");
}

Test(summary, waiting_for_a_cpu_is_no_waiting_of_the_program)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 200, 0);
	profile->elapsed_seconds = 10;
	profile->queued_seconds = 7.5;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 10.00 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "200 ticks of 10 ms (timer) cover 100.0 % of the CPU time\n"
	       "others had the CPU for about 7.50 s of 10.00 s\n\n");
	profile->queued_seconds = 1;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 10.00 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "200 ticks of 10 ms (timer) cover 100.0 % of the CPU time\n"
	       "mostly waited: off the CPU for 7.00 s of 10.00 s\n\n");
	profile->queued_seconds = -1;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 10.00 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "200 ticks of 10 ms (timer) cover 100.0 % of the CPU time\n"
	       "mostly waited, or others had the CPU: off it for 8.00 s of 10.00 s\n\n");
}

Test(summary, says_when_ticks_came_in_groups)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 200, 0);
	profile->effective_ticks = 50;
	profile->rate_hz = 1000;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 2.50 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "200 ticks of 10 ms (timer) cover 100.0 % of the CPU time\n"
	       "ticks came 4.0 at a time, as those above the rate of the kernel's timers do; "
	       "margins are those of 50 ticks\n\n");
}

Test(summary, says_when_more_was_seen_than_accounted)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 300, 0);
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 2.50 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "300 ticks of 10 ms (timer) cover 150.0 % of the CPU time\n"
	       "1.00 s more than the kernel accounts were counted, as of processes that nobody "
	       "waited for\n\n");
}

Test(summary, says_why_there_are_no_ticks)
{
	expect_no_ticks("no ticks: none came in 2.000 s of CPU time: bursts that end before the "
			"scheduler's next tick (--ticks=kernel sees them), the start of each "
			"process, and what the preload did not enter");
	profile->tick_source = "libc";
	expect_no_ticks("no ticks: none came in 2.000 s of CPU time: the C library's profil() sees "
			"the program's own text alone, neither libraries nor child processes");
	profile->unsampled_seconds = 1.99;
	expect_no_ticks("no ticks: 1.990 of 2.000 s of CPU time were before --delay was over, or "
			"after --duration");
	profile->unsampled_seconds = 0;
	profile->no_ticks = "the preload did not enter the program";
	expect_no_ticks("no ticks: the preload did not enter the program");
	profile->no_ticks = NULL;
	profile->user_seconds = profile->system_seconds = 0.002;
	expect_no_ticks("no ticks: the program used 0.004 s of CPU time, a tick comes every "
			"0.010 s; --rate=HZ makes more");
}

Test(summary, what_a_file_says_does_not_drive_the_terminal)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 199, 0);
	profile->tick_source = "timer\033[2J";
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 2.50 s, CPU 2.00 s (user 1.90, system 0.10)\n"
	       "199 ticks of 10 ms (timer\\x1B[2J) cover 99.5 % of the CPU time\n\n");
}

Test(summary, who_shares_a_cpu_is_met_by_its_ticks_by_chance)
{
	make_entry(profile, make_object(profile, OBJECT_FILE, "a"), 0, 2, 9, 0);
	profile->tick_source = "kernel";
	profile->elapsed_seconds = 0.4;
	profile->user_seconds = 0.14;
	profile->system_seconds = 0;
	profile->queued_seconds = 0.26;
	expect("./app 'it'\\''s' ''\n"
	       "elapsed 0.40 s, CPU 0.14 s (user 0.14, system 0.00)\n"
	       "9 ticks of 10 ms (kernel) cover 64.3 % of the CPU time\n"
	       "others had the CPU for about 0.26 s of 0.40 s\n\n");
}
