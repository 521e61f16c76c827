/* SPDX-License-Identifier: MIT */
/*
 * The arena: the one contract between profrun and the images (processes between two execs) that it
 * profiles. It is a memfd made by profrun, sealed against shrinking and growing, and sparse: a page
 * costs memory only once something in it was counted.
 *
 *   header | failures | slots, one per image | slices, one per image
 *
 * An image allocates its slice, or some more for its children, by adding to next_slice, and
 * announces one by writing its slot.
 * Neither slots nor offsets are ever used again: the file has room for more images than a machine
 * can start, and profrun gives the memory of an ended image back by punching its slice out of the
 * file.
 *
 * Everything here is written by programs that profrun does not trust: it checks every value that
 * it reads. All offsets inside a slice are in bytes from the slice's start.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "libsample/profil.h"

/*
 * The control variable: "/proc/PID/fd/N:NONCE", where NONCE is 16 hexadecimal digits. Where that
 * path cannot be opened (chroot, dropped privileges, another PID namespace) the memfd is handed
 * over by the abstract socket "profrun-PID-NONCE".
 */
#define ARENA_VARIABLE "PROFRUN_ARENA"

/* The file of the preload module. */
#define ARENA_MODULE "profrun-preload.so"

#define ARENA_MAGIC   0x31616e6572617270u /* "prarena1" */
#define ARENA_VERSION 1

#define ARENA_FAILURES_OFFSET (UINT64_C(1) << 16)
#define ARENA_FAILURES	      1024
#define ARENA_SLOTS_OFFSET    (UINT64_C(1) << 20)
#define ARENA_SLOTS	      (UINT32_C(1) << 24)
#define ARENA_SLICES_OFFSET   (UINT64_C(1) << 31)
#define ARENA_SIZE	      (UINT64_C(1) << 46)
#define ARENA_ALIGNMENT	      (UINT64_C(1) << 16) /* of slices: a multiple of every page size */

#define ARENA_BUILD_ID_MAX  64
#define ARENA_PRELOAD_MAX   4096
#define ARENA_EXEC_PATH_MAX 512
#define ARENA_RAW_COUNT	    32768
#define ARENA_CARRY_COUNT   1024
#define ARENA_CLOSED	    256
#define ARENA_UNENTERED	    64
#define ARENA_TRACED	    1024
#define ARENA_THREADS	    (1u << 17) /* less one bit of a number than a pc leaves in 64 */
#define ARENA_THREAD_COUNTS (1u << 20)
#define ARENA_ANSWERS	    1024

enum arena_ticks {
	ARENA_TICKS_TIMER,
	ARENA_TICKS_LIBC,
	ARENA_TICKS_SIGNAL, /* profrun sends the ticks, as probes, and counts those that hit */
	ARENA_TICKS_KERNEL, /* profrun counts from outside: the image only registers its text */
};

enum arena_flags {
	ARENA_MAIN_ONLY = 1 << 0, /* only the main executable's text segment has a histogram */
	ARENA_NO_FOLLOW =
		1 << 1, /* take the control variables out of the environment, ignore forks */
	ARENA_THREADS_APART = 1 << 2, /* count each thread's ticks beside the histograms */
};

/*
 * A program that a child was about to execute and that the preload most likely did not enter.
 * Taken by who sets .state to 1, complete when that is 2.
 */
struct arena_unentered {
	_Atomic uint32_t state;
	_Atomic uint32_t times;
	char path[ARENA_EXEC_PATH_MAX];
};

struct arena_header {
	uint64_t magic;
	uint32_t version;
	uint32_t flags; /* enum arena_flags */
	uint64_t nonce;
	uint64_t size;
	uint32_t ticks; /* enum arena_ticks */
	uint32_t rate;	/* ticks per second of CPU time */
	uint32_t scale;
	uint32_t signal;	   /* to tick with; 0: the first that is free */
	_Atomic uint32_t counting; /* 0: ticks are not to be counted just now */
	uint32_t reserved;
	_Atomic uint64_t next_slice;
	_Atomic uint32_t next_slot;
	/* The LD_PRELOAD that the target should see with ARENA_NO_FOLLOW; size 0: not set. */
	uint32_t preload_size; /* with its NUL */
	char preload[ARENA_PRELOAD_MAX];
	struct arena_unentered unentered[ARENA_UNENTERED];
	/* Processes that another one traces, at index pid % ARENA_TRACED: it would see the ticks.
	 */
	_Atomic uint32_t traced[ARENA_TRACED];
};
_Static_assert(sizeof(struct arena_header) <= ARENA_FAILURES_OFFSET, "the header has a place");

