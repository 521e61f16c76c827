/* SPDX-License-Identifier: MIT */
/* Opens events from the best kind to the least, and rings as large as the limits allow. */

#include "cli/ticks/kernel_clock.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbolize/util.h"

#define NANOSECONDS 1000000000u

/*
 * A ring holds what a busy CPU writes in the time that profrun may be kept from reading, many times
 * over. On machines of many CPUs all of them together must still be had in no time; there the rings
 * call earlier.
 */
#define RING_BYTES     (256u << 10)
#define RING_BYTES_MIN (32u << 10)
#define RINGS_BYTES    (8u << 20)

/* No faster than the kernel would go, with room for what else interrupts. */
#define PERIOD_MIN     100000 /* nanoseconds */
#define INHERITED_PACE 4

#define CPUS_MAX 8192

/*
 * Every new thread gets all events that its process inherited, which takes 3 us for each CPU
 * (measured): on large machines that would be many times what starting the thread takes.
 */
#define INHERITED_CPUS_MAX 16

struct kind {
	bool whole_cpu, user_only;
};

static const struct kind kinds[] = {
	{.whole_cpu = true},
	{.whole_cpu = false},
	{.whole_cpu = false, .user_only = true},
};

/* What all events of a clock have in common. */
struct plan {
	const struct kind *kind;
	pid_t pid;
	unsigned rate;
	size_t ring_bytes;
};

static struct perf_event_attr describe(const struct plan *plan, uint64_t period)
{
	const struct kind *kind = plan->kind;
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period,
		.exclude_idle = 1,
		.exclude_hv = 1,
		.exclude_kernel = kind->user_only,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(plan->ring_bytes / 4),
		.disabled = !kind->whole_cpu,
		.enable_on_exec = !kind->whole_cpu,
		.inherit = !kind->whole_cpu,
	};

	kernel_record_ask(&attributes);
	return attributes;
}

