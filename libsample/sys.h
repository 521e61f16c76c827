/* SPDX-License-Identifier: MIT */
/*
 * System calls without the C library: they leave errno alone, are async-signal-safe, and work
 * before the library is initialised. Each returns a value or a negative errno.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "system calls are known for x86-64 and aarch64"
#endif
}

#define SYS_SELECT_(_1, _2, _3, _4, _5, _6, _7, count, ...) count
#define sys_call(...)                                                                    \
	SYS_SELECT_(__VA_ARGS__, SYS_6_, SYS_5_, SYS_4_, SYS_3_, SYS_2_, SYS_1_, SYS_0_) \
	(__VA_ARGS__)
#define SYS_0_(n)	      sys_call6(n, 0, 0, 0, 0, 0, 0)
#define SYS_1_(n, a)	      sys_call6(n, (long)(a), 0, 0, 0, 0, 0)
#define SYS_2_(n, a, b)	      sys_call6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS_3_(n, a, b, c)    sys_call6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS_4_(n, a, b, c, d) sys_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS_5_(n, a, b, c, d, e) \
	sys_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define SYS_6_(n, a, b, c, d, e, f) \
	sys_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* Private memory, zeroed; NULL: there is none. */
static inline void *sys_map(size_t size)
{
	long r = sys_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	return r < 0 && r > -4096 ? NULL : (void *)r;
}

/* Nanoseconds on @clock; 0: there is no such clock (any more). */
static inline uint64_t sys_clock(clockid_t clock)
{
	struct timespec now = {0};

	sys_call(SYS_clock_gettime, clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
