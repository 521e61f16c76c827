/* SPDX-License-Identifier: MIT */
/*
 * The answer is written where profrun looks for it. The clock is the vDSO's function itself: the C
 * library's may be another by now, and a program whose system calls are filtered must not make one
 * in a handler.
 */

#include "libsample/probe.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "libsample/arena.h"
#include "libsample/context.h"
#include "libsample/late.h"
#include "libsample/layout.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/region.h"
#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"

#if defined(__x86_64__)
#define VDSO_CLOCK "__vdso_clock_gettime"
#else
#define VDSO_CLOCK "__kernel_clock_gettime"
#endif

/* Each lets others run: far more than profrun takes to send, even with its CPU shared. */
#define SETTLE_TRIES 20000

static struct {
	struct arena_image *image; /* NULL: nobody probes */
	struct arena_answer *answers;
	uint64_t tag;
	int (*clock)(clockid_t clock, struct timespec *time);
} probes;

/* Why a probe that had to wait came where it did: the function that held it back was called here.
 */
static _Thread_local const void *held_place __attribute__((tls_model("initial-exec")));

/* What the linker calls the ends of this module. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_own(uintptr_t pc)
{
	return pc - (uintptr_t)__ehdr_start < (uintptr_t)(etext - __ehdr_start);
}

int probe_start(uint64_t nonce, struct arena_image *image)
{
	*(void **)&probes.clock = next_find_in("linux-vdso.so.1", VDSO_CLOCK);
	if (!probes.clock)
		return -ENOSYS;
	probes.tag = ARENA_PROBE_TAG(nonce);
	probes.answers = layout_at(image, image->answers);
	probes.image = image;
	return 0;
}

bool probe_may_come(void)
{
	return probes.image;
}

bool probe_settle(void)
{
	if (!probes.image)
		return true;
	/* Either profrun sees what was written before, or this sees that profrun sends. */
	atomic_thread_fence(memory_order_seq_cst);
	for (int i = 0; i < SETTLE_TRIES; i++) {
		bool done = !atomic_load(&probes.image->sending);

		/* What had been sent comes with the end of any system call. */
		sys_call(SYS_sched_yield);
		if (done)
			return true;
	}
	return false;
}

bool probe_hold(const void *place)
{
	if (!probes.image || mask_block())
		return false;
	held_place = place;
	return true;
}

void probe_release(bool held)
{
	if (!held)
		return;
	mask_restore(false);
	held_place = NULL;
}

const sigset_t *probe_hold_mask(const sigset_t *mask, sigset_t *room)
{
	if (!probes.image || !mask)
		return mask;
	sigemptyset(room);
	set_from_bits(room, set_bits(mask) | set_ours(ticker_signal()));
	return room;
}

bool probe_answer(const siginfo_t *info, const ucontext_t *context)
{
	uint64_t value = (uintptr_t)info->si_value.sival_ptr;
	uint32_t number = (uint32_t)value;
	struct arena_answer *answer;
	struct timespec now;

	if (!probes.image || info->si_code != SI_TIMER || value - number != probes.tag)
		return false;
	probes.clock(CLOCK_MONOTONIC, &now);
	/* It ran when profrun looked, and slept when the probe came. */
	if (context_result(context) == -EINTR)
		atomic_fetch_add_explicit(&probes.image->woken, 1, memory_order_relaxed);
	answer = &probes.answers[number % ARENA_ANSWERS];
	answer->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	answer->pc = context_pc(context);
	answer->in_kernel = region_holds(answer->pc) && late_in_kernel(context);
	if (held_place && is_own(answer->pc)) {
		answer->pc = (uintptr_t)held_place;
		answer->in_kernel = true;
	}
	atomic_store_explicit(&answer->probe, number, memory_order_release);
	return true;
}
