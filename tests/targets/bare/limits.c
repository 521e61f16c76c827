/* SPDX-License-Identifier: MIT */
/* Programs under hostile limits, and with fewer rights than they began with. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void limit(int resource, rlim_t value)
{
	struct rlimit limit;

	getrlimit(resource, &limit);
	limit.rlim_cur = value;
	bare_show("setrlimit", setrlimit(resource, &limit));
}

static void hello(void)
{
	bare_burn(5);
	puts("hello");
}

static void no_descriptors(void)
{
	limit(RLIMIT_NOFILE, 3);
	bare_burn(5);
	bare_show("open", open("/dev/null", O_RDONLY));
}

/* The dynamic linker itself needs one. */
static void few_descriptors_for_exec(void)
{
	limit(RLIMIT_NOFILE, 4);
	bare_exec("hello");
}

/* What says so is the dynamic linker, once. */
static void too_few_descriptors_for_exec(void)
{
	fflush(stdout);
	limit(RLIMIT_NOFILE, 3);
	bare_show("system", system("exit 3"));
	bare_exec("hello");
}

static void no_growing_file(void)
{
	int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0644);

	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, 0);
	bare_burn(5);
	bare_show("write", write(fd, "x", 1));
	close(fd);
	limit(RLIMIT_FSIZE, RLIM_INFINITY);
}

static void death_by_a_growing_file(void)
{
	int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0644);

	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 100);
	fflush(NULL);
	bare_burn(5);
	bare_show("write", write(fd, "x", 1));
	bare_show("pwrite", pwrite(fd, "x", 1, 1000));
}

static int burn_and_end(void)
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bare_burn(5);
		_exit(3);
	}
	return pid;
}

static void no_growing_file_for_children(void)
{
	signal(SIGXFSZ, SIG_IGN);
	fflush(stdout);
	limit(RLIMIT_FSIZE, 0);
	bare_show_child("child", burn_and_end());
	limit(RLIMIT_FSIZE, RLIM_INFINITY);
}

static void little_address_space(void)
{
	limit(RLIMIT_AS, 64 << 20);
	bare_burn(5);
	for (size_t size = 256 << 20; size >= 1 << 20; size /= 256) {
		void *volatile memory = malloc(size);

		bare_show("memory", memory ? 0 : -1);
	}
	bare_show_child("child", burn_and_end());
}

static void little_address_space_for_exec(void)
{
	limit(RLIMIT_AS, 64 << 20);
	bare_exec("hello");
}

static void *burn(void *unused)
{
	bare_burn(5);
	return unused;
}

static void no_pending_signals(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	pthread_t threads[4];
	timer_t timer;

	limit(RLIMIT_SIGPENDING, 0);
	bare_show("timer", timer_create(CLOCK_MONOTONIC, &event, &timer));
	for (int i = 0; i < 4; i++)
		printf("create: %d\n", pthread_create(&threads[i], NULL, burn, NULL));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void no_pending_signals_for_exec(void)
{
	limit(RLIMIT_SIGPENDING, 0);
	bare_exec("hello");
}

static int recurse(int depth)
{
	volatile char frame[4096];

	frame[0] = (char)depth;
	return depth > 0 ? recurse(depth - 1) + frame[0] : frame[0];
}

static void small_stack(void)
{
	limit(RLIMIT_STACK, 128 << 10);
	bare_exec("deep recursion that fits");
}

static void deep_recursion_that_fits(void)
{
	bare_burn(5);
	bare_show("fits", recurse(12) != 0);
	bare_burn(5);
}

static void death_by_recursion(void)
{
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_STACK, 256 << 10);
	fflush(stdout);
	recurse(100000);
}

static void no_core(void)
{
	limit(RLIMIT_CORE, 0);
	fflush(stdout);
	abort();
}

static void core(void)
{
	limit(RLIMIT_CORE, RLIM_INFINITY);
	fflush(stdout);
	abort();
}

static void nothing_to_dump(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	bare_burn(5);
	abort();
}

