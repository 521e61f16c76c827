/* SPDX-License-Identifier: MIT */
/*
 * The arena is reached by the path in the control variable or, where that is refused, by a socket.
 * Everything is written through mappings: a write(2) would meet the program's RLIMIT_FSIZE, whose
 * signal kills.
 */

#include "libsample/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libsample/handover.h"
#include "libsample/layout.h"
#include "libsample/sys.h"

#define HEADER_SIZE ARENA_ALIGNMENT

/* Of slices for children that are mapped at once, and of the address space that they may take. */
#define SPARES	    8
#define SPARES_SIZE (UINT64_C(64) << 20)

static struct {
	char path[64];	  /* of the arena */
	unsigned profrun; /* its pid */
	uint64_t nonce;
	uint64_t size;
	uint32_t outer_pid; /* ours in profrun's PID namespace; 0: profrun did not say */
	uint32_t own_pid;
	bool same_pids; /* getpid(2) says what profrun sees */
	int fd;
	struct arena_header *header;
	struct arena_image *slice;
	uint64_t length, head;	  /* of the slice, and of its part before the counts */
	struct arena_slot *slots; /* a window of them */
	uint32_t window;
} image = {.fd = -1};

/*
 * Slices for the children that are still to come: a program that forks often opens and maps the
 * arena once for many of them.
 */
static struct {
	char *window;	 /* of all of them; it stays where it was mapped first */
	uint64_t offset; /* of the window in the arena */
	uint32_t next, count;
	bool wanted;			     /* this is not the first fork */
	_Atomic(struct arena_image *) ready; /* for the fork that is under way */
	uint64_t ready_offset;
} spares __attribute__((section(".data"))); /* with what else a child writes to */

struct arena_image *image_current(void)
{
	return image.slice;
}

bool image_is_own(void)
{
	return image.slice && image.own_pid == (uint32_t)sys_call(SYS_getpid);
}

uint64_t image_cpu(void)
{
	return sys_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void image_signal_moved(int signal)
{
	if (image.slice)
		image.slice->signal = (uint32_t)signal;
}

void image_record(enum arena_reason reason, int error)
{
	uint32_t none = ARENA_REASON_NONE;

	if (image.slice && atomic_compare_exchange_strong(&image.slice->reason, &none, reason))
		atomic_store(&image.slice->error, error);
}

/* Whether the entry is, or now is, the one of @path. */
static bool is_unentered(struct arena_unentered *entry, const char *path)
{
	uint32_t state = 0;

	if (atomic_compare_exchange_strong(&entry->state, &state, 1)) {
		memcpy(entry->path, path, strlen(path) + 1);
		atomic_store(&entry->state, 2);
		return true;
	}
	return state == 2 && strncmp(entry->path, path, sizeof(entry->path)) == 0;
}

struct arena_unentered *image_unentered(const char *path)
{
	if (!image.header)
		return NULL;
	for (size_t i = 0; i < ARENA_UNENTERED; i++) {
		struct arena_unentered *entry = &image.header->unentered[i];

		if (!is_unentered(entry, path))
			continue;
		atomic_fetch_add(&entry->times, 1);
		return entry;
	}
	return NULL;
}

void image_mark_traced(uint32_t pid, bool traced)
{
	if (image.header)
		atomic_store(&image.header->traced[pid % ARENA_TRACED], traced ? pid : 0);
}

bool image_is_traced(void)
{
	uint32_t pid = (uint32_t)sys_call(SYS_getpid);

	return image.header && atomic_load(&image.header->traced[pid % ARENA_TRACED]) == pid;
}

/* For an image without a slice: best effort, and never past the program's own file size limit. */
static void record_failure(enum arena_reason reason, int error)
{
	struct arena_failure failure = {
		.pid = (uint32_t)sys_call(SYS_getpid), .reason = reason, .error = error};
	off_t at = ARENA_FAILURES_OFFSET + failure.pid % ARENA_FAILURES * sizeof(failure);
	struct rlimit limit;

	if (sys_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) == 0 &&
	    limit.rlim_cur >= (rlim_t)at + sizeof(failure))
		sys_call(SYS_pwrite64, image.fd, &failure, sizeof(failure), at);
}

/* By system calls: a forked child should not have to look up functions first. */
static void *map(int fd, uint64_t offset, size_t size)
{
	long r = sys_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	return r < 0 && r > -4096 ? NULL : (void *)r;
}

