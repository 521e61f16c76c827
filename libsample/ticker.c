/* SPDX-License-Identifier: MIT */
/* The signal that ticks and its handler. */

#include "libsample/ticker.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "libsample/arena.h"
#include "libsample/context.h"
#include "libsample/late.h"
#include "libsample/owner.h"
#include "libsample/raw.h"
#include "libsample/region.h"
#include "libsample/schedule.h"
#include "libsample/timers.h"

static struct {
	struct ticker_counts counts;
	_Atomic int signal;	    /* 0: not started */
	_Atomic bool leaves_stacks; /* alternate ones */
	bool timers_interrupt;	    /* system calls */
} ticker;

_Thread_local unsigned ticker_interrupted __attribute__((tls_model("initial-exec")));

/*
 * Where timers do not interrupt calls, an EINTR in the register when one expires is that of a
 * signal of the program, whose handler has just returned: the call must not be made again.
 */
static bool has_interrupted(const struct slot *slot, const siginfo_t *info,
			    const ucontext_t *context)
{
	if (context_result(context) != -EINTR)
		return false;
	if (!ticker.timers_interrupt && info->si_timerid == slot->timer)
		return false;
	return !atomic_load_explicit(&slot->summoned, memory_order_relaxed);
}

static bool count_raw(const struct ticker_counts *counts, uintptr_t pc, uint64_t weight)
{
	uint32_t epoch = atomic_load_explicit(counts->epoch, memory_order_relaxed);

	atomic_fetch_add_explicit(counts->raw_ticks, 1, memory_order_relaxed);
	return raw_tick(counts->raw, ARENA_RAW_COUNT, counts->raw_used, ARENA_RAW_KEY(epoch, pc),
			weight);
}

static void count_at(uintptr_t pc, uint64_t weight)
{
	const struct ticker_counts *counts = &ticker.counts;

	if (region_tick(pc, weight))
		return;
	if (counts->raw && count_raw(counts, pc, weight))
		return;
	atomic_fetch_add_explicit(counts->outside, weight, memory_order_relaxed);
}

/* Of @weight ticks that came at once, those that only a blocked signal explains. */
static uint64_t delayed(const ucontext_t *context, uint64_t weight)
{
	const uint64_t tick = timers_schedule()->tick;
	/* A busy CPU delays an expiry by some ticks of the scheduler, hardly by so many. */
	uint64_t most = 2 + 8 * timers_schedule()->jiffy / tick;

	if (!ticker.counts.blocked || weight <= most)
		return 0;
	if (region_holds(context_pc(context)) && late_in_kernel(context))
		return 0;
	return weight - 1 - timers_schedule()->jiffy / tick;
}

/* Beside the histograms: where this has no room, the histograms still have the ticks. */
static void count_thread(uint32_t thread, uintptr_t pc, uint64_t weight)
{
	if (thread > 0)
		raw_tick(ticker.counts.threads, ARENA_THREAD_COUNTS, NULL,
			 ARENA_THREAD_KEY(thread, pc), weight);
}

static void count(const ucontext_t *context, uint32_t thread, uint64_t weight)
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
	count_at(context_pc(context), weight - late);
	if (!counts->threads)
		return;
	count_thread(thread, context_pc(context), weight - late);
	if (late > 0)
		count_thread(thread, 0, late);
}

/*
 * Async-signal-safe. For a tick it makes no system call; a summons, which no timer sends, may arm a
 * thread or set up a process that was forked behind our back.
 */
static void handle(int signal, siginfo_t *info, void *context)
{
	struct slot *slot;
	uint64_t weight;

	slot = info->si_code == SI_TIMER ? slots_from_value(info->si_value.sival_ptr) : NULL;
	if (!slot) {
		owner_foreign_signal(signal, info, context);
		return;
	}
	if (has_interrupted(slot, info, context))
		ticker_interrupted++;
	weight = timers_take_ticks(slot, 1 + (uint64_t)(unsigned)info->si_overrun);
	if (weight > 0)
		count(context, atomic_load_explicit(&slot->thread, memory_order_relaxed), weight);
}

static int install(int signal)
{
	const int flags = SA_SIGINFO | SA_RESTART;
	struct sigaction action = {
		.sa_sigaction = handle,
		.sa_flags = atomic_load(&ticker.leaves_stacks) ? flags : flags | SA_ONSTACK};

	sigfillset(&action.sa_mask);
	return owner_sigaction(signal, &action, NULL) == 0 ? 0 : -errno;
}

/* Installs the handler for the first signal that nobody has taken, from SIGRTMAX - 2 downward. */
static int install_free(void)
{
	struct sigaction action;

	/* The two highest are the last resort: programs that take one or two like those. */
	for (int i = 0; i <= SIGRTMAX - SIGRTMIN; i++) {
		int signal = SIGRTMAX - (i + 2) % (SIGRTMAX - SIGRTMIN + 1);

		if (owner_sigaction(signal, NULL, &action) < 0 || action.sa_handler != SIG_DFL ||
		    signal == atomic_load(&ticker.signal))
			continue;
		if (install(signal) < 0)
			continue;
		owner_signal_taken(&action);
		return signal;
	}
	return -EBUSY;
}

int ticker_start(unsigned rate, int signal, const struct ticker_counts *counts)
{
	int r;

	ticker.counts = *counts;
	ticker.timers_interrupt = timers_interrupt_calls();
	timers_init(rate);
	if (signal == 0)
		r = install_free();
	else
		r = install(signal) == 0 ? signal : -EBUSY;
	if (r < 0)
		return r;
	atomic_store(&ticker.signal, r);
	return 0;
}

void ticker_leave_stacks(void)
{
	int signal = atomic_load(&ticker.signal);

	if (!atomic_exchange(&ticker.leaves_stacks, true) && signal)
		install(signal);
}

bool ticker_handles(const struct sigaction *action)
{
	return action->sa_sigaction == handle;
}

int ticker_signal(void)
{
	return atomic_load(&ticker.signal);
}

int ticker_move(void)
{
	int signal = install_free();

	if (signal < 0)
		return signal;
	atomic_store(&ticker.signal, signal);
	timers_move();
	return 0;
}
