/* SPDX-License-Identifier: MIT */
/*
 * profrun-preload.so: what profrun puts into a program. Inert without the control variable and in
 * programs that run with more rights than their caller. It registers the text of everything that is
 * loaded with profil_r() and starts the ticks; from then on the counts live in memory that profrun
 * owns, so nothing has to happen when the program ends.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libsample/close.h"
#include "libsample/exec.h"
#include "libsample/follow.h"
#include "libsample/filter.h"
#include "libsample/fork.h"
#include "libsample/guest.h"
#include "libsample/image.h"
#include "libsample/layout.h"
#include "libsample/mask.h"
#include "libsample/owner.h"
#include "libsample/probe.h"
#include "libsample/region.h"
#include "libsample/resume.h"
#include "libsample/sys.h"
#include "libsample/thread.h"
#include "libsample/thread_table.h"
#include "libsample/ticker.h"
#include "libsample/timers.h"
#include "libsample/ticks_libc.h"
#include "libsample/wait_interpose.h"

/*
 * What the handler relies on is private: a program that scribbles over the arena must not make it
 * follow a damaged pointer.
 */
static struct {
	uint32_t flags, ticks, rate, signal;
	uint64_t nonce; /* 0: not to be asked for anything */
} settings;
static const _Atomic uint32_t *counting; /* in the header: profrun changes it */
static struct profil *histograms;
static struct profil few_histograms[12]; /* enough for most programs, without a system call */

/* Ticks are started by start_ticks(), once all histograms are registered. */
int owner_ticks_begin(void)
{
	return 0;
}

void owner_ticks_end(void)
{
}

/* profrun has to know of a thread to send it ticks, however short it lives. */
void owner_thread_began(void)
{
	if (probe_may_come())
		atomic_fetch_add_explicit(&image_current()->births, 1, memory_order_relaxed);
}

void owner_thread_not_armed(int error)
{
	image_record(ARENA_REASON_TIMER, error);
	atomic_fetch_add(&image_current()->unarmed, 1);
}

/* Under a name that nobody interposes, not even we. */
int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

int owner_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	return __sigaction(signal, action, old);
}

static bool is_summons(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && settings.nonce &&
	       (uintptr_t)info->si_value.sival_ptr == ARENA_SUMMONS(settings.nonce);
}

/*
 * profrun found this thread using CPU time without ticks: made by a raw clone(2), in another
 * namespace of the dynamic linker, or the process by _Fork(3).
 */
static void answer_summons(void)
{
	if (image_is_own())
		timers_arm_summoned();
	else
		fork_child();
}

/* Kept out of the handler, whose frame lies on stacks of any size. */
__attribute__((noinline)) void owner_foreign_signal(int signal, siginfo_t *info, void *context)
{
	if (probe_answer(info, context))
		return;
	if (is_summons(info))
		answer_summons();
	else
		guest_deliver(signal, info, context);
}

static bool make_histograms(uint32_t count)
{
	histograms = few_histograms;
	if (count <= sizeof(few_histograms) / sizeof(*few_histograms))
		return true;
	histograms = sys_map(count * sizeof(*histograms));
	return histograms;
}

/* The main executable's text segment first: it is the first region of a slice. */
static void register_regions(struct arena_image *image)
{
	const struct arena_region *regions = layout_at(image, image->regions);

	if (!make_histograms(image->region_count)) {
		image_record(ARENA_REASON_REGIONS, -ENOMEM);
		return;
	}
	for (uint32_t i = 0; i < image->region_count; i++) {
		int r;

		histograms[i].carry = layout_at(image, regions[i].carry);
		histograms[i].carry_size = ARENA_CARRY_COUNT;
		r = profil_r(&histograms[i], layout_at(image, regions[i].buckets),
			     regions[i].buckets_size, regions[i].start, regions[i].scale);
		if (r < 0)
			image_record(ARENA_REASON_REGIONS, r);
	}
}

static void note_result(int r)
{
	if (r < 0)
		owner_thread_not_armed(r);
}

/* While there is no other; those that come arm themselves. */
static void arm_this_thread(void)
{
	note_result(timers_arm());
	timers_arm_new_threads();
}

static void arm(void)
{
	if (thread_any())
		note_result(timers_arm_all());
	else
		arm_this_thread();
}

/* Before any thread is armed. */
static void start_threads(struct arena_image *image)
{
	if (image->threads)
		thread_table_init(layout_at(image, image->threads), &image->thread_count);
}

/* Ticks begin now; what was done for them since @began, of the process's CPU time, is our own. */
static void note_start(struct arena_image *image, uint64_t began)
{
	image->start_cpu = image_cpu();
	image->own_cpu = image->start_cpu - began;
}

/* The handler stands; whoever ticks. False: it could not be. */
static bool start_ticker(struct arena_image *image)
{
	const struct ticker_counts counts = {
		.ticks = &image->ticks,
		.squares = &image->squares,
		.outside = &image->outside,
		.blocked = &image->blocked,
		.counting = counting,
		.raw_used = &image->raw_used,
		.raw_ticks = &image->raw_ticks,
		.epoch = &image->epoch,
		.raw = settings.flags & ARENA_MAIN_ONLY ? NULL : layout_at(image, image->raw),
		.threads = image->threads ? layout_at(image, image->thread_counts) : NULL,
	};
	int r = ticker_start(settings.rate, (int)settings.signal, &counts);

	if (r < 0)
		image_record(ARENA_REASON_SIGNAL, r);
	else
		image_signal_moved(ticker_signal());
	return r == 0;
}

