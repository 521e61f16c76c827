/* SPDX-License-Identifier: MIT */
/*
 * A witness shares profrun's memory and descriptors: a copy of memory would be a good part of what
 * a launch costs, and copied descriptors would keep the user's pipes open. Therefore it must not
 * touch libc, whose errno is profrun's. It is asked, and answers, through two futexes.
 *
 * One that shares memory has profrun's arguments, too, and what `pkill -f` sends to everything
 * whose arguments match would look like a signal to the group and never reach the target. So one
 * that lasts has a copy, in which it changes them.
 */

#include "cli/launch/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/launch/raw_syscall.h"

#define WITNESS_NAME  "group-witness"
#define WITNESS_STACK (32 * 1024)

/* How often the state of a watched process is looked at. */
#define WATCH_NANOSECONDS (20 * 1000 * 1000)
/* When an answer takes longer, see what became of the witness. */
#define ANSWER_NANOSECONDS (20 * 1000 * 1000)

struct witness {
	pid_t pid; /* -1: found dead; the witness does not look at it */
	pid_t profrun;
	bool lasting;
	_Atomic uint32_t asked; /* counts questions */
	_Atomic uint32_t answered;
	_Atomic pid_t watched;
	int signal;	  /* the question: this one? 0: none */
	int taken;	  /* the answer: 1 or 0 */
	pid_t sender;	  /* of what was taken */
	uint64_t pending; /* what is left */
};

static void futex_wake(_Atomic uint32_t *word)
{
	raw_syscall(SYS_futex, (long)word, FUTEX_WAKE, 1, 0);
}

/* False when the time was over (0: there is no end) before *word was another than @value. */
static bool futex_wait(_Atomic uint32_t *word, uint32_t value, long nanoseconds)
{
	struct timespec time = {.tv_nsec = nanoseconds};

	return raw_syscall(SYS_futex, (long)word, FUTEX_WAIT, value,
			   nanoseconds ? (long)&time : 0) != -ETIMEDOUT;
}

/* Writes "/proc/PID/stat". */
static void write_path(char path[32], pid_t pid)
{
	static const char head[] = "/proc/", tail[] = "/stat";
	char digits[12];
	size_t count = 0, length = 0;

	for (; pid > 0 && count < sizeof(digits); pid /= 10)
		digits[count++] = (char)('0' + pid % 10);
	for (size_t i = 0; i < sizeof(head) - 1; i++)
		path[length++] = head[i];
	while (count > 0)
		path[length++] = digits[--count];
	for (size_t i = 0; i < sizeof(tail); i++)
		path[length++] = tail[i];
}

/* What stands in /proc/PID/stat behind the command, which may hold anything: "S 1 2 3 ...". */
static const char *read_stat(pid_t pid, char *text, size_t size)
{
	char path[32];
	long fd, length;

	write_path(path, pid);
	fd = raw_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return NULL;
	length = raw_syscall(SYS_read, fd, (long)text, (long)size - 1, 0);
	raw_syscall(SYS_close, fd, 0, 0, 0);
	if (length < 3)
		return NULL;
	text[length] = '\0';
	for (long i = length - 3; i > 0; i--)
		if (text[i] == ')')
			return text + i + 2;
	return NULL;
}

static bool is_stopped(pid_t pid)
{
	char text[256];
	const char *stat = read_stat(pid, text, sizeof(text));

	return stat && (*stat == 'T' || *stat == 't');
}

static uintptr_t read_number(const char *text)
{
	uintptr_t number = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uintptr_t)(*text - '0');
	return number;
}

/* Fields 48 and 49 of proc(5) are where the arguments begin and end. */
static bool find_arguments(pid_t pid, char **ret_start, char **ret_end)
{
	char text[1024];
	const char *field = read_stat(pid, text, sizeof(text)), *end;

	for (int number = 3; field && number < 48; number++) {
		field = strchr(field, ' ');
		field = field ? field + 1 : NULL;
	}
	end = field ? strchr(field, ' ') : NULL;
	if (!end)
		return false;
	*ret_start = (char *)read_number(field);
	*ret_end = (char *)read_number(end + 1);
	return *ret_start && *ret_start < *ret_end;
}

/* Only where memory is not shared. */
static void change_arguments(void)
{
	pid_t self = (pid_t)raw_syscall(SYS_getpid, 0, 0, 0, 0);
	char *start, *end;

	if (!find_arguments(self, &start, &end))
		return;
	memset(start, 0, (size_t)(end - start));
	for (const char *name = WITNESS_NAME; *name && start < end - 1; name++)
		*start++ = *name;
}

static void answer(struct witness *witness)
{
	static const struct timespec now;
	uint64_t set = witness->signal ? WITNESS_BIT(witness->signal) : 0;
	siginfo_t info;

	witness->taken = set && raw_syscall(SYS_rt_sigtimedwait, (long)&set, (long)&info,
					    (long)&now, sizeof(set)) > 0;
	if (witness->taken)
		witness->sender = info.si_pid;
	raw_syscall(SYS_rt_sigpending, (long)&witness->pending, sizeof(witness->pending), 0, 0);
}

