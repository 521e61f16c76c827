/* SPDX-License-Identifier: MIT */
/* profil_r(): any number of histograms at once; the ticks are the owner's. */

#include "libsample/profil.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "libsample/export.h"
#include "libsample/histogram.h"
#include "libsample/owner.h"
#include "libsample/profil_lock.h"
#include "libsample/region.h"
#include "libsample/sys.h"

/* Not the C library's: a program may have functions of the same names. */
enum { FREE, HELD, WAITED_FOR };
static _Atomic unsigned lock;

void profil_fork_child(void)
{
	atomic_store(&lock, FREE);
}

static void take_lock(void)
{
	unsigned state = FREE;

	if (atomic_compare_exchange_strong(&lock, &state, HELD))
		return;
	while (atomic_exchange(&lock, WAITED_FOR) != FREE)
		sys_call(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, WAITED_FOR, 0);
}

static void release_lock(void)
{
	if (atomic_exchange(&lock, FREE) == WAITED_FOR)
		sys_call(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1);
}

static void end(struct profil *histogram)
{
	region_remove(histogram);
	histogram->active = 0;
	if (region_count() == 0)
		owner_ticks_end();
}

static int begin(struct profil *histogram)
{
	bool first = region_count() == 0;
	int r = region_add(histogram);

	if (r < 0)
		return r;
	histogram->active = 1;
	if (!first)
		return 0;
	r = owner_ticks_begin();
	if (r < 0)
		end(histogram);
	return r;
}

/* Neither inlined nor cloned: debuggers and probes find every registration here. */
EXPORT __attribute__((noinline, used)) int profil_r(struct profil *histogram, unsigned short *buf,
						    size_t bufsiz, size_t offset,
						    unsigned int scale)
{
	int r = 0;

	take_lock();
	if (histogram->active)
		end(histogram);
	if (buf) {
		histogram_init(histogram, buf, bufsiz, offset, scale);
		r = begin(histogram);
	}
	release_lock();
	return r;
}
