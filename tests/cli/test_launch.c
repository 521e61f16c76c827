/* SPDX-License-Identifier: MIT */
/* What the caller of the launcher gets; what targets see is tested end to end. */

#include "cli/launch/launch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/util.h"

struct seen {
	pid_t pid;
	int started;
	int works;
	int fds[2];
};

static struct seen seen;
static struct launch_result result;
static struct error err;

/* Runs `sh -c script`. */
static int run(const char *script, const struct launch_hooks *hooks)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct launch_target target = {
		.path = "/bin/sh",
		.argv = (char **)argv,
		.environment = environ,
	};

	memset(&result, 0, sizeof(result));
	memset(&err, 0, sizeof(err));
	return launch_run(&target, hooks, &result, &err);
}

static const struct launch_hooks no_hooks = {.work_fd = -1};

TestSuite(launch, .timeout = 30);

Test(launch, result_is_that_of_wait)
{
	cr_assert_eq(run("exit 7", &no_hooks), 0);
	cr_expect(WIFEXITED(result.wait_status));
	cr_expect_eq(WEXITSTATUS(result.wait_status), 7);
	cr_assert_eq(run("kill -TERM $$", &no_hooks), 0);
	cr_expect(WIFSIGNALED(result.wait_status));
	cr_expect_eq(WTERMSIG(result.wait_status), SIGTERM);
}

Test(launch, times_are_the_targets)
{
	cr_assert_eq(run("sleep 0.2", &no_hooks), 0);
	cr_expect_geq(result.elapsed_seconds, 0.2);
	cr_expect_lt(result.elapsed_seconds, 10);
	cr_expect_lt(result.usage.ru_utime.tv_sec, 1);
	cr_expect_gt(result.usage.ru_maxrss, 0);
}

static int refuse(const char *path, const char *text)
{
	const char *argv[] = {path, NULL};
	struct launch_target target = {.path = path, .argv = (char **)argv, .environment = environ};
	int code = launch_run(&target, &no_hooks, &result, &err);

	cr_expect(strstr(err.text, text), "%s", err.text);
	cr_expect_eq(err.code, code);
	return code;
}

Test(launch, what_cannot_be_executed_is_an_error)
{
	char script[] = "/tmp/launch-XXXXXX";
	AUTO_CLOSE int fd = mkstemp(script);

	cr_expect_eq(refuse("/no/such/program", "cannot run '/no/such/program'"), -ENOENT);
	cr_expect_eq(refuse("/etc/passwd", "Permission denied"), -EACCES);
	cr_expect_eq(refuse("/tmp", "cannot run '/tmp'"), -EACCES);
	cr_assert_eq(fchmod(fd, 0755), 0);
	cr_assert_eq(dprintf(fd, "#!/no/such/interpreter\n"), 23);
	close(fd);
	cr_expect_eq(refuse(script, "interpreter"), -ENOENT);
	fd = open(script, O_WRONLY | O_TRUNC);
	cr_assert_eq(dprintf(fd, "\177ELF\n"), 5);
	close(fd);
	fd = -1;
	cr_expect_eq(refuse(script, "Exec format error"), -ENOEXEC);
	unlink(script);
}

static int be_nice(void *data)
{
	(void)data;
	errno = 0;
	return nice(1) < 0 && errno ? -errno : 0;
}

Test(launch, child_hook_runs_in_the_child)
{
	struct launch_hooks hooks = {.child = be_nice, .work_fd = -1};
	int before = nice(0);

	/* It cannot be nicer than 19. */
	cr_assert_eq(run("exit $(($(nice) + 20))", &hooks), 0);
	cr_expect_eq(WEXITSTATUS(result.wait_status), (before < 19 ? before + 1 : 19) + 20);
	cr_expect_eq(nice(0), before);
}

static int fail(void *data)
{
	(void)data;
	return -EDQUOT;
}

