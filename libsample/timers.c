/* SPDX-License-Identifier: MIT */
/* The timers: one in each thread, armed by the thread itself or, in a sweep, by another. */

#include "libsample/timers.h"

#include <errno.h>
#include <linux/version.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>

#include "libsample/schedule.h"
#include "libsample/sys.h"
#include "libsample/tasks.h"
#include "libsample/thread_table.h"
#include "libsample/ticker.h"

/* CLOCK_THREAD_CPUTIME_ID of another thread, as the kernel encodes it (posix-timers.h). */
#define THREAD_CLOCK(tid) ((clockid_t)((~(unsigned)(tid) << 3) | 6))

#define NANOSECONDS 1000000000u

/* What the state of a generator grows by for each number: 2^64 by the golden ratio. */
#define SPLIT UINT64_C(0x9e3779b97f4a7c15)

static struct {
	struct schedule schedule;
	_Atomic int arming;	 /* new threads arm themselves */
	_Atomic int left_alone;	 /* they start and end without a system call */
	_Atomic int swept;	 /* threads may have been armed by others */
	_Atomic int sweeping;	 /* all threads are being armed or disarmed */
	_Atomic int starting;	 /* threads that are arming themselves */
	_Atomic uint64_t random; /* state of the generator */
	/*
	 * Nanoseconds of CPU time that threads which ended had used and not counted (or, negative,
	 * counted and not used). Later threads make up for it, so that the total stays exact.
	 */
	_Atomic int64_t owed;
} timers __attribute__((section(".data"))); /* with the rest of what a forked child writes to */

static _Atomic uint32_t uncounted;
static _Atomic uint32_t *armed = &uncounted;

void timers_count_in(_Atomic uint32_t *count)
{
	armed = count;
}

/* The calling thread's record: initial-exec, since a wrapper must not allocate. */
static __thread struct slot *own_slot __attribute__((tls_model("initial-exec")));

void timers_init(unsigned rate)
{
	struct timespec jiffy = {0};

	sys_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &jiffy); /* advances in the tick */
	schedule_init(&timers.schedule, rate, (uint64_t)jiffy.tv_nsec);
	memcpy(&timers.random, (const void *)getauxval(AT_RANDOM), sizeof(timers.random));
}

#if defined(__x86_64__)
#define TASK_WORK_VERSION KERNEL_VERSION(5, 9, 0)
#else
/* PREEMPT_RT, which came to 64-bit Arm in this one, needs it. */
#define TASK_WORK_VERSION KERNEL_VERSION(6, 12, 0)
#endif

