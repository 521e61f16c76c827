/* SPDX-License-Identifier: MIT */
/* Files of /proc that are read again and again, by a descriptor each. */

#include "cli/ticks/signal_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/task_status.h"
#include "cli/grow.h"

#define SWEEP_INTERVAL UINT64_C(20000000) /* nanoseconds, for each 16 threads */
#define SWEEP_THREADS  16

#define QUIET_AFTER 16 /* looks */
#define QUIET_MOST  16 /* threads that are looked at each time, of those that are quiet */
#define OTHERS_MOST 64 /* and of the others */

#define STACK_FIELD 26 /* of /proc/PID/stat, counted from the state on (proc_pid_stat(5): 28) */

struct signal_threads *signal_threads_new(pid_t pid)
{
	struct signal_threads *threads = calloc(1, sizeof(*threads));

	if (threads)
		threads->pid = pid;
	return threads;
}

static void close_files(const struct signal_thread *thread)
{
	if (thread->account_fd >= 0)
		close(thread->account_fd);
	if (thread->stat_fd >= 0)
		close(thread->stat_fd);
}

void signal_threads_free(struct signal_threads *threads)
{
	if (!threads)
		return;
	for (size_t i = 0; i < threads->count; i++)
		close_files(&threads->threads[i]);
	free(threads->threads);
	free(threads);
}

static int open_file(pid_t pid, pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Threads are listed in the same order each time, so the next one is where it was. */
static struct signal_thread *find(struct signal_threads *threads, pid_t tid, size_t *next)
{
	for (size_t i = 0; i < threads->count; i++) {
		size_t at = (*next + i) % threads->count;

		if (threads->threads[at].tid == tid) {
			*next = at + 1;
			return &threads->threads[at];
		}
	}
	return NULL;
}

static int add(struct signal_threads *threads, pid_t tid)
{
	struct signal_thread thread = {.tid = tid, .round = threads->round};

	if (!grow(&threads->threads, threads->count + 1, &threads->room))
		return -ENOMEM;
	thread.account_fd = open_file(threads->pid, tid, "schedstat");
	thread.stat_fd = open_file(threads->pid, tid, "stat");
	if (thread.account_fd < 0 || thread.stat_fd < 0) {
		threads->refused |= errno != ENOENT && errno != ESRCH;
		close_files(&thread);
		return 0;
	}
	threads->threads[threads->count++] = thread;
	return 0;
}

struct sweep {
	struct signal_threads *threads;
	size_t next;
};

static int meet(pid_t tid, void *data)
{
	struct sweep *sweep = data;
	struct signal_thread *thread = find(sweep->threads, tid, &sweep->next);

	if (!thread)
		return add(sweep->threads, tid);
	thread->round = sweep->threads->round;
	return 0;
}

static void forget_ended(struct signal_threads *threads)
{
	size_t kept = 0;

	for (size_t i = 0; i < threads->count; i++) {
		const struct signal_thread *thread = &threads->threads[i];

		/* What it answered last is still to be judged. */
		if (thread->round == threads->round || thread->probe.number)
			threads->threads[kept++] = *thread;
		else
			close_files(thread);
	}
	threads->count = kept;
}

int signal_threads_sweep(struct signal_threads *threads, uint32_t births, uint64_t now)
{
	struct sweep sweep = {.threads = threads};
	int r;

	if (births == threads->births && now < threads->sweep_at)
		return 0;
	threads->births = births;
	threads->round++;
	r = task_each(threads->pid, meet, &sweep);
	forget_ended(threads);
	threads->sweep_at = now + SWEEP_INTERVAL * (1 + threads->count / SWEEP_THREADS);
	return r;
}

static bool parse_account(int fd, struct signal_account *ret_account)
{
	char text[96], *end;
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return false;
	text[length] = '\0';
	ret_account->ran = strtoull(text, &end, 10);
	ret_account->waited = strtoull(end, &end, 10);
	ret_account->turns = strtoull(end, NULL, 10);
	return true;
}

bool signal_account_read(struct signal_thread *thread, struct signal_account *ret_account)
{
	return parse_account(thread->account_fd, ret_account);
}

bool signal_account_read_own(struct signal_account *ret_account)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	return fd >= 0 && parse_account(fd, ret_account);
}

/* The state and where the stack began, 0 if that is nobody's business. */
static bool read_state(const struct signal_thread *thread, char *ret_state, uint64_t *ret_stack)
{
	char text[1024], *at;
	ssize_t length = pread(thread->stat_fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return false;
	text[length] = '\0';
	/* The name may hold anything, parentheses as well. */
	at = strrchr(text, ')');
	if (!at || at[1] != ' ')
		return false;
	at += 2;
	*ret_state = *at;
	for (int field = 0; at && field < STACK_FIELD - 1; field++) {
		at = strchr(at, ' ');
		at += at != NULL;
	}
	*ret_stack = at ? strtoull(at, NULL, 10) : 0;
	return true;
}

/* Whether it runs, in the program that it ran in before. */
static bool runs(struct signal_threads *threads, struct signal_thread *thread)
{
	struct signal_account account;
	uint64_t stack;
	char state;

	if (!signal_account_read(thread, &account))
		return false;
	if (thread->asleep && account.turns == thread->account.turns) {
		thread->quiet++;
		return false;
	}
	thread->account = account;
	if (!read_state(thread, &state, &stack))
		return false;
	thread->asleep = state != 'R';
	thread->quiet = thread->asleep ? thread->quiet + 1 : 0;
	if (threads->stack == 0)
		threads->stack = stack;
	return !thread->asleep && threads->stack == stack;
}

/* One in how many of @count threads is looked at, for @most of them to be. */
static uint32_t choose_one_in(size_t count, size_t most)
{
	return (uint32_t)((count + most - 1) / most);
}

void signal_threads_each_running(struct signal_threads *threads, uint64_t random,
				 void (*function)(struct signal_thread *thread, uint32_t weight,
						  void *data),
				 void *data)
{
	uint32_t quiet = choose_one_in(threads->quiet_count, QUIET_MOST);
	uint32_t others = choose_one_in(threads->count - threads->quiet_count, OTHERS_MOST);

	/* One in each so many, so that no number of them is looked at more than the others. */
	quiet = quiet ? quiet : 1;
	others = others ? others : 1;
	threads->quiet_count = 0;
	for (size_t i = 0; i < threads->count; i++) {
		struct signal_thread *thread = &threads->threads[i];
		bool is_quiet = thread->quiet >= QUIET_AFTER;
		uint32_t one_in = is_quiet ? quiet : others;

		threads->quiet_count += is_quiet;
		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (((random >> 32) * one_in) >> 32 == 0 && runs(threads, thread))
			function(thread, one_in, data);
	}
}
