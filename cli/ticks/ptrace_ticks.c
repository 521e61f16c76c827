/* SPDX-License-Identifier: MIT */
/* Finds the processes of the run and their threads, looks at those that run, tells what it saw. */

#include "cli/ticks/ptrace_ticks.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect/maps.h"
#include "cli/collect/task_status.h"
#include "cli/grow.h"
#include "cli/ticks/ptrace_look.h"
#include "symbolize/util.h"

#define MILLISECONDS 1000u
#define NANOSECONDS  1000000000u

/* profrun looks for no more than this part of the time. */
#define BUSY_PART 20

struct thread {
	pid_t tid;
	uint64_t ran;	  /* nanoseconds, when it was met the last time */
	uint64_t counted; /* up to which ticks stand for them */
	bool pending;	  /* profrun waits for it to stop */
	unsigned round;	  /* when it was met */
};

struct process {
	pid_t pid;
	struct task_program program;
	bool refused;
	struct thread *threads;
	size_t count, room;
};

struct ptrace_ticks {
	struct kernel_follow *follow;
	unsigned rate, round;
	struct process *processes;
	size_t count, room, refused;
	size_t pending; /* threads of this round */
	size_t visited; /* index of the process that is being visited */
};

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * NANOSECONDS + (uint64_t)time.tv_nsec;
}

static int add_process(struct ptrace_ticks *ticks, pid_t pid, const struct task_program *program)
{
	if (!grow(&ticks->processes, ticks->count + 1, &ticks->room))
		return -ENOMEM;
	ticks->processes[ticks->count++] = (struct process){.pid = pid, .program = *program};
	return 0;
}

struct ptrace_ticks *ptrace_ticks_new(struct kernel_follow *follow, unsigned rate)
{
	struct ptrace_ticks *ticks = calloc(1, sizeof(*ticks));
	struct task_program own;

	if (!ticks)
		return NULL;
	ticks->follow = follow;
	ticks->rate = rate;
	/* What the target is until its exec. */
	if (task_program_read(0, &own) < 0 || add_process(ticks, follow->target, &own) < 0) {
		ptrace_ticks_free(ticks);
		return NULL;
	}
	return ticks;
}

void ptrace_ticks_free(struct ptrace_ticks *ticks)
{
	if (!ticks)
		return;
	for (size_t i = 0; i < ticks->count; i++)
		free(ticks->processes[i].threads);
	free(ticks->processes);
	free(ticks);
}

static void tell(struct ptrace_ticks *ticks, struct kernel_record *record)
{
	record->time = now(CLOCK_MONOTONIC);
	kernel_follow_record(ticks->follow, record);
}

static void tell_mapping(struct ptrace_ticks *ticks, pid_t pid, const struct mapping *mapping)
{
	struct kernel_record record = {
		.kind = KERNEL_MAP,
		.pid = pid,
		.tid = pid,
		.start = mapping->start,
		.length = mapping->end - mapping->start,
		.piece = {.major = mapping->major,
			  .minor = mapping->minor,
			  .inode = mapping->inode,
			  .offset = mapping->offset,
			  .path = mapping->path ? mapping->path : ""},
	};

	if (mapping->is_vdso)
		record.piece.path = "[vdso]";
	tell(ticks, &record);
}

/* The program first, as the kernel does. */
static void tell_mappings(struct ptrace_ticks *ticks, pid_t pid)
{
	char link[64], path[PATH_MAX];
	struct maps maps;
	ssize_t length;

	if (maps_load(pid, &maps) < 0)
		return;
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	for (int others = 0; others < 2; others++) {
		for (size_t i = 0; i < maps.count; i++) {
			const struct mapping *mapping = &maps.mappings[i];
			bool is_other = !mapping->path || strcmp(mapping->path, path) != 0;

			if (is_other == others)
				tell_mapping(ticks, pid, mapping);
		}
	}
	maps_done(&maps);
}

static void tell_exec(struct ptrace_ticks *ticks, pid_t pid)
{
	char name[32] = "";
	struct kernel_record record = {.kind = KERNEL_EXEC, .pid = pid, .tid = pid, .name = name};

	task_name_read(pid, pid, name, sizeof(name));
	tell(ticks, &record);
	tell_mappings(ticks, pid);
}