bool timers_interrupt_calls(void)
{
	struct utsname names;
	char *end;
	unsigned long major, minor;

	if (sys_call(SYS_uname, &names) < 0)
		return true;
	major = strtoul(names.release, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return KERNEL_VERSION(major, minor, 0) < TASK_WORK_VERSION;
}

const struct schedule *timers_schedule(void)
{
	return &timers.schedule;
}

/* splitmix64 */
static uint64_t scramble(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* From a seed that the kernel gave the process: no system call for each thread. */
static uint64_t random_bits(int tid)
{
	uint64_t x = atomic_fetch_add(&timers.random, SPLIT);

	return scramble(x + ((uint64_t)(unsigned)tid << 32));
}

uint64_t timers_take_ticks(struct slot *slot, uint64_t expiries)
{
	uint64_t period = atomic_load_explicit(&slot->period, memory_order_relaxed);
	int64_t more = atomic_exchange_explicit(&slot->more, 0, memory_order_relaxed);
	uint64_t random = SPLIT + atomic_load_explicit(&slot->random, memory_order_relaxed);
	int64_t credit = atomic_load_explicit(&slot->credit, memory_order_relaxed);
	uint64_t ticks;

	ticks = schedule_take(&timers.schedule, &credit, (int64_t)(period * expiries) + more,
			      (uint32_t)scramble(random));
	atomic_store_explicit(&slot->random, random, memory_order_relaxed);
	atomic_store_explicit(&slot->credit, credit, memory_order_relaxed);
	atomic_fetch_add_explicit(&slot->counted, ticks * timers.schedule.tick,
				  memory_order_relaxed);
	return ticks;
}

static double random_unit(int tid)
{
	return (double)(random_bits(tid) >> 11) * 0x1p-53;
}

static struct timespec from_nanoseconds(uint64_t nanoseconds)
{
	return (struct timespec){.tv_sec = (time_t)(nanoseconds / NANOSECONDS),
				 .tv_nsec = (long)(nanoseconds % NANOSECONDS)};
}

/*
 * Takes what is owed, a tick at most, ours or the scheduler's: more on one instruction would be
 * noise, and with less the debts of threads that live between two of the scheduler's are never
 * paid.
 */
static int64_t borrow(void)
{
	const int64_t most =
		(int64_t)(timers.schedule.tick > timers.schedule.jiffy ? timers.schedule.tick
								       : timers.schedule.jiffy);
	int64_t owed = atomic_load(&timers.owed), take;

	do {
		take = owed > most ? most : owed < -most ? -most : owed;
	} while (!atomic_compare_exchange_weak(&timers.owed, &owed, owed - take));
	return take;
}

/* At the end of the thread of @slot, whose timer is gone. */
static void settle(const struct slot *slot, int tid)
{
	uint64_t used = sys_clock(THREAD_CLOCK(tid)) - slot->start;

	atomic_fetch_add(&timers.owed, (int64_t)(used - atomic_load(&slot->counted)) + slot->lent);
}

static int set_timer(struct slot *slot, int tid)
{
	const double random[2] = {random_unit(tid), random_unit(tid)};
	struct schedule_times draw;
	struct itimerspec times;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = ticker_signal(),
				 .sigev_value.sival_ptr = slot->value};
	int timer, r;

	schedule_draw(&timers.schedule, random, &draw);
	atomic_store(&slot->period, draw.period);
	atomic_store(&slot->random, random_bits(tid));
	slot->lent = borrow();
	atomic_store(&slot->more, (int64_t)draw.more + slot->lent);
	atomic_store(&slot->credit, 0);
	atomic_store(&slot->counted, 0);
	slot->start = sys_clock(THREAD_CLOCK(tid));
	times.it_interval = from_nanoseconds(draw.period);
	times.it_value = from_nanoseconds(draw.first);
	event._sigev_un._tid = tid;
	r = (int)sys_call(SYS_timer_create, THREAD_CLOCK(tid), &event, &timer);
	if (r < 0)
		return r;
	/* The handler compares it, from the first expiry on. */
	slot->timer = timer;
	r = (int)sys_call(SYS_timer_settime, timer, 0, &times, 0);
	if (r < 0)
		sys_call(SYS_timer_delete, timer);
	return r;
}

static int arm(int tid, struct slot **ret_slot)
{
	struct slot *slot = slots_claim(tid);
	int r;

	if (!slot)
		return -ENOMEM;
	atomic_store(&slot->thread, thread_table_add(tid));
	atomic_store(&slot->summoned, 0);
	r = set_timer(slot, tid);
	if (r < 0) {
		slots_release(slot);
		return r;
	}
	atomic_fetch_add(armed, 1);
	*ret_slot = slot;
	return 0;
}

static void release(struct slot *slot)
{
	atomic_fetch_sub(armed, 1);
	slots_release(slot);
}

static void disarm(struct slot *slot)
{
	sys_call(SYS_timer_delete, slot->timer);
	release(slot);
}

int timers_arm(void)
{
	int r = arm((int)sys_call(SYS_gettid), &own_slot);

	if (r == 0)
		thread_table_name(atomic_load(&own_slot->thread));
	return r;
}

static void disarm_own(void)
{
	if (!own_slot)
		return;
	thread_table_end(atomic_load(&own_slot->thread));
	sys_call(SYS_timer_delete, own_slot->timer);
	settle(own_slot, atomic_load(&own_slot->tid));
	release(own_slot);
	own_slot = NULL;
}

void timers_arm_new_threads(void)
{
	atomic_store(&timers.arming, 1);
}

static void sweep_begin(void)
{
	atomic_store(&timers.sweeping, 1);
	while (atomic_load(&timers.starting) > 0)
		sys_call(SYS_sched_yield);
}

static void sweep_end(void)
{
	atomic_store(&timers.sweeping, 0);
}

static void release_if_gone(struct slot *slot)
{
	int pid = (int)sys_call(SYS_getpid);

	if (sys_call(SYS_tgkill, pid, atomic_load(&slot->tid), 0) == -ESRCH)
		disarm(slot);
}

/* What was summoned ends without a word. */
static void release_summoned(struct slot *slot)
{
	if (atomic_load(&slot->summoned))
		release_if_gone(slot);
}

int timers_arm_summoned(void)
{
	int tid = (int)sys_call(SYS_gettid), r;
	struct slot *slot;

	if (slots_find(tid))
		return 0;
	slots_each(release_summoned);
	r = arm(tid, &slot);
	if (r < 0)
		return r;
	atomic_store(&slot->summoned, 1);
	/* Should it end as others do, it has to be found by its id. */
	atomic_store(&timers.swept, 1);
	return 0;
}

static int arm_task(int tid)
{
	struct slot *slot;
	int r;

	if (slots_find(tid))
		return 0;
	r = arm(tid, &slot);
	/* A thread that ended since it was listed has no clock. */
	return r == -EINVAL || r == -ESRCH ? 0 : r;
}

int timers_arm_all(void)
{
	int r;

	sweep_begin();
	atomic_store(&timers.swept, 1);
	slots_each(release_if_gone);
	r = tasks_each(arm_task);
	if (r < 0)
		slots_each(disarm);
	else
		atomic_store(&timers.arming, 1);
	sweep_end();
	return r;
}

void timers_disarm_all(void)
{
	sweep_begin();
	atomic_store(&timers.arming, 0);
	slots_each(disarm);
	sweep_end();
}

/* Keeps a sweep out until thread_leave(). */
static void thread_enter(void)
{
	for (;;) {
		atomic_fetch_add(&timers.starting, 1);
		if (!atomic_load(&timers.sweeping))
			return;
		atomic_fetch_sub(&timers.starting, 1);
		sys_call(SYS_sched_yield);
	}
}

static void thread_leave(void)
{
	atomic_fetch_sub(&timers.starting, 1);
}

void timers_leave_alone(void)
{
	atomic_store(&timers.left_alone, 1);
}

int timers_thread_start(void)
{
	int r = 0;

	if (atomic_load(&timers.left_alone))
		return 0;
	thread_enter();
	if (atomic_load(&timers.arming) &&
	    !(atomic_load(&timers.swept) && slots_find((int)sys_call(SYS_gettid))))
		r = timers_arm();
	thread_leave();
	return r;
}

void timers_thread_end(void)
{
	int tid;

	if (atomic_load(&timers.left_alone) || (!own_slot && !atomic_load(&timers.swept)))
		return;
	thread_enter();
	tid = (int)sys_call(SYS_gettid);
	/* A sweep may have deleted the timer, and another thread taken the record. */
	if (!own_slot || atomic_load(&own_slot->tid) != tid)
		own_slot = atomic_load(&timers.swept) ? slots_find(tid) : NULL;
	disarm_own();
	thread_leave();
}

void timers_fork_child(void)
{
	own_slot = NULL;
	slots_clear();
	atomic_store(&timers.arming, 0);
	atomic_store(&timers.sweeping, 0);
	atomic_store(&timers.starting, 0);
	atomic_store(&timers.owed, 0);
}

static void rearm(struct slot *slot)
{
	sys_call(SYS_timer_delete, slot->timer);
	if (set_timer(slot, atomic_load(&slot->tid)) < 0)
		release(slot);
}

void timers_move(void)
{
	sweep_begin();
	atomic_store(&timers.swept, 1);
	slots_each(rearm);
	sweep_end();
}