static void start_timer(struct arena_image *image, uint64_t began)
{
	bool started = start_ticker(image);

	start_threads(image);
	timers_count_in(&image->armed);
	if (!started)
		return;
	mask_adopt();
	note_start(image, began);
	arm();
}

/* What comes before is never sent a tick: profrun begins with the image that has a signal. */
static void start_signal(struct arena_image *image, uint64_t began)
{
	int r = probe_start(settings.nonce, image);

	if (r < 0)
		image_record(ARENA_REASON_CLOCK, r);
	else if (start_ticker(image))
		mask_adopt();
	note_start(image, began);
}

static void start_libc(struct arena_image *image, uint64_t began)
{
	int r = image->region_count > 0 ? ticks_libc_start(histograms) : -ENOSYS;

	(void)began;
	if (r < 0)
		image_record(r == -EBUSY ? ARENA_REASON_SIGPROF : ARENA_REASON_LIBC, r);
}

static void start_ticks(struct arena_image *image, uint64_t began)
{
	static void (*const sources[])(struct arena_image *, uint64_t) = {
		[ARENA_TICKS_TIMER] = start_timer,
		[ARENA_TICKS_LIBC] = start_libc,
		[ARENA_TICKS_SIGNAL] = start_signal,
	};

	/* Whoever ticks from outside finds the histograms in the slice, and the rest itself. */
	if (settings.ticks >= sizeof(sources) / sizeof(*sources))
		return;
	if (image_is_traced())
		image_record(ARENA_REASON_TRACED, 0);
	else
		sources[settings.ticks](image, began);
}

static bool children_tick(void)
{
	return image_current() && ticker_signal() && !(settings.flags & ARENA_NO_FOLLOW) &&
	       settings.ticks != ARENA_TICKS_LIBC;
}

/* With other threads around, no descriptor may be open for a moment: they could meet it. */
static void provide_for_child(void)
{
	if (children_tick())
		image_before_fork(!thread_any());
}

/* A process of its own: its own slice, its own timer. Without one it is not profiled. */
static void continue_in_child(void)
{
	uint64_t began;
	int r;

	/* Its parent is traced, and does not tick: so may it be. */
	if (image_current() && image_current()->reason == ARENA_REASON_TRACED)
		image_mark_traced((uint32_t)sys_call(SYS_getpid), true);
	if (!children_tick())
		return;
	began = image_cpu();
	r = image_fork();
	image_close();
	if (r < 0)
		return;
	note_start(image_current(), began);
	if (settings.ticks == ARENA_TICKS_TIMER)
		arm_this_thread();
}

/* Takes @name out of the environment, or gives it the @value of @length bytes in its old place. */
static void restore_variable(const char *name, const char *value, size_t length)
{
	size_t name_length = strlen(name);

	for (char **entry = __environ; *entry; entry++) {
		if (strncmp(*entry, name, name_length) != 0 || (*entry)[name_length] != '=')
			continue;
		if (value) {
			/* Shorter than what profrun put there. */
			memmove(*entry + name_length + 1, value, length);
			(*entry)[name_length + 1 + length] = '\0';
			return;
		}
		for (; *entry; entry++)
			*entry = entry[1];
		return;
	}
}

/* Without following, neither the program nor its children see that profrun was here. */
static void restore_environment(const struct arena_header *header)
{
	restore_variable(ARENA_VARIABLE, NULL, 0);
	restore_variable("LD_PRELOAD", header->preload_size > 0 ? header->preload : NULL,
			 header->preload_size > 0 ? header->preload_size - 1 : 0);
}

static void take_settings(const struct arena_header *header)
{
	settings.flags = header->flags;
	settings.ticks = header->ticks;
	settings.rate = header->rate;
	settings.signal = header->signal;
	settings.nonce = header->nonce;
	counting = &header->counting;
	if (settings.flags & ARENA_NO_FOLLOW)
		restore_environment(header);
}

__attribute__((constructor)) static void enter(int argc, char **argv)
{
	const char *control = getauxval(AT_SECURE) ? NULL : getenv(ARENA_VARIABLE);
	const struct arena_header *header;
	struct arena_image *image;
	uint64_t began;

	if (!control)
		return;
	began = image_cpu();
	thread_resolve();
	exec_resolve();
	spawn_resolve();
	wait_resolve();
	resume_resolve_poll();
	resume_resolve_sleep();
	resume_resolve_wait();
	close_resolve();
	filter_resolve();
	header = image_open(control);
	if (!header)
		return;
	image = image_new(argc, argv);
	image_close();
	take_settings(header);
	if (!(settings.flags & ARENA_NO_FOLLOW))
		follow_remember(control);
	if (!image)
		return;
	register_regions(image);
	fork_install(provide_for_child, continue_in_child);
	start_ticks(image, began);
}
