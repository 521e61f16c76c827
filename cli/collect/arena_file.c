/* SPDX-License-Identifier: MIT */
/* A sparse, sealed memfd: targets can scribble in it, but neither truncate nor grow it. */

#include "cli/collect/arena_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "symbolize/util.h"

#define HEADER_SIZE ARENA_ALIGNMENT

/*
 * A size above the file size limit is a SIGXFSZ, so the limit is raised for the moment. Kernels
 * and sandboxes differ in how large a memfd may be; each step leaves room for fewer images.
 */
static int set_size(struct arena_file *file)
{
	static const uint64_t sizes[] = {ARENA_SIZE, UINT64_C(1) << 42, UINT64_C(1) << 38};
	struct rlimit limit, raised;
	int r = -EFBIG;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return -errno;
	raised = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
	if (setrlimit(RLIMIT_FSIZE, &raised) < 0) {
		raised = (struct rlimit){limit.rlim_max, limit.rlim_max};
		setrlimit(RLIMIT_FSIZE, &raised);
	}
	for (size_t i = 0; i < ARRAY_SIZE(sizes) && r < 0; i++) {
		if (raised.rlim_cur != RLIM_INFINITY && raised.rlim_cur < sizes[i])
			continue;
		r = ftruncate(file->fd, (off_t)sizes[i]) == 0 ? 0 : -errno;
		file->size = sizes[i];
	}
	setrlimit(RLIMIT_FSIZE, &limit);
	return r;
}

static int make_file(struct arena_file *file, struct error *err)
{
	void *header;
	int r;

	file->fd = memfd_create("profrun", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file->fd < 0)
		return error_set(err, -errno, "cannot make shared memory: ");
	r = set_size(file);
	if (r == -EFBIG)
		return error_set(err, r,
				 "cannot size shared memory: the file size limit is too "
				 "low (raise it with 'ulimit -f unlimited')");
	if (r < 0)
		return error_set(err, r, "cannot size shared memory: ");
	if (fcntl(file->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return error_set(err, -errno, "cannot seal shared memory: ");
	header = mmap(NULL, HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
	if (header == MAP_FAILED)
		return error_set(err, -errno, "cannot map shared memory: ");
	file->header = header;
	return 0;
}

/* Without the socket only targets that cannot use /proc are lost. */
static void open_socket(struct arena_file *file)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int length = arena_socket_name(address.sun_path + 1, (unsigned)getpid(), file->nonce);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);

	file->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (file->socket < 0)
		return;
	if (bind(file->socket, (const struct sockaddr *)&address, size) == 0 &&
	    listen(file->socket, 128) == 0)
		return;
	close(file->socket);
	file->socket = -1;
}

static void fill_header(struct arena_file *file, const struct arena_settings *settings)
{
	struct arena_header *header = file->header;
	size_t size = settings->preload ? strlen(settings->preload) + 1 : 0;

	header->magic = ARENA_MAGIC;
	header->version = ARENA_VERSION;
	header->flags = settings->flags;
	header->nonce = file->nonce;
	header->size = file->size;
	header->ticks = settings->ticks;
	header->rate = settings->rate;
	header->scale = settings->scale;
	header->signal = settings->signal;
	atomic_store(&header->counting, settings->delay <= 0);
	atomic_store(&header->next_slice, ARENA_SLICES_OFFSET);
	if (size > 0 && size <= sizeof(header->preload)) {
		memcpy(header->preload, settings->preload, size);
		header->preload_size = (uint32_t)size;
	}
}

int arena_file_new(const struct arena_settings *settings, struct arena_file **ret_file,
		   struct error *err)
{
	struct arena_file *file = calloc(1, sizeof(*file));
	int r;

	if (!file)
		return error_set(err, -ENOMEM, "out of memory");
	file->fd = file->socket = -1;
	r = make_file(file, err);
	if (r == 0 && getrandom(&file->nonce, sizeof(file->nonce), 0) != sizeof(file->nonce))
		r = error_set(err, -errno, "cannot get random bytes: ");
	if (r < 0) {
		arena_file_free(file);
		return r;
	}
	snprintf(file->control, sizeof(file->control), "/proc/%d/fd/%d:%016" PRIx64, (int)getpid(),
		 file->fd, file->nonce);
	open_socket(file);
	fill_header(file, settings);
	*ret_file = file;
	return 0;
}

void arena_file_free(struct arena_file *file)
{
	if (!file)
		return;
	if (file->header)
		munmap(file->header, HEADER_SIZE);
	if (file->socket >= 0)
		close(file->socket);
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

static void send_descriptor(const struct arena_file *file, int peer)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
	struct ucred peer_process = {0};
	socklen_t size = sizeof(peer_process);
	uint32_t pid;
	struct iovec piece = {.iov_base = &pid, .iov_len = sizeof(pid)};
	struct msghdr message = {.msg_iov = &piece,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	/* The peer's pid in our namespace, which it may not know. */
	getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &peer_process, &size);
	pid = (uint32_t)peer_process.pid;
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &file->fd, sizeof(file->fd));
	sendmsg(peer, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The nonce follows the connection at once; whoever does not send it gets nothing. */
static void serve(const struct arena_file *file, int peer)
{
	static const struct timeval patience = {.tv_usec = 20 * 1000};
	uint64_t nonce;

	setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (recv(peer, &nonce, sizeof(nonce), 0) == sizeof(nonce) && nonce == file->nonce)
		send_descriptor(file, peer);
}

void arena_file_serve(struct arena_file *file)
{
	int peer;

	if (file->socket < 0)
		return;
	while ((peer = accept4(file->socket, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		serve(file, peer);
		close(peer);
	}
}

int arena_file_read(const struct arena_file *file, uint64_t offset, void *buffer, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t r =
			pread(file->fd, (char *)buffer + done, size - done, (off_t)(offset + done));

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return r < 0 ? -errno : -EIO;
		done += (size_t)r;
	}
	return 0;
}

int arena_file_each_data(const struct arena_file *file, uint64_t start, uint64_t end,
			 int (*function)(uint64_t offset, const void *bytes, size_t size,
					 void *data),
			 void *data)
{
	char buffer[65536] __attribute__((aligned(16)));

	while (start < end) {
		off_t found = lseek(file->fd, (off_t)start, SEEK_DATA);
		off_t hole = found < 0 ? -1 : lseek(file->fd, found, SEEK_HOLE);
		uint64_t stop;

		if (found < 0 || (uint64_t)found >= end)
			return 0;
		stop = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
		start = (uint64_t)found;
		while (start < stop) {
			size_t size = stop - start < sizeof(buffer) ? stop - start : sizeof(buffer);
			int r = arena_file_read(file, start, buffer, size);

			if (r == 0)
				r = function(start, buffer, size, data);
			if (r != 0)
				return r;
			start += size;
		}
	}
	return 0;
}

void arena_file_detach(struct arena_file *file)
{
	file->detached = true;
}

void *arena_file_map(const struct arena_file *file, uint64_t offset, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    file->detached ? MAP_PRIVATE : MAP_SHARED, file->fd, (off_t)offset);

	return memory == MAP_FAILED ? NULL : memory;
}

void arena_file_punch(const struct arena_file *file, uint64_t start, uint64_t end)
{
	if (file->detached)
		return;
	fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)start,
		  (off_t)(end - start));
}
