/* SPDX-License-Identifier: MIT */
/*
 * profil() and profil_r() of the shared library, with real ticks. The C library's own profil() can
 * run beside ours, because the two use different clocks and signals: it is the reference.
 */

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "libsample/profil.h"

#define PERIOD 0.01

extern const char __executable_start, etext; /* the linker's */

static double cpu_time(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Code that stays inside this executable but for a call of the vDSO's clock each microsecond. */
static void burn(double seconds)
{
	double end = cpu_time(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (cpu_time(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 20000; i++)
			;
}

static size_t text_size(void)
{
	return (size_t)(&etext - &__executable_start);
}

static size_t text_start(void)
{
	return (size_t)&__executable_start;
}

static uint64_t sum(const unsigned short *buf, size_t entries)
{
	uint64_t total = 0;

	for (size_t i = 0; i < entries; i++)
		total += buf[i];
	return total;
}

/* <unistd.h>, which programs include too, does not think that a buffer may be NULL. */
__attribute__((no_sanitize("nonnull-attribute"))) static int stop(void)
{
	unsigned short *volatile none = NULL;

	return profil(none, 0, 0, 0);
}

typedef int profil_function(unsigned short *, size_t, size_t, unsigned int);

static profil_function *library_profil(void)
{
	void *library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	return (profil_function *)(uintptr_t)dlsym(library, "profil");
}

static void compare(unsigned scale)
{
	/* An entry per two bytes is the most that a scale up to 0x10000 needs. */
	size_t bufsiz = text_size() + 64, entries = bufsiz / 2;
	unsigned short *ours = calloc(1, bufsiz), *theirs = calloc(1, bufsiz);
	double counted, reference;

	cr_assert(eq(int, library_profil()(theirs, bufsiz, text_start(), scale), 0));
	cr_assert(eq(int, profil(ours, bufsiz, text_start(), scale), 0));
	burn(0.5);
	cr_assert(eq(int, stop(), 0));
	library_profil()(NULL, 0, 0, 0);
	counted = (double)sum(ours, entries);
	reference = (double)sum(theirs, entries);
	/* Two samplings of the same time: 5 sigma of two independent counts, and the ends. */
	cr_assert_lt(fabs(counted - reference), 2 + 5 * sqrt(counted + reference),
		     "scale %x: %g ticks, the C library %g", scale, counted, reference);
	if (scale >= 2 && scale <= 0x10000)
		cr_assert_gt(counted, 25, "scale %x: %g ticks in half a second", scale, counted);
	free(ours);
	free(theirs);
}

Test(profil, counts_what_the_c_library_counts_at_every_scale)
{
	static const unsigned scales[] = {0,	  1,	   2,	    0x200,   0x1000,  0x7ffd,
					  0x8000, 0x10000, 0x10001, 0x20000, UINT_MAX};

	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
		compare(scales[i]);
}

Test(profil, keeps_inside_buffers_that_end_inside_the_text)
{
	static const size_t sizes[] = {0, 1, 2, 3, 255, 256};
	long page = sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(memory + page, (size_t)page, PROT_NONE);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		unsigned short *buf = (void *)(memory + page - (sizes[i] & ~1ul));

		cr_assert(eq(int, profil(buf, sizes[i], (size_t)burn, 0x10000), 0));
		burn(0.05);
		cr_assert(eq(int, profil(buf, sizes[i], (size_t)burn + (1u << 20), 0x1000), 0));
		burn(0.03);
	}
	stop();
}

Test(profil, replaces_the_first_buffer_by_the_second)
{
	unsigned short first[1] = {0}, second[1] = {0};

	profil(first, sizeof(first), text_start(), 2);
	burn(0.1);
	profil(second, sizeof(second), text_start(), 2);
	memset(first, 0, sizeof(first));
	burn(0.1);
	stop();
	cr_assert(eq(u16, first[0], 0));
	cr_assert(gt(u16, second[0], 5));
}

static void *burn_in_thread(void *seconds)
{
	burn(*(double *)seconds);
	return NULL;
}

static int burn_in_c11_thread(void *seconds)
{
	burn(*(double *)seconds);
	return 0;
}

/* Ticks of a histogram over this text, of @cpu seconds in @threads threads. */
static void check_total(uint64_t ticks, double cpu, int threads)
{
	double expected = cpu / PERIOD;
	/* Half a tick at each thread's ends, 5 sigma; what the kernel's own code takes; two more.
	 */
	double bound = 2.5 * sqrt(threads) + 0.03 * expected + 2;

	cr_assert_lt(fabs((double)ticks - expected), bound, "%lu ticks of %g", (unsigned long)ticks,
		     expected);
}

static pthread_barrier_t profiled;

/* Its work begins when it is profiled, however busy the machine. */
static void *burn_profiled(void *seconds)
{
	pthread_barrier_wait(&profiled);
	return burn_in_thread(seconds);
}

Test(profil, counts_threads_from_before_and_after_the_call)
{
	double before = 0.4, after = 0.3;
	unsigned short buf[8] = {0};
	pthread_t early, late;
	thrd_t c11;

	pthread_barrier_init(&profiled, NULL, 2);
	pthread_create(&early, NULL, burn_profiled, &before);
	profil(buf, sizeof(buf), text_start(), 2);
	pthread_barrier_wait(&profiled);
	pthread_create(&late, NULL, burn_in_thread, &after);
	thrd_create(&c11, burn_in_c11_thread, &after);
	pthread_join(early, NULL);
	pthread_join(late, NULL);
	thrd_join(c11, NULL);
	stop();
	check_total(sum(buf, 8), 1.0, 3);
}

Test(profil, does_not_profile_a_forked_child_until_it_asks)
{
	unsigned short *buf =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned short before;
	int status;
	pid_t child;

	profil(buf, 2, text_start(), 2);
	burn(0.05);
	stop();
	before = buf[0];
	profil(buf + 16, 2, text_start(), 2);
	child = fork();
	if (child == 0) {
		burn(0.1);
		buf[32] = buf[16];
		profil(buf + 48, 2, text_start(), 2);
		burn(0.1);
		stop();
		_exit(0);
	}
	waitpid(child, &status, 0);
	stop();
	cr_assert(gt(u16, before, 1));
	cr_assert(eq(int, status, 0));
	cr_assert(le(u16, buf[32], 1)); /* the parent's own tick, if any */
	cr_assert(gt(u16, buf[48], 5));
}

Test(profil_r, keeps_histograms_apart)
{
	struct profil fine = {0}, coarse = {0}, elsewhere = {0};
	size_t bufsiz = text_size() + 64;
	unsigned short *buf = calloc(1, bufsiz), one[4] = {0}, none[4] = {0};

	cr_assert(eq(int, profil_r(&fine, buf, bufsiz, text_start(), 0x10000), 0));
	cr_assert(eq(int, profil_r(&coarse, one, sizeof(one), text_start(), 2), 0));
	cr_assert(eq(int, profil_r(&elsewhere, none, sizeof(none), 0x1000, 0x10000), 0));
	burn(0.3);
	profil_r(&fine, NULL, 0, 0, 0);
	burn(0.1);
	profil_r(&coarse, NULL, 0, 0, 0);
	profil_r(&elsewhere, NULL, 0, 0, 0);
	check_total(sum(buf, bufsiz / 2), 0.3, 1);
	check_total(sum(one, 4), 0.4, 1);
	cr_assert(eq(u64, sum(none, 4), 0));
	free(buf);
}

/* Unmapped as soon as it is stopped: a thread that still touched it would die of SIGSEGV. */
Test(profil_r, leaves_a_buffer_alone_once_it_is_stopped)
{
	double seconds = 1.0;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, burn_in_thread, &seconds);
	for (int i = 0; i < 400; i++) {
		static struct profil histogram;
		unsigned short *buf = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		cr_assert(eq(int, profil_r(&histogram, buf, 4096, text_start(), 2), 0));
		usleep(2000);
		cr_assert(eq(int, profil_r(&histogram, NULL, 0, 0, 0), 0));
		munmap(buf, 4096);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
