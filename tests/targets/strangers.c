/* SPDX-License-Identifier: MIT */
/*
 * Threads and a process that no wrapper of pthread_create(3) or fork(2) sees. The argument says
 * how they are made: "clone" and "clone3" (threads), "namespace" (by the pthread_create() of a
 * second C library), "_Fork" (a child), "filtered" (as "clone", but no system calls are allowed
 * that a timer needs), "blocked" (as "clone", with all signals blocked), "vfork" (a child in its
 * parent's memory) or "executed" (a child that executes this program without its environment and
 * exits with the number of signals that it got).
 */

#include "tests/targets/truth.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK (256 * 1024)

/* <linux/sched.h> does not go with <sched.h>. */
struct clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

#define FLAGS                                                                               \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
	 CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID)

TRUTH_BURN(in_known, 3)
TRUTH_BURN(in_stranger, 5)

static struct truth_part parts[] = {
	{.name = "in_known", .burn = in_known, .share = 1},
	{.name = "in_stranger", .burn = in_stranger, .share = 1},
};
static struct truth accounts[2];
static _Atomic pid_t running = 1;

static void work(size_t index, double seconds)
{
	truth_init(&accounts[index], &parts[index], 1, index);
	truth_rounds(&accounts[index], seconds, 10);
}

/* A raw thread has its creator's thread-local storage: who made it must do without meanwhile. */
static void wait_for_raw(void)
{
	pid_t tid;

	while ((tid = running))
		syscall(SYS_futex, &running, FUTEX_WAIT, tid, NULL, NULL, 0);
}

static int stranger(void *unused)
{
	(void)unused;
	work(1, 2);
	return 0;
}

static void *stranger_of_namespace(void *unused)
{
	stranger(unused);
	return NULL;
}

static char *make_stack(void)
{
	return mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int by_clone(void)
{
	if (clone(stranger, make_stack() + STACK, FLAGS, NULL, NULL, NULL, &running) < 0)
		return 1;
	wait_for_raw();
	return 0;
}

#if defined(__x86_64__)
/* The child starts on an empty stack, so that nothing after the system call may return. */
static int by_clone3(void)
{
	struct clone_args args = {
		.flags = FLAGS,
		.child_tid = (uintptr_t)&running,
		.stack = (uintptr_t)make_stack(),
		.stack_size = STACK,
	};
	long r;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%edi, %%edi\n\t"
			 "call *%[work]\n\t"
			 "mov %[exit], %%eax\n\t"
			 "xor %%edi, %%edi\n\t"
			 "syscall\n"
			 "1:"
			 : "=a"(r)
			 : "0"((long)SYS_clone3), "D"(&args),
			   "S"(sizeof(args)), [work] "r"(stranger), [exit] "i"(SYS_exit)
			 : "rcx", "r11", "memory");
	if (r < 0)
		return 77;
	wait_for_raw();
	return 0;
}
#else
static int by_clone3(void)
{
	return 77;
}
#endif

static int by_namespace(void)
{
	void *library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	int (*create)(unsigned long *, const void *, void *(*)(void *), void *);
	int (*join)(unsigned long, void **);
	unsigned long thread;

	if (!library)
		return 77;
	*(void **)&create = dlsym(library, "pthread_create");
	*(void **)&join = dlsym(library, "pthread_join");
	if (!create || !join || create(&thread, NULL, stranger_of_namespace, NULL) != 0)
		return 77;
	join(thread, NULL);
	return 0;
}

static int by_fork(void)
{
	pid_t child = _Fork();

	if (child == 0) {
		work(1, 2);
		truth_write(&accounts[1], 1);
		_exit(0);
	}
	accounts[1].count = 0; /* the child tells */
	waitpid(child, NULL, 0);
	return 0;
}

/* timer_create(2) would end the process. */
static int by_filtered(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 77;
	return by_clone();
}

/* By the system call, which nobody wraps. */
static int by_blocked(void)
{
	const uint64_t all = ~UINT64_C(0), none = 0;
	int r;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	r = by_clone();
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof(none));
	return r;
}

static int by_vfork(void)
{
	pid_t child = vfork();
	int status = 1;

	if (child == 0) {
		in_stranger((uint64_t)(500 * truth_turns_per_ms()));
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static volatile sig_atomic_t caught;

static void count(int signal)
{
	(void)signal;
	caught++;
}

/* As runtimes do that take every signal for their own. */
static int catch_all(void)
{
	struct sigaction action = {.sa_handler = count};

	for (int i = 1; i <= SIGRTMAX; i++)
		sigaction(i, &action, NULL);
	in_stranger((uint64_t)(500 * truth_turns_per_ms()));
	return caught;
}

static int by_executed(void)
{
	static char name[] = "strangers", word[] = "catch";
	char *arguments[] = {name, word, NULL}, *nothing[] = {NULL};
	pid_t child = _Fork();
	int status = 1;

	if (child == 0) {
		syscall(SYS_execve, "/proc/self/exe", arguments, nothing);
		_exit(1);
	}
	waitpid(child, &status, 0);
	return status ? 1 : 0;
}

static const struct {
	const char *name;
	int (*make)(void);
} ways[] = {
	{"clone", by_clone}, {"clone3", by_clone3},	{"namespace", by_namespace},
	{"_Fork", by_fork},  {"filtered", by_filtered}, {"blocked", by_blocked},
	{"vfork", by_vfork}, {"executed", by_executed},
};

int main(int argc, char **argv)
{
	int r = 1;

	truth_turns_per_ms();
	if (argc > 1 && strcmp(argv[1], "catch") == 0)
		return catch_all();
	work(0, 1);
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name) == 0)
			r = ways[i].make();
	}
	truth_end_thread(&accounts[0]);
	truth_write(accounts, 2);
	return r;
}
