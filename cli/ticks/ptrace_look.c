/* SPDX-License-Identifier: MIT */
/*
 * The thread stops at once unless it waits for a disk, or waits for the CPU that profrun is on: so
 * profrun first only lets others run, then sleeps a moment, and comes back later in the end. What
 * stops it may also be a signal on its way, which it gets when it is let go.
 */

#include "cli/ticks/ptrace_look.h"

#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#define YIELDS	  20
#define SLEEPS	  20
#define SLEEP_NS  100000
#define STOP_CODE 8 /* bits: what lies above them tells a trap of ptrace from a signal */

#if defined(__x86_64__)

/* Of 32 bits: what the kernel gives in place of the other. */
struct registers_32bit {
	uint32_t ebx, ecx, edx, esi, edi, ebp, eax, ds, es, fs, gs, orig_eax, eip;
};

static bool read_place(pid_t tid, struct ptrace_place *ret_place)
{
	union {
		struct user_regs_struct wide;
		struct registers_32bit narrow;
	} registers;
	struct iovec vector = {.iov_base = &registers, .iov_len = sizeof(registers)};

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &vector) < 0)
		return false;
	if (vector.iov_len == sizeof(registers.wide))
		*ret_place = (struct ptrace_place){
			.pc = registers.wide.rip,
			.in_kernel = (long)registers.wide.orig_rax >= 0,
		};
	else
		*ret_place = (struct ptrace_place){
			.pc = registers.narrow.eip,
			.in_kernel = (int32_t)registers.narrow.orig_eax >= 0,
			.is_32bit = true,
		};
	return true;
}

#else

#define ARM_PC 15 /* of the 32-bit registers */

static bool read_place(pid_t tid, struct ptrace_place *ret_place)
{
	union {
		struct user_regs_struct wide;
		uint32_t narrow[18];
	} registers;
	int call = -1;
	struct iovec vector = {.iov_base = &registers, .iov_len = sizeof(registers)};
	struct iovec call_vector = {.iov_base = &call, .iov_len = sizeof(call)};

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &vector) < 0)
		return false;
	ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &call_vector);
	*ret_place = (struct ptrace_place){
		.in_kernel = call >= 0,
		.is_32bit = vector.iov_len != sizeof(registers.wide),
	};
	ret_place->pc = ret_place->is_32bit ? registers.narrow[ARM_PC] : registers.wide.pc;
	return true;
}

#endif

static enum ptrace_result look_and_let_go(pid_t tid, int code, struct ptrace_place *ret_place)
{
	/* A stop of the whole group is told as a trap, and goes on by itself. */
	long signal = code >> STOP_CODE ? 0 : code;
	bool seen = read_place(tid, ret_place);

	ptrace(PTRACE_DETACH, tid, NULL, signal);
	return seen ? PTRACE_SEEN : PTRACE_GONE;
}

static bool has_news(pid_t tid, siginfo_t *news)
{
	news->si_pid = 0;
	return waitid(P_PID, (id_t)tid, news, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) <
		       0 ||
	       news->si_pid != 0;
}

static bool wait_for_news(pid_t tid, siginfo_t *news)
{
	const struct timespec time = {.tv_nsec = SLEEP_NS};

	for (int i = 0; i < YIELDS + SLEEPS; i++) {
		if (has_news(tid, news))
			return true;
		if (i < YIELDS)
			sched_yield();
		else
			nanosleep(&time, NULL);
	}
	return false;
}

static enum ptrace_result take_news(pid_t tid, bool is_child, siginfo_t *news,
				    struct ptrace_place *ret_place)
{
	if (news->si_pid == 0)
		return PTRACE_GONE;
	if (news->si_code != CLD_TRAPPED && news->si_code != CLD_STOPPED) {
		/* The real parent waits until its tracer has heard of the end. */
		if (!is_child)
			waitid(P_PID, (id_t)tid, news, WEXITED | WNOHANG | __WALL);
		return PTRACE_GONE;
	}
	waitid(P_PID, (id_t)tid, news, WSTOPPED | WNOHANG | __WALL);
	return look_and_let_go(tid, news->si_status, ret_place);
}

enum ptrace_result ptrace_look(pid_t tid, bool is_child, struct ptrace_place *ret_place)
{
	siginfo_t news;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0)
		return errno == ESRCH ? PTRACE_GONE : PTRACE_REFUSED;
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	if (!wait_for_news(tid, &news))
		return PTRACE_PENDING;
	return take_news(tid, is_child, &news, ret_place);
}

enum ptrace_result ptrace_look_again(pid_t tid, bool is_child, struct ptrace_place *ret_place)
{
	siginfo_t news;

	if (!has_news(tid, &news))
		return PTRACE_PENDING;
	return take_news(tid, is_child, &news, ret_place);
}

enum ptrace_result ptrace_look_stopped(pid_t tid, int status, struct ptrace_place *ret_place)
{
	return look_and_let_go(tid, status >> STOP_CODE, ret_place);
}
