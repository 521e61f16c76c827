/* SPDX-License-Identifier: MIT */
/*
 * The witness shares profrun's memory and descriptors (a copy of either would cost more than the
 * rest of a launch, and copied descriptors would keep the user's pipes open), but not its signals.
 * Therefore it must not touch libc: errno is profrun's. It is asked, and answers, through two
 * futexes.
 */

#include "cli/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/raw_syscall.h"

#define WITNESS_MEMORY (64 * 1024)

/* How often the state of a watched process is looked at. */
#define WATCH_NANOSECONDS (20 * 1000 * 1000)
/* When an answer takes longer, see what became of the witness. */
#define ANSWER_NANOSECONDS (20 * 1000 * 1000)

struct witness {
	pid_t pid;
	pid_t profrun;
	_Atomic uint32_t asked; /* counts questions */
	_Atomic uint32_t answered;
	_Atomic pid_t watched;
	int signal;	       /* the question: this one? 0: none */
	int taken;	       /* the answer: 1 or 0 */
	pid_t sender;	       /* of what was taken */
	uint64_t pending;      /* what is left */
	char watched_stat[32]; /* path of the watched process' stat file */
};

static void futex_wake(_Atomic uint32_t *word)
{
	raw_syscall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1, 0);
}

/* Returns 0 at once when *word is not @value, and a negative errno after the time is over. */
static long futex_wait(_Atomic uint32_t *word, uint32_t value, long nanoseconds)
{
	struct timespec time = {.tv_nsec = nanoseconds};

	return raw_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value,
			   nanoseconds ? (long)&time : 0);
}

/* Writes "/proc/PID/stat" into a buffer of 32 bytes. */
static void stat_path(char *path, pid_t pid)
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

/* The letter of the process' state, '?' when it cannot be read. */
static char process_state(const char *path)
{
	char text[128]; /* "PID (COMMAND) S ...": the command has 15 bytes at most, or 64 */
	long fd, length;

	fd = raw_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return '?';
	length = raw_syscall(SYS_read, fd, (long)text, sizeof(text), 0);
	raw_syscall(SYS_close, fd, 0, 0, 0);
	for (long i = length - 3; i >= 0; i--)
		if (text[i] == ')')
			return text[i + 2];
	return '?';
}

static bool is_stopped(const char *path)
{
	char state = process_state(path);

	return state == 'T' || state == 't';
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
	if (is_stopped(witness->watched_stat))
		return;
	atomic_store(&witness->watched, 0);
	raw_syscall(SYS_kill, witness->profrun, SIGCONT, 0, 0);
}

static int witness_main(void *data)
{
	static const uint64_t all = ~UINT64_C(0);
	struct witness *witness = data;
	uint32_t seen = 0, asked;

	raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof(all));
	raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	if (raw_syscall(SYS_getppid, 0, 0, 0, 0) != witness->profrun)
		return 0;
	for (;;) {
		asked = atomic_load(&witness->asked);
		if (asked != seen) {
			answer(witness);
			seen = asked;
			atomic_store(&witness->answered, asked);
			futex_wake(&witness->answered);
			continue;
		}
		if (atomic_load(&witness->watched)) {
			if (futex_wait(&witness->asked, seen, WATCH_NANOSECONDS) == -ETIMEDOUT)
				watch(witness);
			continue;
		}
		futex_wait(&witness->asked, seen, 0);
	}
}

int witness_start(struct witness **ret_witness)
{
	struct witness *witness;
	sigset_t all, before;
	int code;

	witness = mmap(NULL, WITNESS_MEMORY, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (witness == MAP_FAILED)
		return -errno;
	witness->profrun = getpid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* No exit signal: its end is no SIGCHLD, and wait(-1) does not find it. */
	witness->pid = clone(witness_main, (char *)witness + WITNESS_MEMORY,
			     CLONE_VM | CLONE_FS | CLONE_FILES, witness);
	code = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (witness->pid < 0) {
		munmap(witness, WITNESS_MEMORY);
		return -code;
	}
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
	munmap(witness, WITNESS_MEMORY);
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
	atomic_fetch_add(&witness->asked, 1);
	futex_wake(&witness->asked);
}

/* Waits for the answer; -EAGAIN: the witness is stopped and cannot give one. */
static int await(struct witness *witness)
{
	uint32_t asked = atomic_load(&witness->asked), answered;
	char path[32];

	while ((answered = atomic_load(&witness->answered)) != asked) {
		if (futex_wait(&witness->answered, answered, ANSWER_NANOSECONDS) != -ETIMEDOUT)
			continue;
		if (is_dead(witness))
			return -ESRCH;
		stat_path(path, witness->pid);
		if (is_stopped(path))
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
	if (pid > 0)
		stat_path(witness->watched_stat, pid);
	atomic_store(&witness->watched, pid);
	/* A question about nothing: the witness looks at .watched when it has answered. */
	if (pid > 0) {
		ask(witness, 0);
		await(witness);
	}
}