static int open_event(const struct plan *plan, uint64_t period, int cpu)
{
	struct perf_event_attr attributes = describe(plan, period);
	long fd = syscall(SYS_perf_event_open, &attributes, plan->kind->whole_cpu ? -1 : plan->pid,
			  cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Nanoseconds between samples: a few per cent, never the same, below what the rate asks for. */
static uint64_t choose_period(const struct plan *plan)
{
	uint64_t period = NANOSECONDS / plan->rate;
	uint32_t random = 0;

	if (!plan->kind->whole_cpu && period >= PERIOD_MIN * INHERITED_PACE)
		period /= INHERITED_PACE;
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		random = (uint32_t)getpid() * 0x9e3779b9u;
	return (uint64_t)((double)period * (0.90 + 0.06 * (double)random * 0x1p-32));
}

/* Locked memory is limited for each user: rings of a further profrun may have to be smaller. */
static int open_ring(struct kernel_ring *ring, int fd, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int r;

	do {
		r = kernel_ring_open(ring, fd, bytes > page ? bytes / page : 1);
		bytes /= 2;
	} while (r == -EPERM && bytes >= page);
	return r;
}

static int open_cpu(struct kernel_clock *clock, const struct plan *plan, int cpu)
{
	uint64_t period = choose_period(plan);
	int fd = open_event(plan, period, cpu), r;

	if (fd == -ENODEV)
		return 0; /* a CPU that is switched off */
	if (fd < 0)
		return fd;
	r = open_ring(&clock->rings[clock->count], fd, plan->ring_bytes);
	if (r < 0) {
		close(fd);
		return r;
	}
	clock->rings[clock->count++].period = period;
	return 0;
}

/* The CPUs on which @pid may run; freed by the caller. NULL: out of memory. */
static cpu_set_t *find_cpus(pid_t pid, int *ret_count)
{
	cpu_set_t *cpus = CPU_ALLOC(CPUS_MAX);

	if (!cpus)
		return NULL;
	CPU_ZERO_S(CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	if (sched_getaffinity(pid, CPU_ALLOC_SIZE(CPUS_MAX), cpus) < 0)
		CPU_SET_S(0, CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	*ret_count = CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	return cpus;
}

static size_t choose_ring(int cpus)
{
	size_t bytes = RING_BYTES;

	while (bytes > RING_BYTES_MIN && bytes * (size_t)cpus > RINGS_BYTES)
		bytes /= 2;
	return bytes;
}

static int open_all(struct kernel_clock *clock, const struct kind *kind, pid_t pid, unsigned rate)
{
	struct plan plan = {.kind = kind, .pid = pid, .rate = rate};
	int count = 0, r = 0;
	cpu_set_t *cpus = find_cpus(pid, &count);

	if (!cpus)
		return -ENOMEM;
	if (!kind->whole_cpu && count > INHERITED_CPUS_MAX)
		r = -E2BIG;
	plan.ring_bytes = choose_ring(count);
	*clock = (struct kernel_clock){.whole_cpu = kind->whole_cpu, .user_only = kind->user_only};
	clock->rings = r == 0 ? calloc((size_t)count, sizeof(*clock->rings)) : NULL;
	if (r == 0 && !clock->rings)
		r = -ENOMEM;
	for (int cpu = 0; r == 0 && cpu < CPUS_MAX; cpu++) {
		if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(CPUS_MAX), cpus))
			r = open_cpu(clock, &plan, cpu);
	}
	CPU_FREE(cpus);
	if (r == 0 && clock->count == 0)
		r = -ENODEV;
	if (r < 0)
		kernel_clock_close(clock);
	return r;
}

static int watch(const struct kernel_clock *clock, int poll_fd)
{
	/* Edges: an inherited event whose last thread has ended stays readable for ever. */
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};

	for (size_t i = 0; i < clock->count; i++) {
		if (epoll_ctl(poll_fd, EPOLL_CTL_ADD, clock->rings[i].fd, &event) < 0)
			return -errno;
	}
	return 0;
}

static int explain(int code, struct error *err)
{
	AUTO_FILE FILE *file = NULL;
	int level;

	if (code == -E2BIG)
		return error_set(err, code,
				 "a clock of its threads would slow the program down on a machine "
				 "with so many CPUs");
	/* A sandbox says EPERM, the kernel's own rules EACCES. */
	if (code == -EACCES)
		file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	if (!file || fscanf(file, "%d", &level) != 1)
		return error_set(err, code, "the kernel refuses its clock: ");
	return error_set(err, code, "the kernel refuses its clock: %s (perf_event_paranoid is %d)",
			 strerror(-code), level);
}

int kernel_clock_permitted(struct error *err)
{
	const struct plan plan = {.kind = &kinds[0], .ring_bytes = RING_BYTES};
	int cpu = sched_getcpu();
	AUTO_CLOSE int fd = open_event(&plan, NANOSECONDS, cpu < 0 ? 0 : cpu);

	return fd < 0 ? explain(fd, err) : 0;
}

bool kernel_clock_permitted_in_part(void)
{
	bool permitted = false;

	for (size_t i = 1; i < ARRAY_SIZE(kinds) && !permitted; i++) {
		const struct plan plan = {.kind = &kinds[i], .ring_bytes = RING_BYTES};
		int fd = open_event(&plan, NANOSECONDS, -1);

		permitted = fd >= 0;
		if (permitted)
			close(fd);
	}
	return permitted;
}

int kernel_clock_open(struct kernel_clock *clock, pid_t pid, unsigned rate, int poll_fd,
		      struct error *err)
{
	int r = -EACCES;

	for (size_t i = 0; (r == -EACCES || r == -EPERM) && i < ARRAY_SIZE(kinds); i++)
		r = open_all(clock, &kinds[i], pid, rate);
	if (r == 0) {
		r = watch(clock, poll_fd);
		if (r < 0)
			kernel_clock_close(clock);
	}
	return r < 0 ? explain(r, err) : 0;
}

void kernel_clock_close(struct kernel_clock *clock)
{
	for (size_t i = 0; i < clock->count; i++)
		kernel_ring_close(&clock->rings[i]);
	free(clock->rings);
	*clock = (struct kernel_clock){0};
}
