/* SPDX-License-Identifier: MIT */
/* A thread that was looked at goes on as if nothing had been. */

#include "cli/ticks/ptrace_look.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect/task_status.h"
#include "symbolize/util.h"
#include "tests/support/spawn.h"

#define LOOKS 50

static pid_t child;

static void pause_ms(long milliseconds)
{
	const struct timespec time = {.tv_nsec = milliseconds * 1000000};

	nanosleep(&time, NULL);
}

static void start(const char *script)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};

	cr_assert_eq(spawn_start(argv, NULL, &child), 0);
}

static int end(void)
{
	int status = 0;

	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return status;
}

/* Looks, as often as that takes on a busy machine. */
static enum ptrace_result look(struct ptrace_place *place)
{
	enum ptrace_result result = ptrace_look(child, true, place);

	for (int i = 0; i < 1000 && result == PTRACE_PENDING; i++) {
		pause_ms(1);
		result = ptrace_look_again(child, true, place);
	}
	return result;
}

static int read_tracer(void)
{
	char path[64], line[256];
	int tracer = -1;
	AUTO_FILE FILE *file = NULL;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)child);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "TracerPid: %d", &tracer);
	return tracer;
}

Test(ptrace_look, a_running_thread_is_somewhere_and_goes_on)
{
	struct ptrace_place place = {.pc = 0};
	uint64_t ran = 0, waited, before = 0;

	start("while :; do :; done");
	for (int i = 0; i < LOOKS; i++) {
		cr_assert_eq(look(&place), PTRACE_SEEN);
		cr_assert_neq(place.pc, 0);
	}
	cr_assert_eq(read_tracer(), 0, "nobody traces it any more");
	cr_assert(task_clock_read(child, child, &before, &waited));
	for (int i = 0; i < 1000 && ran <= before; i++) {
		pause_ms(5);
		cr_assert(task_clock_read(child, child, &ran, &waited));
	}
	cr_assert_gt(ran, before, "it runs on");
	cr_assert_eq(WTERMSIG(end()), SIGKILL);
}

Test(ptrace_look, the_end_of_a_child_stays_the_news_of_its_parent)
{
	struct ptrace_place place;
	siginfo_t news;
	int status;

	start("exit 7");
	waitid(P_PID, (id_t)child, &news, WEXITED | WNOWAIT);
	cr_assert_neq(look(&place), PTRACE_SEEN);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(WEXITSTATUS(status), 7);
	cr_assert_eq(ptrace_look(child, true, &place), PTRACE_GONE);
}

Test(ptrace_look, a_stopped_process_stays_stopped)
{
	struct task_status state = {.state = 0};
	struct ptrace_place place;
	int status;

	start("while :; do :; done");
	kill(child, SIGSTOP);
	cr_assert_eq(waitpid(child, &status, WUNTRACED), child);
	cr_assert_eq(look(&place), PTRACE_SEEN);
	for (int i = 0; i < 1000 && state.state != 'T'; i++) {
		pause_ms(1);
		cr_assert(task_status_read(child, child, &state));
	}
	cr_assert_eq(state.state, 'T');
	end();
}