static void tell_end(struct ptrace_ticks *ticks, pid_t pid)
{
	struct kernel_record record = {.kind = KERNEL_EXIT, .pid = pid, .tid = pid};

	tell(ticks, &record);
}

static bool is_mapped(const struct ptrace_ticks *ticks, pid_t pid, uint64_t pc)
{
	const struct kernel_process *process = kernel_process_find(&ticks->follow->processes, pid);

	return !process || kernel_maps_find(process->maps, pc);
}

static void tell_tick(struct ptrace_ticks *ticks, pid_t pid, struct thread *thread,
		      const struct ptrace_place *place)
{
	struct kernel_record record = {
		.kind = KERNEL_SAMPLE,
		.pid = pid,
		.tid = thread->tid,
		.in_kernel = place->in_kernel,
		.has_pc = true,
		.is_32bit = place->is_32bit,
		.pc = place->pc,
		.period = thread->ran - thread->counted,
	};

	if (!is_mapped(ticks, pid, place->pc))
		tell_mappings(ticks, pid);
	tell(ticks, &record);
	thread->counted = thread->ran;
}

static void tell_name(struct ptrace_ticks *ticks, pid_t pid, pid_t tid)
{
	char name[32] = "";
	struct kernel_record record = {.kind = KERNEL_NAME, .pid = pid, .tid = tid, .name = name};

	task_name_read(pid, tid, name, sizeof(name));
	/* What is gone keeps the name that it had. */
	if (name[0])
		tell(ticks, &record);
}

static void refuse(struct ptrace_ticks *ticks, struct process *process)
{
	process->refused = true;
	ticks->refused++;
}

static void use(struct ptrace_ticks *ticks, struct process *process, struct thread *thread,
		enum ptrace_result result, const struct ptrace_place *place)
{
	thread->pending = result == PTRACE_PENDING;
	ticks->pending += thread->pending;
	if (result == PTRACE_REFUSED)
		refuse(ticks, process);
	if (result != PTRACE_SEEN)
		return;
	if (ticks->follow->counter.threads_apart)
		tell_name(ticks, process->pid, thread->tid);
	tell_tick(ticks, process->pid, thread, place);
}

static void look(struct ptrace_ticks *ticks, struct process *process, struct thread *thread)
{
	bool is_child = thread->tid == ticks->follow->target;
	struct ptrace_place place;
	enum ptrace_result result = thread->pending
					    ? ptrace_look_again(thread->tid, is_child, &place)
					    : ptrace_look(thread->tid, is_child, &place);

	use(ticks, process, thread, result, &place);
}

/* Threads are listed in the same order each time, so the next one is where it was. */
static struct thread *meet_thread(struct process *process, pid_t tid, size_t *next)
{
	for (size_t i = 0; i < process->count; i++) {
		size_t at = (*next + i) % process->count;

		if (process->threads[at].tid == tid) {
			*next = at + 1;
			return &process->threads[at];
		}
	}
	if (!grow(&process->threads, process->count + 1, &process->room))
		return NULL;
	process->threads[process->count] = (struct thread){.tid = tid};
	*next = process->count + 1;
	return &process->threads[process->count++];
}

/* On a CPU, or waiting for one. */
static bool runs(pid_t pid, pid_t tid)
{
	struct task_status status;

	return task_status_read(pid, tid, &status) && status.state == 'R';
}

struct visit {
	struct ptrace_ticks *ticks;
	size_t next; /* where the next thread is expected */
};

static bool is_known(const struct ptrace_ticks *ticks, pid_t pid)
{
	for (size_t i = 0; i < ticks->count; i++) {
		if (ticks->processes[i].pid == pid)
			return true;
	}
	return false;
}

static int meet_child(pid_t child, void *data)
{
	struct ptrace_ticks *ticks = data;
	const struct process *parent = &ticks->processes[ticks->visited];
	struct kernel_record record = {
		.kind = KERNEL_FORK, .pid = child, .tid = child, .parent = parent->pid};
	const struct task_program program = parent->program;

	if (is_known(ticks, child))
		return 0;
	if (add_process(ticks, child, &program) < 0)
		return -ENOMEM;
	tell(ticks, &record);
	return 0;
}

