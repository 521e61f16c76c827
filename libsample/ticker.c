/* SPDX-License-Identifier: MIT */
/* The signal, its handler, and the timers that send it. */

#include "libsample/ticker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>

#include "libsample/late.h"
#include "libsample/owner.h"
#include "libsample/raw.h"
#include "libsample/region.h"
#include "libsample/schedule.h"
#include "libsample/slots.h"
#include "libsample/sys.h"
#include "libsample/tasks.h"

/* CLOCK_THREAD_CPUTIME_ID of another thread, as the kernel encodes it (posix-timers.h). */
#define THREAD_CLOCK(tid) ((clockid_t)((~(unsigned)(tid) << 3) | 6))

#define NANOSECONDS 1000000000u

static struct {
	struct ticker_counts counts;
	struct schedule schedule;
	_Atomic int signal;	 /* 0: not started */
	_Atomic int arming;	 /* new threads arm themselves */
	_Atomic int swept;	 /* threads may have been armed by others */
	_Atomic int sweeping;	 /* all threads are being armed or disarmed */
	_Atomic int starting;	 /* threads that are arming themselves */
	_Atomic uint64_t random; /* state of the generator */
	/*
	 * Nanoseconds of CPU time that threads which ended had used and not counted (or, negative,
	 * counted and not used). Later threads make up for it, so that the total stays exact.
	 */
	_Atomic int64_t owed;
} ticker;

/* The calling thread's record: initial-exec, since a wrapper must not allocate. */
static __thread struct slot *own_slot __attribute__((tls_model("initial-exec")));

static uintptr_t program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)context->uc_mcontext.pc;
#endif
}

_Thread_local unsigned ticker_interrupted __attribute__((tls_model("initial-exec")));

/* What a system call is about to return, if the interrupted code stands behind one. */
static long system_call_result(const ucontext_t *context)
{
#if defined(__x86_64__)
	return context->uc_mcontext.gregs[REG_RAX];
#else
	return (long)context->uc_mcontext.regs[0];
#endif
}

static void count_at(uintptr_t pc, uint64_t weight)
{
	const struct ticker_counts *counts = &ticker.counts;

	if (region_tick(pc, weight))
		return;
	if (counts->raw && raw_tick(counts->raw, counts->raw_used, pc, weight))
		return;
	atomic_fetch_add_explicit(counts->outside, weight, memory_order_relaxed);
}

/* Of @weight ticks that came at once, those that only a blocked signal explains. */
static uint64_t delayed(const ucontext_t *context, uint64_t weight)
{
	const uint64_t tick = ticker.schedule.tick;
	/* A busy CPU delays an expiry by some ticks of the scheduler, hardly by so many. */
	uint64_t most = 2 + 8 * ticker.schedule.jiffy / tick;

	if (!ticker.counts.blocked || weight <= most)
		return 0;
	if (region_holds(program_counter(context)) && late_in_kernel(context))
		return 0;
	return weight - 1 - ticker.schedule.jiffy / tick;
}

static void count(const ucontext_t *context, uint64_t weight)
{
	const struct ticker_counts *counts = &ticker.counts;
	uint64_t late;

	if (counts->counting && !atomic_load_explicit(counts->counting, memory_order_relaxed))
		return;
	late = delayed(context, weight);
	atomic_fetch_add_explicit(counts->ticks, weight, memory_order_relaxed);
	atomic_fetch_add_explicit(counts->squares, (weight - late) * (weight - late) + late,
				  memory_order_relaxed);
	if (late > 0)
		atomic_fetch_add_explicit(counts->blocked, late, memory_order_relaxed);
	count_at(program_counter(context), weight - late);
}

/*
 * The whole ticks in the credit of @slot after that many expiries. Only the thread of the slot
 * comes here, but a signal that an earlier timer left may meet the record being set up again.
 */
static uint64_t take_ticks(struct slot *slot, uint64_t expiries)
{
	const int64_t tick = (int64_t)ticker.schedule.tick;
	uint64_t period = atomic_load_explicit(&slot->period, memory_order_relaxed);
	int64_t credit = atomic_load_explicit(&slot->credit, memory_order_relaxed);
	int64_t ticks;

	credit += (int64_t)(period * expiries);
	ticks = credit < tick ? 0 : credit / tick;
	atomic_store_explicit(&slot->credit, credit - ticks * tick, memory_order_relaxed);
	atomic_fetch_add_explicit(&slot->counted, (uint64_t)(ticks * tick), memory_order_relaxed);
	return (uint64_t)ticks;
}

