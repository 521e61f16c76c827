/* SPDX-License-Identifier: MIT */
/* A stranger is watched for a while before it is asked: most short lives end by themselves. */

#include "cli/collect/summons.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/collect/task_status.h"
#include "cli/grow.h"

/* In clock ticks of 10 ms: what a stranger uses until it is asked, and until it should have heard.
 */
#define ASK_AFTER    2
#define ANSWER_AFTER 10

#define VISITS_PER_FAMILY 4  /* children are looked for less often */
#define PARENTS_MAX	  64 /* threads that are asked for them */

struct stranger {
	pid_t pid, tid;
	int64_t first; /* CPU time when it was met */
	int64_t asked; /* and when it was asked, negative: not yet */
	enum summons_refusal refusal;
	bool seen; /* in this visit */
};

struct summons {
	struct stranger *strangers;
	size_t count, room;
	unsigned visits;
};

/* What is passed through /proc. */
struct visit {
	struct image *image;
	struct summons *summons;
	uint64_t nonce;
	struct pid_counts *images_of;
	unsigned parents; /* threads that were asked for children */
	pid_t *armed;	  /* threads that have a timer, sorted */
	size_t armed_count, armed_room;
};

void summons_free(struct summons *summons)
{
	if (!summons)
		return;
	free(summons->strangers);
	free(summons);
}

static struct stranger *find(struct summons *summons, pid_t tid)
{
	for (size_t i = 0; i < summons->count; i++) {
		if (summons->strangers[i].tid == tid)
			return &summons->strangers[i];
	}
	return NULL;
}

static struct stranger *meet(struct summons *summons, pid_t pid, pid_t tid, int64_t cpu)
{
	struct stranger *stranger = find(summons, tid);

	if (stranger)
		return stranger;
	if (!grow(&summons->strangers, summons->count + 1, &summons->room))
		return NULL;
	stranger = &summons->strangers[summons->count++];
	*stranger = (struct stranger){.pid = pid, .tid = tid, .first = cpu, .asked = -1};
	return stranger;
}

/*
 * Whether the preload counts in our arena there: after an exec its signal may be somebody else's,
 * such as that of a profrun which is profiled itself.
 */
static bool is_entered(pid_t pid, const struct arena_file *arena)
{
	char path[64], *line = NULL;
	unsigned long inode;
	struct stat status;
	bool found = false;
	size_t size = 0;
	FILE *file;

	if (fstat(arena->fd, &status) < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && getline(&line, &size, file) > 0)
		found = strstr(line, " /memfd:profrun ") &&
			sscanf(line, "%*s %*s %*s %*s %lu", &inode) == 1 && inode == status.st_ino;
	free(line);
	fclose(file);
	return found;
}

/* Whether the stranger may be asked. */
static enum summons_refusal examine(const struct stranger *stranger, unsigned signal,
				    const struct arena_file *arena)
{
	const uint64_t bit = UINT64_C(1) << (signal - 1);
	struct task_status status;

	if (!task_status_read(stranger->pid, stranger->tid, &status) ||
	    !is_entered(stranger->pid, arena))
		return SUMMONS_GONE;
	if (!(status.caught & bit))
		return SUMMONS_NOT_OURS;
	if (status.seccomp)
		return SUMMONS_SECCOMP;
	return status.blocked & bit ? SUMMONS_BLOCKED : SUMMONS_ANSWERED;
}

/* What is filtered or blocks the signal is looked at again: it may let it through later. */
static void ask(struct stranger *stranger, const struct visit *visit, int64_t cpu)
{
	const struct slice *slice = visit->image->slice;
	unsigned signal = slice->image->signal;
	siginfo_t info = {.si_signo = (int)signal, .si_code = SI_TIMER};

	stranger->refusal = examine(stranger, signal, slice->file);
	if (stranger->refusal != SUMMONS_ANSWERED)
		return;
	info.si_value.sival_ptr = (void *)(uintptr_t)ARENA_SUMMONS(visit->nonce);
	syscall(SYS_rt_tgsigqueueinfo, stranger->pid, stranger->tid, (int)signal, &info);
	stranger->asked = cpu;
}

static int look_at(struct visit *visit, pid_t pid, pid_t tid)
{
	struct stranger *stranger;
	struct task_stat stat;
	int64_t cpu;

	if (!task_stat_read(pid, tid, &stat))
		return 0;
	cpu = (int64_t)(stat.user + stat.system);
	stranger = meet(visit->summons, pid, tid, cpu);
	if (!stranger)
		return -ENOMEM;
	stranger->seen = true;
	if (stranger->asked < 0 && cpu - stranger->first >= ASK_AFTER)
		ask(stranger, visit, cpu);
	else if (stranger->asked >= 0 && cpu - stranger->asked >= ANSWER_AFTER)
		stranger->refusal = SUMMONS_UNHEARD;
	return 0;
}

