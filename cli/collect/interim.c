/* SPDX-License-Identifier: MIT */
/*
 * Whoever connects has asked. Abstract names belong to who takes them first: both sides look whom
 * they have before them.
 */

#include "cli/collect/interim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/profile/pprof_read.h"
#include "cli/whole.h"
#include "symbolize/util.h"

#define ANSWER_MAX (1u << 30)

static socklen_t fill_address(struct sockaddr_un *address, pid_t pid)
{
	int length;

	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "profrun-report-%d",
			  (int)pid);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int interim_listen(int poll_fd)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct sockaddr_un address;
	socklen_t size = fill_address(&address, getpid());
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)&address, size) == 0 && listen(fd, 8) == 0 &&
	    epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event) == 0)
		return fd;
	close(fd);
	return -1;
}

static struct ucred peer_of(int fd)
{
	struct ucred peer = {.pid = 0, .uid = (uid_t)-1};
	socklen_t size = sizeof(peer);

	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	return peer;
}

int interim_accept(int socket)
{
	uid_t peer;
	int fd = socket < 0 ? -1 : accept4(socket, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return -1;
	peer = peer_of(fd).uid;
	if (peer == 0 || peer == geteuid())
		return fd;
	close(fd);
	return -1;
}

/* A profrun that has been stopped does not answer. */
#define PATIENCE_SECONDS 10

static int connect_to(pid_t pid, struct error *err)
{
	struct sockaddr_un address;
	socklen_t size = fill_address(&address, pid);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), code = 0;

	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, size) < 0)
		code = -errno;
	else if (peer_of(fd).pid != pid)
		code = -ESRCH;
	if (code == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return error_set(
		err, code,
		"--running '%d': no profrun with this PID is running a program here; it is "
		"profrun's own that is meant, as pgrep -x profrun tells it",
		(int)pid);
}

int interim_fetch(pid_t pid, struct profile **ret_profile, struct error *err)
{
	AUTO_FREE uint8_t *bytes = NULL;
	static const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
	AUTO_CLOSE int fd = connect_to(pid, err);
	struct error why;
	size_t size = 0;
	int code;

	if (fd < 0)
		return fd;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	code = whole_read(fd, ANSWER_MAX, &bytes, &size);
	if (code == -EAGAIN)
		return error_set(err, code, "--running '%d': no answer in %d s; is it stopped?",
				 (int)pid, PATIENCE_SECONDS);
	if (code < 0 && code != -ECONNRESET)
		return error_set(err, code, "--running '%d': no answer: ", (int)pid);
	if (size == 0 || code < 0)
		return error_set(err, -ESRCH,
				 "--running '%d': no answer; its program has ended, or is "
				 "another user's",
				 (int)pid);
	code = pprof_read(bytes, size, ret_profile, &why);
	return code < 0 ? error_set(err, code, "--running '%d': %.200s", (int)pid, why.text) : 0;
}
