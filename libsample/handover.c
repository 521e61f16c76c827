/* SPDX-License-Identifier: MIT */
/* The target's side of the handover, by system calls: no cancellation point, errno left alone. */

#include "libsample/handover.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "libsample/arena.h"
#include "libsample/sys.h"

static int receive_descriptor(int fd, uint32_t *ret_own_pid)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
	struct iovec piece = {.iov_base = ret_own_pid, .iov_len = sizeof(*ret_own_pid)};
	struct msghdr message = {.msg_iov = &piece,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *header;
	long r = sys_call(SYS_recvmsg, fd, &message, MSG_CMSG_CLOEXEC);
	int received;

	if (r < 0)
		return (int)r;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EPROTO;
	memcpy(&received, CMSG_DATA(header), sizeof(received));
	return received;
}

int handover_receive(unsigned pid, uint64_t nonce, uint32_t *ret_own_pid)
{
	static const struct timeval patience = {.tv_usec = 500 * 1000};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int length = arena_socket_name(address.sun_path + 1, pid, nonce);
	int fd = (int)sys_call(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int r;

	if (fd < 0)
		return fd;
	sys_call(SYS_setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	sys_call(SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	r = (int)sys_call(SYS_connect, fd, &address,
			  offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
	if (r == 0)
		r = (int)sys_call(SYS_sendto, fd, &nonce, sizeof(nonce), MSG_NOSIGNAL, 0, 0);
	if (r >= 0)
		r = receive_descriptor(fd, ret_own_pid);
	sys_call(SYS_close, fd);
	return r;
}
