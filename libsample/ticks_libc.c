/* SPDX-License-Identifier: MIT */
/* The C library's profil(), found by name: a program that links libsample has another one. */

#include "libsample/ticks_libc.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "libsample/image.h"
#include "libsample/next.h"
#include "libsample/owner.h"

static int (*library_profil)(unsigned short *, size_t, size_t, unsigned int);
static const struct profil *_Atomic running;
static const struct profil *paused;

int ticks_libc_start(const struct profil *histogram)
{
	struct sigaction action;

	*(void **)&library_profil = next_find_in("libc.so.6", "profil");
	if (!library_profil)
		return -ENOSYS;
	if (owner_sigaction(SIGPROF, NULL, &action) < 0 || action.sa_handler != SIG_DFL)
		return -EBUSY;
	running = histogram;
	ticks_libc_resume();
	return 0;
}

void ticks_libc_give_way(void)
{
	if (!running)
		return;
	running = NULL;
	library_profil(NULL, 0, 0, 0);
	image_record(ARENA_REASON_SIGPROF, -EBUSY);
}

void ticks_libc_pause(void)
{
	paused = running;
	running = NULL;
	if (paused)
		library_profil(NULL, 0, 0, 0);
}

void ticks_libc_resume(void)
{
	const struct profil *histogram = running ? running : paused;

	if (!histogram)
		return;
	/* Not running while it starts: the library's own sigaction and setitimer come by here. */
	running = NULL;
	library_profil(histogram->buf, histogram->entries * sizeof(*histogram->buf),
		       histogram->start, histogram->scale);
	running = histogram;
}