static void watch(struct witness *witness)
{
	if (is_stopped(witness->watched))
		return;
	witness->watched = 0;
	raw_syscall(SYS_kill, witness->profrun, SIGCONT, 0, 0);
}

/* Answers the question, if there is one; else waits for one and watches. */
static void serve(struct witness *witness)
{
	uint32_t asked = witness->asked;

	if (asked != witness->answered) {
		answer(witness);
		witness->answered = asked;
		futex_wake(&witness->answered);
	} else if (!futex_wait(&witness->asked, asked, witness->watched ? WATCH_NANOSECONDS : 0)) {
		watch(witness);
	}
}

static int be_witness(void *data)
{
	struct witness *witness = data;

	raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	raw_syscall(SYS_prctl, PR_SET_NAME, (long)WITNESS_NAME, 0, 0);
	if (witness->lasting)
		change_arguments();
	while (raw_syscall(SYS_getppid, 0, 0, 0, 0) == witness->profrun)
		serve(witness);
	return 0;
}

/* No exit signal: its end is no SIGCHLD, and wait(-1) does not find it. */
static pid_t start_process(struct witness *witness)
{
	char *stack = (char *)(witness + 1) + WITNESS_STACK;
	int memory = witness->lasting ? 0 : CLONE_VM;

	stack -= (uintptr_t)stack % 16;
	return clone(be_witness, stack, memory | CLONE_FS | CLONE_FILES, witness);
}

int witness_start(bool lasting, struct witness **ret_witness)
{
	struct witness *witness;
	sigset_t all, before;
	pid_t pid;
	int code;

	witness = mmap(NULL, sizeof(*witness) + WITNESS_STACK, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (witness == MAP_FAILED)
		return -errno;
	witness->profrun = getpid();
	witness->lasting = lasting;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = start_process(witness);
	code = -errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0) {
		munmap(witness, sizeof(*witness) + WITNESS_STACK);
		return code;
	}
	witness->pid = pid;
	*ret_witness = witness;
	return 0;
}

void witness_stop(struct witness *witness)
{
	if (!witness)
		return;
	if (witness->pid > 0) {
		kill(witness->pid, SIGKILL);
		waitpid(witness->pid, NULL, __WALL);
	}
	munmap(witness, sizeof(*witness) + WITNESS_STACK);
}

pid_t witness_pid(const struct witness *witness)
{
	return witness->pid;
}

static bool is_dead(struct witness *witness)
{
	if (witness->pid > 0 && waitpid(witness->pid, NULL, __WALL | WNOHANG) == 0)
		return false;
	witness->pid = -1;
	return true;
}

static void ask(struct witness *witness, int signal)
{
	witness->signal = signal;
	witness->asked++;
	futex_wake(&witness->asked);
}

/* Waits for the answer; -EAGAIN: the witness is stopped and cannot give one. */
static int await(struct witness *witness)
{
	uint32_t asked = witness->asked, answered;

	while ((answered = witness->answered) != asked) {
		if (futex_wait(&witness->answered, answered, ANSWER_NANOSECONDS))
			continue;
		if (is_dead(witness))
			return -ESRCH;
		if (is_stopped(witness->pid))
			return -EAGAIN;
	}
	return 0;
}

/*
 * A SIGSTOP to the group stopped the witness too, and no SIGCONT came to the group since. It is
 * continued here, and the SIGCONT that this takes is not one to be asked about.
 */
static int await_continued(struct witness *witness)
{
	int code, taken;
	pid_t sender;

	/* Never a process group, let alone everybody. */
	if (witness->pid <= 0)
		return -ESRCH;
	kill(witness->pid, SIGCONT);
	code = await(witness);
	if (code < 0)
		return code;
	taken = witness->signal == SIGCONT ? 0 : witness->taken;
	sender = witness->sender;
	ask(witness, SIGCONT);
	code = await(witness);
	witness->taken = taken;
	witness->sender = sender;
	return code;
}

static int ask_and_await(struct witness *witness, int signal)
{
	int code;

	if (is_dead(witness))
		return -ESRCH;
	ask(witness, signal);
	code = await(witness);
	if (code == -EAGAIN)
		code = await_continued(witness);
	return code;
}

int witness_take(struct witness *witness, int signal, pid_t *ret_sender)
{
	int code = ask_and_await(witness, signal);

	if (code < 0)
		return code;
	if (witness->taken)
		*ret_sender = witness->sender;
	return witness->taken;
}

int witness_pending(struct witness *witness, uint64_t *ret_signals)
{
	int code = ask_and_await(witness, 0);

	if (code == 0)
		*ret_signals = witness->pending;
	return code;
}

bool witness_is_stopped(struct witness *witness)
{
	if (is_dead(witness))
		return false;
	ask(witness, 0);
	return await(witness) == -EAGAIN;
}

void witness_watch(struct witness *witness, pid_t pid)
{
	if (is_dead(witness))
		return;
	witness->watched = pid;
	/* A question about nothing: when it has answered, the witness looks at .watched. */
	if (pid > 0) {
		ask(witness, 0);
		await(witness);
	}
}