/* Async-signal-safe; makes no system call. */
static void handle(int signal, siginfo_t *info, void *context)
{
	struct slot *slot;
	uint64_t weight;

	slot = info->si_code == SI_TIMER ? slots_from_value(info->si_value.sival_ptr) : NULL;
	if (!slot) {
		owner_foreign_signal(signal, info, context);
		return;
	}
	if (system_call_result(context) == -EINTR)
		ticker_interrupted++;
	weight = take_ticks(slot, 1 + (uint64_t)(unsigned)info->si_overrun);
	if (weight > 0)
		count(context, weight);
}

static int install(int signal)
{
	struct sigaction action = {.sa_sigaction = handle,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	sigfillset(&action.sa_mask);
	return sigaction(signal, &action, NULL) == 0 ? 0 : -errno;
}

/* Installs the handler for the first signal that nobody has taken, from SIGRTMAX - 2 downward. */
static int install_free(void)
{
	struct sigaction action;

	/* The two highest are the last resort: programs that take one or two like those. */
	for (int i = 0; i <= SIGRTMAX - SIGRTMIN; i++) {
		int signal = SIGRTMAX - (i + 2) % (SIGRTMAX - SIGRTMIN + 1);

		if (sigaction(signal, NULL, &action) < 0 || action.sa_handler != SIG_DFL ||
		    signal == atomic_load(&ticker.signal))
			continue;
		if (install(signal) == 0)
			return signal;
	}
	return -EBUSY;
}

int ticker_start(unsigned rate, int signal, const struct ticker_counts *counts)
{
	struct timespec jiffy = {0};
	int r;

	ticker.counts = *counts;
	sys_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &jiffy); /* advances in the tick */
	schedule_init(&ticker.schedule, rate, (uint64_t)jiffy.tv_nsec);
	memcpy(&ticker.random, (const void *)getauxval(AT_RANDOM), sizeof(ticker.random));
	if (signal == 0)
		r = install_free();
	else
		r = install(signal) == 0 ? signal : -EBUSY;
	if (r < 0)
		return r;
	atomic_store(&ticker.signal, r);
	return 0;
}

int ticker_signal(void)
{
	return atomic_load(&ticker.signal);
}

