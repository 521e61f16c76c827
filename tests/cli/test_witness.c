/* SPDX-License-Identifier: MIT */
/* The witness of a test that signals itself and its group. */

#include "cli/launch/witness.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct witness *witness;
static pid_t pid; /* the witness' */
static bool lasting;

/* Each test is a process; in a group of its own it can signal the group. */
static void start(void)
{
	sigset_t all;

	cr_assert(getpgrp() == getpid() || setpgid(0, 0) == 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	cr_assert_eq(witness_start(lasting, &witness), 0);
	pid = witness_pid(witness);
}

static void stop(void)
{
	witness_stop(witness);
}

/* Whether the group had it; the sender is always this process. */
static bool take(int signal)
{
	pid_t sender = 0;
	int taken = witness_take(witness, signal, &sender);

	cr_assert_geq(taken, 0);
	cr_assert(!taken || sender == getpid());
	return taken;
}

TestSuite(witness, .init = start, .fini = stop, .timeout = 20);

static void start_lasting(void)
{
	lasting = true;
	start();
}

TestSuite(lasting_witness, .init = start_lasting, .fini = stop, .timeout = 20);

Test(witness, signal_to_the_group_is_taken_once)
{
	kill(0, SIGUSR1);
	cr_expect_not(take(SIGUSR2));
	cr_expect(take(SIGUSR1));
	cr_expect_not(take(SIGUSR1));
}

Test(witness, signal_to_profrun_alone_is_not_seen)
{
	kill(getpid(), SIGUSR1);
	cr_expect_not(take(SIGUSR1));
}

Test(witness, what_is_left_can_be_seen)
{
	uint64_t pending;

	kill(0, SIGTERM);
	kill(0, SIGINT);
	cr_assert_eq(witness_pending(witness, &pending), 0);
	cr_expect_eq(pending, WITNESS_BIT(SIGTERM) | WITNESS_BIT(SIGINT));
	cr_expect(take(SIGTERM));
	cr_assert_eq(witness_pending(witness, &pending), 0);
	cr_expect_eq(pending, WITNESS_BIT(SIGINT));
}

Test(witness, real_time_signals_are_counted)
{
	kill(0, SIGRTMAX);
	kill(0, SIGRTMAX);
	cr_expect(take(SIGRTMAX));
	cr_expect(take(SIGRTMAX));
	cr_expect_not(take(SIGRTMAX));
}

Test(witness, group_signal_is_there_before_profrun_has_it)
{
	for (int i = 0; i < 1000; i++) {
		siginfo_t info;
		sigset_t one;

		sigemptyset(&one);
		sigaddset(&one, SIGUSR1);
		kill(0, SIGUSR1);
		cr_assert_eq(sigwaitinfo(&one, &info), SIGUSR1);
		cr_assert(take(SIGUSR1));
	}
}

/* A pid below 2 would be a group's, or everybody's. */
static void kill_witness(int signal)
{
	cr_assert_gt(pid, 1);
	kill(pid, signal);
}

Test(witness, stopped_one_answers_and_saw_no_continuation)
{
	cr_expect_not(witness_is_stopped(witness));
	kill_witness(SIGSTOP);
	cr_expect(witness_is_stopped(witness));
	kill_witness(SIGUSR1);
	cr_expect(take(SIGUSR1));
	cr_expect_not(witness_is_stopped(witness));
	cr_expect_not(take(SIGCONT));
	kill_witness(SIGSTOP);
	cr_expect(witness_is_stopped(witness));
	cr_expect_not(take(SIGCONT));
}

Test(witness, killed_one_is_noticed)
{
	pid_t sender;

	kill_witness(SIGKILL);
	cr_expect_eq(witness_take(witness, SIGUSR1, &sender), -ESRCH);
	cr_expect_eq(witness_take(witness, SIGUSR1, &sender), -ESRCH);
	cr_expect_not(witness_is_stopped(witness));
}

Test(witness, wait_for_any_child_does_not_find_it)
{
	cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_expect_eq(errno, ECHILD);
}

/* Whether SIGCONT comes to this process within a second. */
static bool is_continued(void)
{
	struct timespec second = {.tv_sec = 1};
	siginfo_t info;
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGCONT);
	return sigtimedwait(&one, &info, &second) == SIGCONT && info.si_pid == pid;
}

Test(witness, watched_process_that_runs_continues_profrun)
{
	witness_watch(witness, getpid());
	cr_expect(is_continued());
}

Test(witness, ended_process_continues_profrun)
{
	witness_watch(witness, 0x3ffffffe);
	cr_expect(is_continued());
}

Test(witness, watch_ends)
{
	witness_watch(witness, 0);
	cr_expect_not(is_continued());
}

Test(lasting_witness, does_as_the_other_one)
{
	kill(0, SIGUSR1);
	kill(getpid(), SIGUSR2);
	cr_expect(take(SIGUSR1));
	cr_expect_not(take(SIGUSR1));
	cr_expect_not(take(SIGUSR2));
	witness_watch(witness, getpid());
	cr_expect(is_continued());
}

static size_t read_process(pid_t process, const char *what, char text[256])
{
	char path[64];
	FILE *file;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%d/%s", process, what);
	file = fopen(path, "r");
	cr_assert_not_null(file);
	length = fread(text, 1, 255, file);
	fclose(file);
	text[length] = '\0';
	return length;
}

static bool has_other_name(void)
{
	char ours[256], text[256];

	read_process(pid, "cmdline", text);
	return read_process(getpid(), "cmdline", ours) > 0 && strcmp(text, ours) != 0;
}

Test(lasting_witness, cannot_be_mistaken_for_profrun)
{
	char ours[256], text[256];

	read_process(getpid(), "comm", ours);
	for (int i = 0; i < 1000 && !has_other_name(); i++)
		usleep(1000);
	cr_expect(has_other_name());
	read_process(pid, "comm", text);
	cr_expect_str_eq(text, "group-witness\n");
	cr_expect_str_neq(text, ours);
}