static void nice_(void)
{
	bare_show("nice", nice(5));
	bare_show_child("child", burn_and_end());
	bare_exec("hello");
}

static void one_cpu(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = CPU_SETSIZE - 1, seen = CPU_COUNT(&set); cpu >= 0 && seen > 1; cpu--) {
		seen -= CPU_ISSET(cpu, &set) != 0;
		CPU_CLR(cpu, &set);
	}
	bare_show("affinity", sched_setaffinity(0, sizeof(set), &set));
	bare_show_child("child", burn_and_end());
	bare_burn(5);
}

static void locked_memory(void)
{
	printf("mlockall: %d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
	bare_burn(5);
	bare_show_child("child", burn_and_end());
	bare_show("munlockall", munlockall());
}

static void another_user(void)
{
	bare_show("root", getuid() == 0);
	if (getuid() == 0) {
		bare_show("setgroups", setgroups(0, NULL));
		bare_show("setgid", setresgid(65534, 65534, 65534));
		bare_show("setuid", setresuid(65534, 65534, 65534));
	}
	bare_burn(5);
	bare_show_child("child", burn_and_end());
	bare_show("back", setuid(0));
}

static void another_root(void)
{
	int pid;

	mkdir("root", 0755);
	bare_show("chroot", chroot("root"));
	bare_show("chdir", chdir("/"));
	bare_burn(5);
	bare_show_child("child", burn_and_end());
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", (char *)NULL);
		_exit(errno == ENOENT ? 4 : 5);
	}
	bare_show_child("exec", pid);
}

static void no_folder(void)
{
	char name[] = "gone-XXXXXX", path[sizeof(name) + 3];

	bare_show("made", mkdtemp(name) != NULL);
	bare_show("chdir", chdir(name));
	snprintf(path, sizeof(path), "../%s", name);
	bare_show("rmdir", rmdir(path));
	bare_burn(5);
	bare_exec("hello");
}

static void strict_seccomp(void)
{
	fflush(stdout);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (volatile int i = 0; i < 30000000; i++)
		;
	syscall(SYS_write, 1, "still here\n", 11);
	syscall(SYS_exit, 5);
}

static void strict_seccomp_that_kills(void)
{
	limit(RLIMIT_CORE, 0);
	fflush(stdout);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	syscall(SYS_getpid);
}

static long by_prctl(const struct sock_fprog *program)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program);
}

/* As libseccomp does. */
static long by_system_call(const struct sock_fprog *program)
{
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
}

/* Kills whoever makes one of @count forbidden calls from now on. */
static void forbid(const int *forbidden, size_t count, long (*set)(const struct sock_fprog *))
{
	struct sock_filter filter[32] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog program = {.len = (unsigned short)(2 * count + 2), .filter = filter};

	for (size_t i = 0; i < count; i++) {
		filter[1 + 2 * i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								 (unsigned)forbidden[i], 0, 1);
		filter[2 + 2 * i] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	}
	filter[2 * count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	fflush(stdout);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (set(&program) < 0)
		_exit(9);
}

static void seccomp_filter(void)
{
	static const int forbidden[] = {SYS_timer_create, SYS_mmap,   SYS_openat,
					SYS_rt_sigaction, SYS_tgkill, SYS_gettid};

	forbid(forbidden, sizeof(forbidden) / sizeof(forbidden[0]), by_prctl);
	bare_burn(30);
	_exit(write(1, "still here\n", 11) == 11 ? 6 : 7);
}

/* It does not know that a handler returns by a call, and it needs none. */
static void filter_without_handlers(void)
{
	static const int forbidden[] = {SYS_rt_sigreturn};

	bare_burn(5);
	forbid(forbidden, 1, by_prctl);
	bare_burn(100);
	_exit(write(1, "still here\n", 11) == 11 ? 6 : 7);
}

/* What asks whether there may be one, first, does not set it. */
static void filter_by_a_system_call(void)
{
	static const int forbidden[] = {SYS_rt_sigreturn};

	bare_show("may be",
		  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL));
	bare_show("none", syscall(SYS_prctl, PR_GET_SECCOMP));
	bare_burn(5);
	forbid(forbidden, 1, by_system_call);
	bare_burn(100);
	_exit(write(1, "still here\n", 11) == 11 ? 6 : 7);
}