static int compare_threads(const void *left, const void *right)
{
	pid_t a = *(const pid_t *)left, b = *(const pid_t *)right;

	return (a > b) - (a < b);
}

static int add_armed(pid_t tid, void *data)
{
	struct visit *visit = data;

	if (!grow(&visit->armed, visit->armed_count + 1, &visit->armed_room))
		return -ENOMEM;
	visit->armed[visit->armed_count++] = tid;
	return 0;
}

static int look_at_thread(pid_t tid, void *data)
{
	struct visit *visit = data;
	struct stranger *stranger;

	if (!visit->armed_count || !bsearch(&tid, visit->armed, visit->armed_count,
					    sizeof(*visit->armed), compare_threads))
		return look_at(visit, image_pid(visit->image), tid);
	stranger = find(visit->summons, tid);
	if (stranger)
		stranger->refusal = SUMMONS_ANSWERED;
	return 0;
}

static int look_at_threads(struct visit *visit)
{
	pid_t pid = image_pid(visit->image);
	int r = task_each_timer(pid, add_armed, visit);

	if (r >= 0) {
		if (visit->armed_count)
			qsort(visit->armed, visit->armed_count, sizeof(*visit->armed),
			      compare_threads);
		r = task_each(pid, look_at_thread, visit);
	} else if (r != -ENOMEM) {
		r = 0;
	}
	free(visit->armed);
	return r;
}

/* A child of vfork(2) runs in its parent's memory, where nothing may be changed for it. */
static bool shares_memory(pid_t parent, pid_t child)
{
	return syscall(SYS_kcmp, parent, child, KCMP_VM, 0, 0) <= 0;
}

static int look_at_child(pid_t child, void *data)
{
	struct visit *visit = data;
	unsigned *images = pid_counts_at(visit->images_of, child);

	if (!images)
		return -ENOMEM;
	if (*images > 0 || shares_memory(image_pid(visit->image), child))
		return 0;
	return look_at(visit, child, child);
}

static int look_at_family(pid_t tid, void *data)
{
	struct visit *visit = data;

	if (visit->parents++ >= PARENTS_MAX)
		return 0;
	return task_each_child(image_pid(visit->image), tid, look_at_child, data);
}

/* Strangers that were not met again have ended, or are none any more. */
static void forget_unseen(const struct visit *visit, bool children)
{
	struct summons *summons = visit->summons;
	size_t kept = 0;

	for (size_t i = 0; i < summons->count; i++) {
		struct stranger stranger = summons->strangers[i];
		bool looked = children || stranger.pid == image_pid(visit->image);

		if (looked && !stranger.seen &&
		    (stranger.refusal == SUMMONS_ANSWERED || stranger.refusal == SUMMONS_GONE))
			continue;
		stranger.seen = false;
		summons->strangers[kept++] = stranger;
	}
	summons->count = kept;
}

int summons_visit(struct image *image, uint64_t nonce, struct pid_counts *images_of, bool follow)
{
	const struct arena_image *head = image->slice->image;
	struct visit visit = {.image = image, .nonce = nonce, .images_of = images_of};
	/* Where profrun sends the ticks, no thread has to be armed. */
	bool strangers = !head->answers && task_count(image_pid(image)) > atomic_load(&head->armed);
	bool children;
	int r = 0;

	if (head->signal < 1 || head->signal > 64)
		return 0;
	if (!image->summons)
		image->summons = calloc(1, sizeof(*image->summons));
	if (!image->summons)
		return -ENOMEM;
	visit.summons = image->summons;
	children = follow && image->summons->visits++ % VISITS_PER_FAMILY == 0;
	if (strangers)
		r = look_at_threads(&visit);
	if (r == 0 && children)
		r = task_each(image_pid(image), look_at_family, &visit);
	forget_unseen(&visit, children);
	return r;
}

unsigned summons_refused(const struct summons *summons, enum summons_refusal why)
{
	unsigned count = 0;

	for (size_t i = 0; summons && i < summons->count; i++)
		count += summons->strangers[i].refusal == why;
	return count;
}

const char *summons_reason(enum summons_refusal why)
{
	static const char *const reasons[] = {
		[SUMMONS_SECCOMP] = "system calls are filtered",
		[SUMMONS_BLOCKED] = "the signal that ticks is blocked",
		[SUMMONS_NOT_OURS] = "the signal that ticks has lost its handler",
		[SUMMONS_UNHEARD] = "the signal that ticks was not answered",
	};

	return reasons[why];
}