/* Why an image is not, or not fully, profiled. */
enum arena_reason {
	ARENA_REASON_NONE,
	ARENA_REASON_MAP,      /* no memory could be mapped for its histograms */
	ARENA_REASON_FULL,     /* no slot or no slice was left */
	ARENA_REASON_SIGNAL,   /* no real-time signal is free */
	ARENA_REASON_TIMER,    /* a timer could not be created */
	ARENA_REASON_SIGPROF,  /* libc ticks: the program uses SIGPROF itself */
	ARENA_REASON_LIBC,     /* libc ticks: the C library has no profil() */
	ARENA_REASON_REGIONS,  /* no memory for the table of regions */
	ARENA_REASON_TRACED,   /* a debugger would see the signal that ticks */
	ARENA_REASON_FILTERED, /* a tick could not return: rt_sigreturn(2) is filtered */
	ARENA_REASON_CLOCK,    /* the kernel gives the program no clock without a system call */
	ARENA_REASON_COUNT,
};

/* An image that could not even map the header writes one of these, at index pid % ARENA_FAILURES.
 */
struct arena_failure {
	uint32_t pid;
	uint32_t reason; /* enum arena_reason */
	int32_t error;	 /* negative errno */
	uint32_t reserved;
};

enum arena_slot_state {
	ARENA_SLOT_EMPTY,
	ARENA_SLOT_READY,
};

struct arena_slot {
	uint64_t slice;	 /* offset in the arena */
	uint64_t length; /* bytes */
	uint32_t pid;
	uint32_t state; /* enum arena_slot_state; the slot is written in one piece */
	uint64_t reserved[5];
};

enum arena_region_flags {
	ARENA_REGION_MAIN = 1 << 0, /* of the main executable */
	ARENA_REGION_VDSO = 1 << 1,
	ARENA_REGION_OWN = 1 << 2, /* the preload module itself: the cost of profiling */
};

/* One executable segment of one loaded object, with its histogram. */
struct arena_region {
	uint64_t start;	       /* in the image's memory */
	uint64_t length;       /* bytes of text */
	uint64_t address;      /* link-time address of .start */
	uint64_t buckets;      /* offset of the histogram, uint16_t each */
	uint64_t buckets_size; /* bytes */
	uint32_t scale;
	uint32_t flags; /* enum arena_region_flags */
	uint32_t name;	/* offset of the object's path, NUL-terminated */
	uint32_t build_id_size;
	uint8_t build_id[ARENA_BUILD_ID_MAX];
	uint64_t carry; /* offset of a struct profil_carry with ARENA_CARRY_COUNT entries */
	uint64_t reserved;
};

/*
 * The value of the signal by which profrun asks a thread that nobody saw coming to arm itself: our
 * signal, queued with the code of a timer and this.
 */
#define ARENA_SUMMONS(nonce) ((nonce) ^ UINT64_C(0x73756d6d6f6e73))

/*
 * A probe: our signal, queued to a thread with the code of a timer and this value, which holds a
 * number other than 0 that is used once in many. The handler answers in the entry of that number.
 */
#define ARENA_PROBE_NUMBERS	   UINT64_C(0xffffffff)
#define ARENA_PROBE_TAG(nonce)	   (((nonce) ^ UINT64_C(0x70726f6265000000)) & ~ARENA_PROBE_NUMBERS)
#define ARENA_PROBE(nonce, number) (ARENA_PROBE_TAG(nonce) | (uint32_t)(number))

/* The answer to the probe of that number, at index number % ARENA_ANSWERS. */
struct arena_answer {
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds: when the handler ran */
	uint64_t pc;
	uint32_t in_kernel;	/* behind a system call that the probe had to wait for */
	_Atomic uint32_t probe; /* its number; written last */
};

/* A pc that lay in no region, and its ticks; lock-free open addressing by pc. */
struct arena_raw {
	_Atomic uint64_t pc; /* 0: free */
	_Atomic uint64_t ticks;
};

/* With ARENA_THREADS_APART: thread number N is the entry N - 1 of the image's table. */
struct arena_thread {
	_Atomic uint32_t tid;
	uint32_t ended;
	char name[16]; /* as prctl(PR_GET_NAME) gave it when it was armed, or when it ended */
};

/*
 * What one thread counted at one pc is in a table of struct arena_raw by this key instead of a pc.
 * Ticks that a blocked signal delayed are at pc 0. No user memory lies above 2^47 unless a program
 * asks for it.
 */
#define ARENA_PC_BITS 47
#define ARENA_THREAD_KEY(number, pc) \
	((uint64_t)(number) << ARENA_PC_BITS | ((pc) & ((UINT64_C(1) << ARENA_PC_BITS) - 1)))