/* splitmix64 from a seed that the kernel gave the process: no system call for each thread. */
static uint64_t random_bits(int tid)
{
	uint64_t x = atomic_fetch_add(&ticker.random, UINT64_C(0x9e3779b97f4a7c15));

	x += (uint64_t)(unsigned)tid << 32;
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
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

static uint64_t thread_cpu(int tid)
{
	struct timespec now = {0};

	sys_call(SYS_clock_gettime, THREAD_CLOCK(tid), &now);
	return (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
}

/* Takes what is owed, a tick at most: more on one instruction would be noise. */
static int64_t borrow(void)
{
	const int64_t most = (int64_t)ticker.schedule.tick;
	int64_t owed = atomic_load(&ticker.owed), take;

	do {
		take = owed > most ? most : owed < -most ? -most : owed;
	} while (!atomic_compare_exchange_weak(&ticker.owed, &owed, owed - take));
	return take;
}

/* At the end of the thread of @slot, whose timer is gone. */
static void settle(const struct slot *slot, int tid)
{
	uint64_t used = thread_cpu(tid) - slot->start;

	atomic_fetch_add(&ticker.owed, (int64_t)(used - atomic_load(&slot->counted)) + slot->lent);
}

static int set_timer(struct slot *slot, int tid)
{
	const double random[3] = {random_unit(tid), random_unit(tid), random_unit(tid)};
	struct schedule_times draw;
	struct itimerspec times;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = atomic_load(&ticker.signal),
				 .sigev_value.sival_ptr = slot->value};
	int timer, r;

	schedule_draw(&ticker.schedule, random, &draw);
	atomic_store(&slot->period, draw.period);
	slot->lent = borrow();
	atomic_store(&slot->credit, (int64_t)draw.credit + slot->lent);
	atomic_store(&slot->counted, 0);
	slot->start = thread_cpu(tid);
	times.it_interval = from_nanoseconds(draw.period);
	times.it_value = from_nanoseconds(draw.first);
	event._sigev_un._tid = tid;
	r = (int)sys_call(SYS_timer_create, THREAD_CLOCK(tid), &event, &timer);
	if (r < 0)
		return r;
	r = (int)sys_call(SYS_timer_settime, timer, 0, &times, 0);
	if (r < 0) {
		sys_call(SYS_timer_delete, timer);
		return r;
	}
	slot->timer = timer;
	return 0;
}

static int arm(int tid, struct slot **ret_slot)
{
	struct slot *slot = slots_claim(tid);
	int r;

	if (!slot)
		return -ENOMEM;
	r = set_timer(slot, tid);
	if (r < 0) {
		slots_release(slot);
		return r;
	}
	*ret_slot = slot;
	return 0;
}

static void disarm(struct slot *slot)
{
	sys_call(SYS_timer_delete, slot->timer);
	slots_release(slot);
}

int ticker_arm(void)
{
	return arm((int)sys_call(SYS_gettid), &own_slot);
}

void ticker_disarm(void)
{
	if (!own_slot)
		return;
	sys_call(SYS_timer_delete, own_slot->timer);
	settle(own_slot, atomic_load(&own_slot->tid));
	slots_release(own_slot);
	own_slot = NULL;
}

void ticker_arm_new_threads(void)
{
	atomic_store(&ticker.arming, 1);
}

static void sweep_begin(void)
{
	atomic_store(&ticker.sweeping, 1);
	while (atomic_load(&ticker.starting) > 0)
		sys_call(SYS_sched_yield);
}

static void sweep_end(void)
{
	atomic_store(&ticker.sweeping, 0);
}

static void release_if_gone(struct slot *slot)
{
	int pid = (int)sys_call(SYS_getpid);

	if (sys_call(SYS_tgkill, pid, atomic_load(&slot->tid), 0) == -ESRCH)
		disarm(slot);
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

int ticker_arm_all(void)
{
	int r;

	sweep_begin();
	atomic_store(&ticker.swept, 1);
	slots_each(release_if_gone);
	r = tasks_each(arm_task);
	if (r < 0)
		slots_each(disarm);
	else
		atomic_store(&ticker.arming, 1);
	sweep_end();
	return r;
}

void ticker_disarm_all(void)
{
	sweep_begin();
	atomic_store(&ticker.arming, 0);
	slots_each(disarm);
	sweep_end();
}

/* Keeps a sweep out until thread_leave(). */
static void thread_enter(void)
{
	for (;;) {
		atomic_fetch_add(&ticker.starting, 1);
		if (!atomic_load(&ticker.sweeping))
			return;
		atomic_fetch_sub(&ticker.starting, 1);
		sys_call(SYS_sched_yield);
	}
}

static void thread_leave(void)
{
	atomic_fetch_sub(&ticker.starting, 1);
}

int ticker_thread_start(void)
{
	int r = 0;

	thread_enter();
	if (atomic_load(&ticker.arming) &&
	    !(atomic_load(&ticker.swept) && slots_find((int)sys_call(SYS_gettid))))
		r = ticker_arm();
	thread_leave();
	return r;
}

void ticker_thread_end(void)
{
	int tid;

	if (!own_slot && !atomic_load(&ticker.swept))
		return;
	thread_enter();
	tid = (int)sys_call(SYS_gettid);
	/* A sweep may have deleted the timer, and another thread taken the record. */
	if (!own_slot || atomic_load(&own_slot->tid) != tid)
		own_slot = atomic_load(&ticker.swept) ? slots_find(tid) : NULL;
	ticker_disarm();
	thread_leave();
}

void ticker_fork_child(void)
{
	own_slot = NULL;
	slots_clear();
	atomic_store(&ticker.arming, 0);
	atomic_store(&ticker.sweeping, 0);
	atomic_store(&ticker.starting, 0);
	atomic_store(&ticker.owed, 0);
}

static void rearm(struct slot *slot)
{
	sys_call(SYS_timer_delete, slot->timer);
	if (set_timer(slot, atomic_load(&slot->tid)) < 0)
		slots_release(slot);
}

int ticker_move(void)
{
	int signal = install_free();

	if (signal < 0)
		return signal;
	sweep_begin();
	atomic_store(&ticker.swept, 1);
	atomic_store(&ticker.signal, signal);
	slots_each(rearm);
	sweep_end();
	return 0;
}