/* The parts of "/proc/PID/fd/N:NONCE". */
static int parse_control(const char *control)
{
	const char *nonce = strrchr(control, ':');
	size_t length = nonce ? (size_t)(nonce - control) : 0;

	if (length == 0 || length >= sizeof(image.path) ||
	    sscanf(nonce, ":%16" SCNx64, &image.nonce) != 1 ||
	    sscanf(control, "/proc/%u/fd/", &image.profrun) != 1)
		return -EINVAL;
	memcpy(image.path, control, length);
	image.path[length] = '\0';
	return 0;
}

/* A descriptor of the arena, which only a sealed memfd can be; or a negative errno. */
static int open_arena(void)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	int found, fd;

	image.outer_pid = 0;
	fd = (int)sys_call(SYS_openat, AT_FDCWD, image.path,
			   O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		fd = handover_receive(image.profrun, image.nonce, &image.outer_pid);
	if (fd < 0)
		return fd;
	found = (int)sys_call(SYS_fcntl, fd, F_GET_SEALS, 0);
	if (found >= 0 && (found & seals) == seals)
		return fd;
	sys_call(SYS_close, fd);
	return -EBADF;
}

static int is_ours(const struct arena_header *header)
{
	return header->magic == ARENA_MAGIC && header->version == ARENA_VERSION &&
	       header->nonce == image.nonce;
}

const struct arena_header *image_open(const char *control)
{
	if (parse_control(control) < 0)
		return NULL;
	image.fd = open_arena();
	if (image.fd < 0)
		return NULL;
	image.header = map(image.fd, 0, HEADER_SIZE);
	if (!image.header)
		record_failure(ARENA_REASON_MAP, -ENOMEM);
	else if (is_ours(image.header)) {
		image.size = image.header->size;
		return image.header;
	}
	if (image.header)
		sys_call(SYS_munmap, image.header, HEADER_SIZE);
	image.header = NULL;
	image_close();
	return NULL;
}

void image_close(void)
{
	if (image.fd >= 0)
		sys_call(SYS_close, image.fd);
	image.fd = -1;
}

static uint64_t slice_size(uint64_t length)
{
	return (length + ARENA_ALIGNMENT - 1) & ~(ARENA_ALIGNMENT - 1);
}

/* Takes @size bytes of the arena; false: it has no room left. */
static bool slices_take(uint64_t size, uint64_t *ret_offset)
{
	uint64_t offset = atomic_fetch_add(&image.header->next_slice, size);

	*ret_offset = offset;
	return offset >= ARENA_SLICES_OFFSET && offset <= image.size && size <= image.size - offset;
}

/* Maps a new slice of @length bytes; *ret_offset is where it lies in the arena. */
static void *slice_map(uint64_t length, uint64_t *ret_offset)
{
	void *slice;

	if (!slices_take(slice_size(length), ret_offset)) {
		record_failure(ARENA_REASON_FULL, -ENOSPC);
		return NULL;
	}
	slice = map(image.fd, *ret_offset, length);
	if (!slice)
		record_failure(ARENA_REASON_MAP, -ENOMEM);
	else /* the program's core file is as large as without us */
		sys_call(SYS_madvise, slice, length, MADV_DONTDUMP);
	return slice;
}

/*
 * The slot at @number, in a window of slots that stays mapped: the next images that this process
 * forks will mostly find theirs in it.
 */
static struct arena_slot *slot_map(uint32_t number)
{
	const uint32_t per_window = ARENA_ALIGNMENT / sizeof(struct arena_slot);
	uint32_t window = number / per_window;

	if (!image.slots || window != image.window) {
		struct arena_slot *slots;

		if (image.fd < 0)
			image.fd = open_arena();
		slots = map(image.fd, ARENA_SLOTS_OFFSET + window * ARENA_ALIGNMENT,
			    ARENA_ALIGNMENT);
		if (!slots)
			return NULL;
		if (image.slots)
			sys_call(SYS_munmap, image.slots, ARENA_ALIGNMENT);
		image.slots = slots;
		image.window = window;
	}
	return &image.slots[number % per_window];
}

/* The slot tells profrun that @slice, at @offset of the arena, is complete. */
static int announce(struct arena_image *slice, uint64_t offset)
{
	uint32_t number = atomic_fetch_add(&image.header->next_slot, 1);
	struct arena_slot *slot;

	if (image.outer_pid)
		slice->pid = image.outer_pid;
	image.own_pid = (uint32_t)sys_call(SYS_getpid);
	image.same_pids = slice->pid == image.own_pid;
	if (number >= ARENA_SLOTS)
		return -ENOSPC;
	slot = slot_map(number);
	if (!slot)
		return -ENOMEM;
	slot->slice = offset;
	slot->length = image.length;
	slot->pid = slice->pid;
	__atomic_store_n(&slot->state, ARENA_SLOT_READY, __ATOMIC_RELEASE);
	return 0;
}