/*
 * A segment that dlclose(3) removed in an epoch; a new epoch begins behind it. The key of an entry
 * of the raw table is its pc, of ARENA_EPOCH_SHIFT bits, and the epoch above it.
 */
#define ARENA_EPOCH_SHIFT 48
#define ARENA_RAW_KEY(epoch, pc) \
	((uint64_t)(epoch) << ARENA_EPOCH_SHIFT | ((pc) & ((UINT64_C(1) << ARENA_EPOCH_SHIFT) - 1)))

struct arena_closed {
	uint64_t start, length, address; /* as in struct arena_region */
	uint32_t epoch;
	uint32_t build_id_size;
	uint8_t build_id[ARENA_BUILD_ID_MAX];
	char name[416];
};

struct arena_image {
	uint64_t nonce;
	uint32_t pid, parent;
	uint32_t signal;
	uint64_t regions; /* offset of region_count struct arena_region */
	uint32_t region_count;
	uint32_t executable;   /* offset of the path, NUL-terminated */
	uint32_t command_line; /* offset, NUL-terminated, arguments joined by blanks, cut to fit */
	uint32_t directory;    /* offset of the working directory at start, "" if not known */
	uint64_t raw;	       /* offset of ARENA_RAW_COUNT struct arena_raw */
	uint64_t closed;       /* offset of ARENA_CLOSED struct arena_closed, a ring */
	/* Offsets of ARENA_THREADS and of ARENA_THREAD_COUNTS struct arena_raw; 0: not asked for.
	 */
	uint64_t threads, thread_counts;
	uint64_t answers; /* offset of ARENA_ANSWERS struct arena_answer; 0: nobody probes */
	/*
	 * Nanoseconds of CPU time that the process had used when its ticks began. A process that
	 * became this image by exec had used executing_cpu of them before.
	 */
	uint64_t start_cpu;
	uint64_t own_cpu;    /* of these: spent on getting ready to be profiled */
	uint64_t start_time; /* CLOCK_MONOTONIC, nanoseconds: when its text was registered */
	/* What follows is written while the program runs. */
	_Atomic uint64_t ticks;	    /* that were counted, wherever */
	_Atomic uint64_t squares;   /* sum of the squares of what each signal brought */
	_Atomic uint64_t outside;   /* of ticks: outside of every region and not in the raw table */
	_Atomic uint64_t blocked;   /* of ticks: delayed while the signal was blocked */
	_Atomic uint32_t raw_used;  /* entries of the raw table */
	_Atomic uint32_t raw_ticks; /* how often something was counted there */
	_Atomic uint32_t closed_count; /* ever written to the ring */
	_Atomic uint32_t untold;       /* not all that went in the epochs before is in the ring */
	_Atomic uint32_t epoch;
	_Atomic uint32_t thread_count;	/* threads in their table */
	_Atomic uint32_t armed;		/* threads that tick now */
	_Atomic uint32_t births;	/* threads that the program has started */
	_Atomic uint32_t sending;	/* not 0: profrun is about to send probes */
	_Atomic uint32_t woken;		/* probes that ended a system call of a thread early */
	_Atomic uint32_t reason;	/* enum arena_reason, the first that occurred */
	_Atomic int32_t error;		/* its negative errno */
	_Atomic uint32_t unarmed;	/* threads without ticks */
	_Atomic uint32_t executing;	/* 1 from just before an exec on, 0 again if it failed */
	_Atomic uint64_t executing_cpu; /* nanoseconds of CPU time before that exec */
	char exec_path[ARENA_EXEC_PATH_MAX];
};

#define ARENA_SOCKET_NAME 32 /* the length of one, at most */

/*
 * Writes the name (without a NUL before or behind) of the abstract socket of the profrun with @pid
 * and returns its length. The nonce is only hinted at: socket names are public.
 */
static inline int arena_socket_name(char name[ARENA_SOCKET_NAME], unsigned pid, uint64_t nonce)
{
	uint64_t hint = nonce * UINT64_C(0x9e3779b97f4a7c15);
	char digits[ARENA_SOCKET_NAME];
	int length = 0, count = 0;

	for (const char *start = "profrun-"; *start; start++)
		name[length++] = *start;
	do
		digits[count++] = (char)('0' + pid % 10);
	while (pid /= 10);
	while (count > 0)
		name[length++] = digits[--count];
	name[length++] = '-';
	for (int i = 0; i < 6; i++, hint <<= 4)
		name[length++] = "0123456789abcdef"[hint >> 60];
	return length;
}
