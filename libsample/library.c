/* SPDX-License-Identifier: MIT */
/*
 * libsample.so: profil() for programs that link it, with ticks in every thread.
 *
 * <unistd.h> declares profil() with a non-null buffer, from which gcc concludes that the branch for
 * NULL cannot be taken and deletes it. Nothing that is included here may include it.
 */

#include "libsample/profil.h"

#include <dlfcn.h>

#include "libsample/export.h"
#include "libsample/fork.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/owner.h"
#include "libsample/profil_lock.h"
#include "libsample/region.h"
#include "libsample/thread.h"
#include "libsample/ticker.h"
#include "libsample/timers.h"

#define RATE 100 /* profil(3): every 10 ms */

static _Atomic uint64_t ticks, squares, outside;
static struct profil process_histogram;

/* The child has neither timers nor, by profil(3), a histogram. */
static void forget_in_child(void)
{
	profil_fork_child();
	region_clear();
}

void *next_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void load(void)
{
	thread_resolve();
	fork_install(NULL, forget_in_child);
}

int owner_ticks_begin(void)
{
	const struct ticker_counts counts = {
		.ticks = &ticks, .squares = &squares, .outside = &outside};
	int r = 0;

	if (!ticker_signal())
		r = ticker_start(RATE, 0, &counts);
	if (r < 0)
		return r;
	mask_adopt();
	return timers_arm_all();
}

void owner_ticks_end(void)
{
	timers_disarm_all();
}

void owner_thread_began(void)
{
}

/* profil(3) has no way to say that a thread is not counted. */
void owner_thread_not_armed(int error)
{
	(void)error;
}

int owner_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	return sigaction(signal, action, old);
}

void owner_signal_taken(const struct sigaction *action)
{
	(void)action;
}

/* Nobody else should send it; what the program would do with it is not known here. */
void owner_foreign_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
}

EXPORT int profil(unsigned short *buf, size_t bufsiz, size_t offset, unsigned int scale)
{
	profil_r(&process_histogram, buf, bufsiz, offset, scale);
	return 0;
}
