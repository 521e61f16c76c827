/* SPDX-License-Identifier: MIT */
/* profil_r(): any number of histograms at once; the ticks are the owner's. */

#include "libsample/profil.h"

#include <pthread.h>
#include <stdbool.h>

#include "libsample/export.h"
#include "libsample/histogram.h"
#include "libsample/owner.h"
#include "libsample/profil_lock.h"
#include "libsample/region.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void profil_fork_child(void)
{
	pthread_mutex_init(&lock, NULL);
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

	pthread_mutex_lock(&lock);
	if (histogram->active)
		end(histogram);
	if (buf) {
		histogram_init(histogram, buf, bufsiz, offset, scale);
		r = begin(histogram);
	}
	pthread_mutex_unlock(&lock);
	return r;
}