struct arena_image *image_new(int argc, char **argv)
{
	struct layout layout;
	uint64_t offset;
	int r;

	layout_measure(&layout, image.header, argc, argv);
	image.slice = slice_map(layout.length, &offset);
	if (!image.slice)
		return NULL;
	image.length = layout.length;
	image.head = layout.raw;
	layout_fill(&layout, image.slice);
	r = announce(image.slice, offset);
	if (r == 0)
		return image.slice;
	record_failure(r == -ENOSPC ? ARENA_REASON_FULL : ARENA_REASON_MAP, r);
	sys_call(SYS_munmap, image.slice, image.length);
	image.slice = NULL;
	return NULL;
}

/*
 * Most are never used: they take neither room that other images may need from an arena that could
 * not be made in full size, nor address space that the program may want itself.
 */
static bool may_map_spares(void)
{
	struct rlimit limit;

	return image.size >= ARENA_SIZE && sys_call(SYS_prlimit64, 0, RLIMIT_AS, 0, &limit) == 0 &&
	       limit.rlim_cur == RLIM_INFINITY;
}

static void spares_map(void)
{
	uint64_t size = slice_size(image.length), count = SPARES_SIZE / size;
	long r;

	if (count > SPARES)
		count = SPARES;
	if (count < 2 || !slices_take(count * size, &spares.offset))
		return;
	r = sys_call(SYS_mmap, spares.window, count * size, PROT_READ | PROT_WRITE,
		     spares.window ? MAP_SHARED | MAP_FIXED : MAP_SHARED, image.fd, spares.offset);
	if (r < 0 && r > -4096) {
		spares.window = NULL;
		return;
	}
	sys_call(SYS_madvise, r, count * size, MADV_DONTDUMP);
	spares.window = (char *)r;
	spares.next = 0;
	spares.count = (uint32_t)count;
	/* Their slots, too, are most likely these. */
	slot_map(atomic_load(&image.header->next_slot) % ARENA_SLOTS);
}

static void spares_renew(void)
{
	if (!may_map_spares())
		return;
	image.fd = open_arena();
	if (image.fd >= 0)
		spares_map();
	image_close();
}

void image_before_fork(bool may_open)
{
	uint64_t at;

	atomic_store(&spares.ready, NULL);
	/* In another PID namespace, or where profrun hands the arena over, it says who a child is.
	 */
	if (!image_is_own() || !image.same_pids)
		return;
	if (spares.next == spares.count && spares.wanted && may_open)
		spares_renew();
	spares.wanted = true;
	if (spares.next == spares.count)
		return;
	at = spares.next++ * slice_size(image.length);
	spares.ready_offset = spares.offset + at;
	atomic_store(&spares.ready, (struct arena_image *)(void *)(spares.window + at));
}

/* @slice replaces ours in one step: every pointer into it stays right. */
static int slice_replace(struct arena_image *slice, uint64_t size)
{
	long r = sys_call(SYS_mremap, slice, size, image.length, MREMAP_MAYMOVE | MREMAP_FIXED,
			  image.slice);

	return r < 0 && r > -4096 ? (int)r : 0;
}

/*
 * Our pid as profrun knows it, 0 if that is not certain: in a PID namespace of its own, a process
 * sees no parent.
 */
static uint32_t known_pid(void)
{
	if (!image.same_pids || (uint32_t)sys_call(SYS_getppid) != image.own_pid)
		return 0;
	return (uint32_t)sys_call(SYS_getpid);
}

/*
 * What was made ready, unless another child has it: a signal handler may have forked in between,
 * and a _Fork(3) finds what the last fork left. NULL: there is none for us.
 */
static struct arena_image *spare_take(uint32_t pid)
{
	struct arena_image *spare = atomic_exchange(&spares.ready, NULL);
	uint32_t nobody = 0;

	spares.next = spares.count = 0;
	spares.wanted = false;
	if (!spare || !pid ||
	    !__atomic_compare_exchange_n(&spare->pid, &nobody, pid, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return NULL;
	return spare;
}

int image_fork(void)
{
	uint32_t pid = known_pid();
	uint64_t offset = spares.ready_offset;
	struct arena_image *spare = spare_take(pid), *slice = spare;
	int r;

	image.outer_pid = 0;
	if (!spare) {
		image.fd = open_arena();
		if (image.fd < 0)
			return image.fd;
		slice = slice_map(image.length, &offset);
		if (!slice)
			return -ENOMEM;
	}
	layout_copy(slice, image.slice, image.head, pid);
	/* A spare one is mapped a second time, and leaves no hole where it was. */
	r = slice_replace(slice, spare ? 0 : image.length);
	return r < 0 ? r : announce(image.slice, offset);
}