static int visit_thread(pid_t tid, void *data)
{
	struct visit *visit = data;
	struct ptrace_ticks *ticks = visit->ticks;
	struct process *process = &ticks->processes[ticks->visited];
	struct thread *thread = meet_thread(process, tid, &visit->next);
	uint64_t ran, waited;

	if (!thread)
		return -ENOMEM;
	if (!task_clock_read(process->pid, tid, &ran, &waited))
		return 0;
	thread->round = ticks->round;
	if (thread->pending) {
		look(ticks, process, thread);
	} else if (ran != thread->ran) {
		thread->ran = ran;
		if (!process->refused && runs(process->pid, tid))
			look(ticks, process, thread);
	}
	return ticks->follow->no_follow ? 0 : task_each_child(process->pid, tid, meet_child, ticks);
}

static void forget_threads(struct process *process, unsigned round)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->count; i++) {
		if (process->threads[i].round == round)
			process->threads[kept++] = process->threads[i];
	}
	process->count = kept;
}

/* Whether it executes what it did, or something new, which is told. */
static int look_at_program(struct ptrace_ticks *ticks, struct process *process)
{
	struct task_program program;
	int r = task_program_read(process->pid, &program);

	if (r < 0)
		return r;
	if (program.device == process->program.device && program.inode == process->program.inode)
		return 0;
	process->program = program;
	tell_exec(ticks, process->pid);
	return 0;
}

/* False: the process has ended. */
static bool visit(struct ptrace_ticks *ticks)
{
	struct process *process = &ticks->processes[ticks->visited];
	struct visit threads = {.ticks = ticks};
	int r = look_at_program(ticks, process);

	if (r == -ENOENT || r == -ESRCH)
		return false;
	if (r < 0 && !process->refused)
		refuse(ticks, process);
	if (process->pid == ticks->follow->target && !ticks->follow->saw_target && r == 0)
		return true;
	task_each(process->pid, visit_thread, &threads);
	/* Children may have moved the array. */
	forget_threads(&ticks->processes[ticks->visited], ticks->round);
	return true;
}

static void forget_process(struct ptrace_ticks *ticks, size_t index)
{
	struct process *process = &ticks->processes[index];

	tell_end(ticks, process->pid);
	free(process->threads);
	*process = ticks->processes[--ticks->count];
}

/* Half the interval to one and a half, so that no program is in step with it. */
static int choose_wait(const struct ptrace_ticks *ticks, uint64_t spent)
{
	uint64_t interval = NANOSECONDS / ticks->rate, wait;
	uint32_t random = 0x80000000;

	/* What stops must not wait for long. */
	if (ticks->pending > 0)
		return 1;
	getrandom(&random, sizeof(random), GRND_NONBLOCK);
	wait = interval / 2 + (uint64_t)((double)interval * random * 0x1p-32);
	if (wait < spent * BUSY_PART)
		wait = spent * BUSY_PART;
	wait /= NANOSECONDS / MILLISECONDS;
	return wait < 1 ? 1 : (int)wait;
}

int ptrace_ticks_work(struct ptrace_ticks *ticks)
{
	uint64_t begun = now(CLOCK_THREAD_CPUTIME_ID);

	ticks->round++;
	ticks->pending = 0;
	/* Children that are found on the way are visited in the same round. */
	for (ticks->visited = 0; ticks->visited < ticks->count;) {
		if (visit(ticks))
			ticks->visited++;
		else
			forget_process(ticks, ticks->visited);
	}
	return choose_wait(ticks, now(CLOCK_THREAD_CPUTIME_ID) - begun);
}

static struct thread *find_main_thread(struct process *process)
{
	for (size_t i = 0; i < process->count; i++) {
		if (process->threads[i].tid == process->pid)
			return &process->threads[i];
	}
	return NULL;
}

bool ptrace_ticks_stopped(struct ptrace_ticks *ticks, int status)
{
	for (size_t i = 0; i < ticks->count; i++) {
		struct process *process = &ticks->processes[i];
		struct thread *thread;
		struct ptrace_place place;

		if (process->pid != ticks->follow->target)
			continue;
		thread = find_main_thread(process);
		if (!thread || !thread->pending)
			return false;
		use(ticks, process, thread, ptrace_look_stopped(thread->tid, status, &place),
		    &place);
		return true;
	}
	return false;
}

size_t ptrace_ticks_refused(const struct ptrace_ticks *ticks)
{
	return ticks->refused;
}
