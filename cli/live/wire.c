/* SPDX-License-Identifier: MIT */
/* What passes between profrun and its viewer. */

#include "cli/live/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int wire_open(int ret_ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret_ends) < 0 ? -errno : 0;
}

/* Room for one descriptor. */
union ancillary {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int wire_send(int end, const struct wire_message *message, int fd)
{
	union ancillary ancillary = {.bytes = ""};
	struct iovec part = {.iov_base = (void *)message, .iov_len = sizeof(*message)};
	struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		ancillary.head = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof(fd)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(&ancillary.head), &fd, sizeof(fd));
		packet.msg_control = &ancillary;
		packet.msg_controllen = sizeof(ancillary);
	}
	return sendmsg(end, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int wire_receive(int end, struct wire_message *ret_message, int *ret_fd)
{
	union ancillary ancillary = {.bytes = ""};
	struct iovec part = {.iov_base = ret_message, .iov_len = sizeof(*ret_message)};
	struct msghdr packet = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &ancillary,
		.msg_controllen = sizeof(ancillary),
	};
	ssize_t size = recvmsg(end, &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *head = size > 0 ? CMSG_FIRSTHDR(&packet) : NULL;

	*ret_fd = -1;
	if (size < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -EPIPE;
	if (head && head->cmsg_type == SCM_RIGHTS)
		memcpy(ret_fd, CMSG_DATA(head), sizeof(*ret_fd));
	return size == (ssize_t)sizeof(*ret_message) ? 1 : -EPIPE;
}
