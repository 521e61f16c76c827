/* SPDX-License-Identifier: MIT */
/*
 * All signals that others may send are blocked and read from a signalfd; no disposition changes,
 * so that what was ignored when profrun started stays ignored in the target.
 */

#include "cli/launch/launch_signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/monotonic.h"

/*
 * timeout(1) sends its signal to its child and then to the group, which must not become two. The
 * second follows within microseconds, or as soon as the sender is scheduled again.
 */
#define HOLD_MS 10

/* Programs that end sooner are not worth a witness that lasts. */
#define RENEW_MS 20

/*
 * Not caught: what cannot be, what profrun's own faults and writes raise in itself, and the limit
 * of CPU time, which the target has for itself.
 */
static const int not_caught[] = {
	SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,
	SIGTRAP, SIGSYS,  SIGPIPE, SIGXFSZ, SIGXCPU,
};

static int64_t now_ms(void)
{
	return (int64_t)(monotonic_nanoseconds() / 1000000);
}

int launch_signals_init(struct launch_signals *signals)
{
	struct sigaction deflt = {.sa_handler = SIG_DFL};

	memset(signals, 0, sizeof(*signals));
	sigfillset(&signals->caught);
	for (size_t i = 0; i < sizeof(not_caught) / sizeof(not_caught[0]); i++)
		sigdelset(&signals->caught, not_caught[i]);
	/* Where SIGCHLD is ignored the kernel reaps the target and nobody learns its status. */
	sigaction(SIGCHLD, &deflt, &signals->start_child);
	sigprocmask(SIG_BLOCK, &signals->caught, &signals->start_mask);
	signals->fd = signalfd(-1, &signals->caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return -errno;
	launch_group_init(&signals->group);
	signals->renew_ms = now_ms() + RENEW_MS;
	return 0;
}

void launch_signals_done(struct launch_signals *signals)
{
	launch_group_done(&signals->group);
	if (signals->fd >= 0)
		close(signals->fd);
	launch_signals_restore(signals);
}

void launch_signals_restore(const struct launch_signals *signals)
{
	sigaction(SIGCHLD, &signals->start_child, NULL);
	sigprocmask(SIG_SETMASK, &signals->start_mask, NULL);
}

/* A value sent by sigqueue(3) goes along. */
static void pass_on(const struct signalfd_siginfo *info, pid_t pid)
{
	siginfo_t queued = {0};

	if (pid <= 0)
		return;
	if (info->ssi_code != SI_QUEUE) {
		kill(pid, (int)info->ssi_signo);
		return;
	}
	queued.si_signo = (int)info->ssi_signo;
	queued.si_code = SI_QUEUE;
	queued.si_pid = (pid_t)info->ssi_pid;
	queued.si_uid = info->ssi_uid;
	queued.si_value.sival_ptr = (void *)(uintptr_t)info->ssi_ptr;
	syscall(SYS_rt_sigqueueinfo, pid, queued.si_signo, &queued);
}

static void remove_held(struct launch_signals *signals, size_t index)
{
	signals->held_count--;
	memmove(&signals->held[index], &signals->held[index + 1],
		(signals->held_count - index) * sizeof(signals->held[0]));
}

/* The same sender sent it to profrun and then to the group: the target had it. */
static void forget_held(struct launch_signals *signals, const struct signalfd_siginfo *info)
{
	for (size_t i = signals->held_count; i-- > 0;)
		if (signals->held[i].info.ssi_signo == info->ssi_signo &&
		    signals->held[i].info.ssi_pid == info->ssi_pid)
			remove_held(signals, i);
}

static void hold(struct launch_signals *signals, const struct signalfd_siginfo *info, pid_t pid)
{
	struct launch_signal *held;

	if (signals->held_count == LAUNCH_SIGNALS_HELD) {
		pass_on(&signals->held[0].info, pid);
		remove_held(signals, 0);
	}
	held = &signals->held[signals->held_count++];
	held->info = *info;
	held->until_ms = now_ms() + HOLD_MS;
}

/* Its own, the witness' and the news of children say nothing to the target. */
static bool is_internal(const struct launch_signals *signals, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD || info->ssi_pid == (uint32_t)getpid())
		return true;
	return launch_group_is_witness(&signals->group, (pid_t)info->ssi_pid);
}

/* What the group's signal took away from the target is not given to it after all. */
static void forget_undone(struct launch_signals *signals, uint32_t signal)
{
	for (size_t i = signals->held_count; i-- > 0;)
		if (WITNESS_BIT(signals->held[i].info.ssi_signo) & launch_group_undone_by(signal))
			remove_held(signals, i);
}

static void handle(struct launch_signals *signals, const struct signalfd_siginfo *info, pid_t pid)
{
	if (!is_internal(signals, info)) {
		if (launch_group_had(&signals->group, info)) {
			forget_held(signals, info);
			forget_undone(signals, info->ssi_signo);
		} else {
			hold(signals, info, pid);
		}
	}
	launch_group_settle(&signals->group, launch_group_undone_by(info->ssi_signo));
}

void launch_signals_catch_up(struct launch_signals *signals, pid_t pid)
{
	struct signalfd_siginfo info;
	uint64_t came = 0;

	while (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (is_internal(signals, &info))
			continue;
		came |= WITNESS_BIT(info.ssi_signo);
		pass_on(&info, pid);
	}
	launch_group_settle(&signals->group, came);
}

void launch_signals_read(struct launch_signals *signals, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		handle(signals, &info, pid);
}

int launch_signals_release(struct launch_signals *signals, pid_t pid)
{
	int64_t now;

	if (signals->held_count == 0)
		return -1;
	now = now_ms();
	while (signals->held_count > 0) {
		struct launch_signal *first = &signals->held[0];

		if (first->until_ms > now)
			return (int)(first->until_ms - now);
		if (!launch_group_follows(&signals->group, &first->info))
			pass_on(&first->info, pid);
		remove_held(signals, 0);
	}
	return -1;
}

int launch_signals_renew(struct launch_signals *signals, pid_t pid)
{
	int64_t now;

	if (!signals->renew_ms)
		return -1;
	now = now_ms();
	if (now < signals->renew_ms)
		return (int)(signals->renew_ms - now);
	signals->renew_ms = 0;
	launch_group_renew(&signals->group);
	/* What came before the new witness was there, only the old one knows. */
	launch_signals_read(signals, pid);
	launch_group_retire(&signals->group);
	return -1;
}

static void stop_self(const struct launch_signals *signals, int signal)
{
	struct sigaction deflt = {.sa_handler = SIG_DFL}, before;
	sigset_t one;

	if (signal == SIGSTOP) {
		raise(SIGSTOP);
		return;
	}
	sigemptyset(&one);
	sigaddset(&one, signal);
	sigaction(signal, &deflt, &before);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigprocmask(SIG_BLOCK, &signals->caught, NULL);
	sigaction(signal, &before, NULL);
}

static bool continues(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGCONT) == 1;
}

void launch_signals_stop(struct launch_signals *signals, pid_t pid, int signal)
{
	while (signals->held_count > 0) {
		pass_on(&signals->held[0].info, pid);
		remove_held(signals, 0);
	}
	/* A SIGSTOP to the group has stopped profrun already, or does so any moment. */
	if (signal == SIGSTOP && launch_group_is_stopped(&signals->group))
		return;
	launch_group_watch(&signals->group, pid);
	/* Stopping would take away a SIGCONT that has come meanwhile. */
	if (!continues())
		stop_self(signals, signal);
	launch_group_watch(&signals->group, 0);
	/* What continued profrun must not be taken for what follows the next stop. */
	launch_signals_read(signals, pid);
}
