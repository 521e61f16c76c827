/* SPDX-License-Identifier: MIT */
/* Both are tried, not looked up: what a clock source can do is for the kernel to decide. */

#include "cli/ticks/signal_permit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/ticks/signal_threads.h"
#include "symbolize/util.h"

/* In a child, which the system call would end. (Strict seccomp takes rdtsc away as well.) */
static void ask_clock(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {.len = ARRAY_SIZE(steps), .filter = steps};
	struct timespec now;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
		_exit(1);
	clock_gettime(CLOCK_MONOTONIC, &now);
	_exit(0);
}

static bool clock_needs_kernel(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		ask_clock();
	return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

int signal_permitted(struct error *err)
{
	struct signal_account own;

	if (!signal_account_read_own(&own) || own.turns == 0)
		return error_set(err, -ENOSYS,
				 "the kernel does not tell how threads are scheduled "
				 "(/proc/PID/schedstat)");
	if (clock_needs_kernel())
		return error_set(err, -ENOSYS, "the clock needs system calls on this machine");
	return 0;
}