Test(launch, child_hook_that_fails_prevents_the_run)
{
	struct launch_hooks hooks = {.child = fail, .work_fd = -1};

	cr_expect_eq(run("kill -KILL $PPID", &hooks), -EDQUOT);
	cr_expect(strstr(err.text, "cannot prepare '/bin/sh'"), "%s", err.text);
}

static void note_start(void *data, pid_t pid)
{
	char path[64], link[8];
	struct seen *noted = data;

	noted->pid = pid;
	noted->started++;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	/* Not the target yet: still this test. */
	cr_expect_neq(readlink(path, link, sizeof(link)), (ssize_t)strlen("/bin/sh"));
	setenv("STARTED", "too late for the target", 1);
}

Test(launch, start_is_told_before_the_target_runs)
{
	struct launch_hooks hooks = {.data = &seen, .started = note_start, .work_fd = -1};

	cr_assert_eq(run("[ -z \"$STARTED\" ] && exit 3", &hooks), 0);
	cr_expect_eq(WEXITSTATUS(result.wait_status), 3);
	cr_expect_eq(seen.started, 1);
	cr_expect_eq(kill(seen.pid, 0), -1);
}

static int count_work(void *data)
{
	((struct seen *)data)->works++;
	return 20;
}

Test(launch, work_is_done_as_often_as_it_wants)
{
	struct launch_hooks hooks = {.data = &seen, .work = count_work, .work_fd = -1};

	cr_assert_eq(run("sleep 0.3", &hooks), 0);
	cr_expect_geq(seen.works, 3);
	cr_expect_leq(seen.works, 17 + (int)(result.elapsed_seconds * 50));
}

static int read_work(void *data)
{
	struct seen *noted = data;
	char byte;

	noted->works += noted->works == 0 || read(noted->fds[0], &byte, 1) == 1;
	return -1;
}

Test(launch, work_is_done_when_its_descriptor_is_readable)
{
	struct launch_hooks hooks = {.data = &seen, .work = read_work};
	char script[128];

	cr_assert_eq(pipe2(seen.fds, O_NONBLOCK), 0);
	hooks.work_fd = seen.fds[0];
	snprintf(script, sizeof(script),
		 "for i in 1 2 3; do printf x >/proc/self/fd/%d; sleep 0.1; done; exit 0",
		 seen.fds[1]);
	cr_assert_eq(run(script, &hooks), 0);
	cr_expect_eq(seen.works, 4, "%d", seen.works);
}

Test(launch, broken_descriptor_does_not_keep_it_busy)
{
	struct launch_hooks hooks = {.data = &seen, .work = read_work};

	cr_assert_eq(pipe2(seen.fds, O_CLOEXEC), 0);
	close(seen.fds[1]);
	hooks.work_fd = seen.fds[0];
	cr_assert_eq(run("sleep 0.2", &hooks), 0);
	cr_expect_leq(seen.works, 2);
}

Test(launch, signal_state_is_as_before)
{
	sigset_t before, after;
	struct sigaction child;

	signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_BLOCK, NULL, &before);
	cr_assert_eq(run("exit 7", &no_hooks), 0);
	cr_expect_eq(WEXITSTATUS(result.wait_status), 7);
	sigprocmask(SIG_BLOCK, NULL, &after);
	cr_expect_arr_eq(&before, &after, 8);
	sigaction(SIGCHLD, NULL, &child);
	cr_expect(child.sa_handler == SIG_IGN);
}

Test(launch, nothing_stays_open)
{
	cr_assert_eq(run("exit 0", &no_hooks), 0);
	int fd = dup(0), again;

	close(fd);
	cr_assert_eq(run("exit 0", &no_hooks), 0);
	cr_expect_lt(refuse("/no/such/program", ""), 0);
	again = dup(0);
	cr_expect_eq(fd, again);
	cr_expect_eq(waitpid(-1, NULL, __WALL | WNOHANG), -1);
}