static volatile char dispatches = SYSCALL_DISPATCH_FILTER_ALLOW;
static volatile int dispatched;

static void dispatch(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	dispatches = SYSCALL_DISPATCH_FILTER_ALLOW;
	dispatched = info->si_syscall;
}

/* As emulators of other systems do with the calls of what they emulate. */
static void dispatched_calls(void)
{
	const struct sigaction action = {.sa_sigaction = dispatch, .sa_flags = SA_SIGINFO};

	sigaction(SIGSYS, &action, NULL);
	bare_show("dispatch",
		  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &dispatches));
	dispatches = SYSCALL_DISPATCH_FILTER_BLOCK;
	for (volatile int i = 0; i < 100000000; i++)
		;
	syscall(SYS_getppid);
	bare_show("getppid", dispatched == SYS_getppid);
}

static void *wait_and_burn(void *barrier)
{
	pthread_barrier_wait(barrier);
	bare_burn(30);
	return NULL;
}

/* Only what the C library needs itself is allowed. */
static void behind_a_filter(void)
{
	static const int forbidden[] = {SYS_timer_create, SYS_timer_settime, SYS_timer_delete,
					SYS_openat,	  SYS_tgkill,	     SYS_mremap};
	pthread_barrier_t barrier;
	pthread_t before, behind;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&before, NULL, wait_and_burn, &barrier);
	forbid(forbidden, sizeof(forbidden) / sizeof(forbidden[0]), by_prctl);
	pthread_create(&behind, NULL, wait_and_burn, &barrier);
	bare_show("thread from before", pthread_join(before, NULL));
	bare_show("thread from behind", pthread_join(behind, NULL));
	for (int i = 0; i < 3; i++)
		bare_show_child("child", burn_and_end());
	fflush(stdout);
	_exit(6);
}

/* Where there may be none, as behind a chroot(2), the child has a pid like any other. */
static void new_namespace(void)
{
	int r = unshare(CLONE_NEWUSER | CLONE_NEWPID), pid;

	printf("unshare: %d\n", r);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bare_burn(5);
		printf("pid %d\n", r == 0 ? (int)getpid() : 0);
		fflush(stdout);
		_exit(3);
	}
	bare_show_child("child", pid);
	_exit(4);
}

static const struct bare_case cases[] = {
	{"hello", hello},
	{"no descriptors", no_descriptors},
	{"few descriptors for exec", few_descriptors_for_exec},
	{"too few descriptors for exec", too_few_descriptors_for_exec},
	{"no growing file", no_growing_file},
	{"death by a growing file", death_by_a_growing_file},
	{"no growing file for children", no_growing_file_for_children},
	{"little address space", little_address_space},
	{"little address space for exec", little_address_space_for_exec},
	{"no pending signals", no_pending_signals},
	{"no pending signals for exec", no_pending_signals_for_exec},
	{"small stack", small_stack},
	{"deep recursion that fits", deep_recursion_that_fits},
	{"death by recursion", death_by_recursion},
	{"no core", no_core},
	{"core", core},
	{"nothing to dump", nothing_to_dump},
	{"nice", nice_},
	{"one CPU", one_cpu},
	{"locked memory", locked_memory},
	{"another user", another_user},
	{"another root", another_root},
	{"no folder", no_folder},
	{"strict seccomp", strict_seccomp},
	{"strict seccomp that kills", strict_seccomp_that_kills},
	{"seccomp filter", seccomp_filter},
	{"filter without handlers", filter_without_handlers},
	{"filter by a system call", filter_by_a_system_call},
	{"dispatched calls", dispatched_calls},
	{"forks and threads behind a filter", behind_a_filter},
	{"new namespace", new_namespace},
};

BARE_MAIN(cases)
