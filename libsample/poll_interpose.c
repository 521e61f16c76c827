/* SPDX-License-Identifier: MIT */
/* Waiting for descriptors: see resume.h. */

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "libsample/export.h"
#include "libsample/next.h"
#include "libsample/resume.h"

static struct {
	int (*poll)(struct pollfd *, nfds_t, int);
	int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	int (*poll_chk)(struct pollfd *, nfds_t, int, size_t);
	int (*select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
	int (*pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *,
		       const sigset_t *);
	int (*epoll_wait)(int, struct epoll_event *, int, int);
	int (*epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
	int (*connect)(int, const struct sockaddr *, socklen_t);
} real;

void resume_resolve_poll(void)
{
	*(void **)&real.poll = next_find("poll");
	*(void **)&real.ppoll = next_find("ppoll");
	*(void **)&real.poll_chk = next_find("__poll_chk");
	*(void **)&real.select = next_find("select");
	*(void **)&real.pselect = next_find("pselect");
	*(void **)&real.epoll_wait = next_find("epoll_wait");
	*(void **)&real.epoll_pwait = next_find("epoll_pwait");
	*(void **)&real.connect = next_find("connect");
}

static void ensure(void)
{
	if (!real.poll)
		resume_resolve_poll();
}

/* Milliseconds until @end, rounded up as the kernel does: a wait must not end early. */
static int milliseconds_left(long long end)
{
	return (int)((resume_left(end) + 999999) / 1000000);
}

/* The time at which a wait of @milliseconds ends; not asked of the clock if it never or at once
 * does. */
static long long end_of(int milliseconds)
{
	return milliseconds > 0 ? resume_now() + milliseconds * 1000000ll : 0;
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	long long end = end_of(timeout);

	ensure();
	return RESUME(real.poll(fds, count, timeout),
		      timeout = timeout > 0 ? milliseconds_left(end) : timeout);
}

/* What poll() is in programs that are built with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size);

EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
	long long end = end_of(timeout);

	ensure();
	return RESUME(real.poll_chk(fds, count, timeout, size),
		      timeout = timeout > 0 ? milliseconds_left(end) : timeout);
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout)
{
	long long end = end_of(timeout);

	ensure();
	return RESUME(real.epoll_wait(epoll, events, count, timeout),
		      timeout = timeout > 0 ? milliseconds_left(end) : timeout);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout,
		       const sigset_t *mask)
{
	long long end = end_of(timeout);
	sigset_t room;

	ensure();
	mask = probe_hold_mask(mask, &room);
	return RESUME(real.epoll_pwait(epoll, events, count, timeout, mask),
		      timeout = timeout > 0 ? milliseconds_left(end) : timeout);
}

/* The time at which a wait of @timeout (NULL: for ever) ends. */
static long long end_of_timespec(const struct timespec *timeout)
{
	return timeout ? resume_end(timeout) : 0;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		 const sigset_t *mask)
{
	long long end = end_of_timespec(timeout);
	struct timespec left;
	sigset_t room;

	ensure();
	mask = probe_hold_mask(mask, &room);
	return RESUME(real.ppoll(fds, count, timeout, mask),
		      left = resume_timespec(timeout ? resume_left(end) : 0);
		      timeout = timeout ? &left : NULL);
}

EXPORT int pselect(int count, fd_set *reading, fd_set *writing, fd_set *exceptional,
		   const struct timespec *timeout, const sigset_t *mask)
{
	long long end = end_of_timespec(timeout);
	struct timespec left;
	sigset_t room;

	ensure();
	mask = probe_hold_mask(mask, &room);
	return RESUME(real.pselect(count, reading, writing, exceptional, timeout, mask),
		      left = resume_timespec(timeout ? resume_left(end) : 0);
		      timeout = timeout ? &left : NULL);
}

/* Linux leaves the rest of the time in @timeout, and the sets alone when it fails. */
EXPORT int select(int count, fd_set *reading, fd_set *writing, fd_set *exceptional,
		  struct timeval *timeout)
{
	ensure();
	return RESUME(real.select(count, reading, writing, exceptional, timeout), );
}

/* Only with SO_SNDTIMEO; a second call waits for the connection that the first began. */
EXPORT int connect(int fd, const struct sockaddr *address, socklen_t length)
{
	ensure();
	return RESUME(real.connect(fd, address, length), );
}
