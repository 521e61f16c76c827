/* SPDX-License-Identifier: MIT */
/* When profrun looks, what it sends, and what it counts. */

#include "cli/ticks/signal_ticks.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cli/cpu_time.h"
#include "cli/monotonic.h"
#include "cli/ticks/signal_answers.h"
#include "cli/ticks/signal_permit.h"
#include "cli/ticks/signal_state.h"
#include "cli/ticks/signal_threads.h"

/* Answers are looked for soon, and then less and less often. Nanoseconds. */
#define LOOK_FIRST UINT64_C(100000)
#define LOOK_LAST  UINT64_C(50000000)

#define SLICE UINT64_C(100000) /* the shortest that there is, nanoseconds */

/* Moments that were missed for longer are those of a machine that slept. */
#define MISSED_MOST NANOSECONDS

/*
 * Somewhere in the next period: each point of time is as likely as any other, so that no program is
 * in step with the moments, and their number is exact.
 */
static void choose_moment(struct signal_ticks *ticks)
{
	ticks->period_at += ticks->period;
	ticks->moment_at = ticks->period_at + signal_random(ticks) % ticks->period;
}

/*
 * A slice of CPU time so short that the scheduler lets profrun go first (sched(7), since Linux
 * 6.12; 0: the usual one). Moments that wait for a CPU would be those at which others give it up.
 */
static void set_slice(uint64_t nanoseconds)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attributes = {.size = sizeof(attributes)};

	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) < 0 ||
	    (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH))
		return;
	attributes.runtime = nanoseconds;
	syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/* Two for each thread of the program. It keeps its own limit, having been started before. */
static void raise_files(struct signal_ticks *ticks)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &ticks->files);
	limit = ticks->files;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int signal_ticks_new(const struct signal_ticks_settings *settings, struct signal_ticks **ret_ticks,
		     struct error *err)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct signal_ticks *ticks;
	int r = signal_permitted(err);

	if (r < 0)
		return r;
	ticks = calloc(1, sizeof(*ticks));
	if (!ticks)
		return error_set(err, -ENOMEM, "out of memory");
	ticks->settings = *settings;
	ticks->period = NANOSECONDS / settings->rate;
	signal_judge_init(&ticks->judge);
	raise_files(ticks);
	set_slice(SLICE);
	getrandom(&ticks->random, sizeof(ticks->random), GRND_NONBLOCK);
	ticks->period_at = monotonic_nanoseconds() - ticks->period;
	choose_moment(ticks);
	ticks->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (ticks->timer < 0 ||
	    epoll_ctl(settings->poll_fd, EPOLL_CTL_ADD, ticks->timer, &event) < 0) {
		r = error_set(err, -errno, "no timer for the ticks: ");
		signal_ticks_free(ticks);
		return r;
	}
	*ret_ticks = ticks;
	return 0;
}

void signal_ticks_free(struct signal_ticks *ticks)
{
	if (!ticks)
		return;
	if (ticks->timer >= 0)
		close(ticks->timer);
	setrlimit(RLIMIT_NOFILE, &ticks->files);
	set_slice(0);
	free(ticks);
}

struct sending {
	struct signal_ticks *ticks;
	struct image *image;
	int signal;
	uint32_t moments;
};

static int send_probe(const struct sending *sending, pid_t tid, uint32_t number)
{
	pid_t pid = image_pid(sending->image);
	siginfo_t info = {.si_signo = sending->signal, .si_code = SI_TIMER};

	info.si_value.sival_ptr =
		(void *)(uintptr_t)ARENA_PROBE(sending->ticks->settings.arena->nonce, number);
	return (int)syscall(SYS_rt_tgsigqueueinfo, pid, tid, sending->signal, &info);
}

static void probe(struct signal_thread *thread, uint32_t weight, void *data)
{
	struct sending *sending = data;
	struct signal_ticks *ticks = sending->ticks;

	if (thread->probe.number) {
		thread->probe.skipped += weight * sending->moments;
		return;
	}
	if (++ticks->last_number == 0)
		ticks->last_number = 1;
	thread->probe = (struct signal_probe){
		.number = ticks->last_number,
		.weight = weight * sending->moments,
		.looked = ticks->looked,
		.late = ticks->late,
		.before = thread->account,
	};
	if (send_probe(sending, thread->tid, ticks->last_number) == 0) {
		ticks->sent++;
		return;
	}
	thread->probe.number = 0;
	if (errno == ESRCH)
		return;
	if (ticks->refused++ == 0)
		ticks->refusal = -errno;
}

/* Whether its handler stands, and nothing forbids a signal. */
static bool may_be_probed(const struct signal_ticks *ticks, const struct arena_image *head)
{
	const struct arena_header *header = ticks->settings.arena->header;

	return head->start_cpu > 0 && head->signal >= 1 && head->signal <= 64 &&
	       !atomic_load(&head->executing) &&
	       atomic_load(&header->traced[head->pid % ARENA_TRACED]) != head->pid;
}

static int begin_image(struct image *image, const struct arena_image *head)
{
	double cpu = image_process_cpu(image_pid(image));

	image->probed = signal_threads_new(image_pid(image));
	if (!image->probed)
		return -ENOMEM;
	/* What comes before is [program start], or was not to be counted. */
	if (image->started_inside)
		cpu = (double)head->start_cpu / NANOSECONDS;
	image->probed->cpu_before = image->probed->cpu = cpu > 0 ? cpu : 0;
	return 0;
}

/* To an image that says, by then, that it wants none. */
static int send_probes(struct signal_ticks *ticks, struct image *image, struct arena_image *head,
		       uint32_t moments)
{
	struct sending sending = {.ticks = ticks, .image = image, .moments = moments};
	int r;

	if (!may_be_probed(ticks, head))
		return 0;
	if (!image->probed && begin_image(image, head) < 0)
		return -ENOMEM;
	r = signal_threads_sweep(image->probed, atomic_load(&head->births), ticks->looked);
	sending.signal = (int)head->signal;
	signal_threads_each_running(image->probed, signal_random(ticks), probe, &sending);
	return r;
}

static int probe_image(struct signal_ticks *ticks, struct image *image, uint32_t moments)
{
	struct arena_image *head = slice_map(image->slice);
	int r;

	if (!head || !image->slice->image->answers)
		return 0;
	/* Whoever is to be sent none any more waits until it sees that nothing is on its way. */
	atomic_store(&head->sending, 1);
	atomic_thread_fence(memory_order_seq_cst);
	r = send_probes(ticks, image, head, moments);
	atomic_store(&head->sending, 0);
	return r;
}

/* How many moments have come, since profrun may have had to wait for its CPU. */
static uint32_t take_moments(struct signal_ticks *ticks, uint64_t now)
{
	uint32_t moments = 0;

	if (now > ticks->moment_at + MISSED_MOST)
		ticks->period_at = now - MISSED_MOST;
	for (; ticks->moment_at <= now; moments++)
		choose_moment(ticks);
	return moments;
}

/*
 * When profrun was put on its CPU: before it came here, by as much as it has used of it since it
 * was about to sleep.
 */
static void note_turn(struct signal_ticks *ticks)
{
	uint64_t now = monotonic_nanoseconds();
	double used = cpu_time_own() - ticks->had_used;
	struct signal_account own;

	ticks->late = signal_account_read_own(&own) && own.turns == ticks->own.turns;
	if (!ticks->late) {
		ticks->own = own;
		ticks->looked = now - (uint64_t)(used * NANOSECONDS);
		ticks->late = ticks->looked > ticks->moment_at + PROMPT;
	}
}

static void judge_all(struct signal_ticks *ticks, struct image **images, size_t count)
{
	ticks->pending = 0;
	for (size_t i = 0; i < count; i++)
		signal_answers_take(ticks, images[i]);
}

static void set_timer(const struct signal_ticks *ticks)
{
	uint64_t at = ticks->moment_at;
	struct itimerspec times = {0};

	if (ticks->answer_at && ticks->answer_at < at)
		at = ticks->answer_at;
	times.it_value.tv_sec = (time_t)(at / NANOSECONDS);
	times.it_value.tv_nsec = (long)(at % NANOSECONDS);
	timerfd_settime(ticks->timer, TFD_TIMER_ABSTIME, &times, NULL);
}

static void choose_answer_time(struct signal_ticks *ticks, bool sent)
{
	uint64_t now = monotonic_nanoseconds();

	if (ticks->pending == 0) {
		ticks->answer_at = 0;
		return;
	}
	if (!sent && ticks->answer_at > now)
		return;
	ticks->answer_wait = sent ? LOOK_FIRST : 2 * ticks->answer_wait;
	if (ticks->answer_wait > LOOK_LAST)
		ticks->answer_wait = LOOK_LAST;
	ticks->answer_at = now + ticks->answer_wait;
}

int signal_ticks_work(struct signal_ticks *ticks, struct image **images, size_t count,
		      bool counting)
{
	uint64_t now = monotonic_nanoseconds(), sent = ticks->sent;
	uint32_t moments;
	int r = 0;

	note_turn(ticks);
	judge_all(ticks, images, count);
	moments = take_moments(ticks, now);
	for (size_t i = 0; moments > 0 && counting && i < count && r == 0; i++)
		r = probe_image(ticks, images[i], moments);
	/* Those on other CPUs have answered by now. */
	if (ticks->sent > sent)
		judge_all(ticks, images, count);
	choose_answer_time(ticks, ticks->sent > sent);
	set_timer(ticks);
	ticks->had_used = cpu_time_own();
	return r;
}

void signal_ticks_end(struct signal_ticks *ticks, struct image *image)
{
	const struct arena_image *head = slice_map(image->slice);
	struct signal_threads *threads = image->probed;

	signal_answers_take(ticks, image);
	signal_answers_give_up(ticks, image);
	ticks->woken += head ? atomic_load(&head->woken) : 0;
	ticks->unseen += threads && threads->refused;
	signal_threads_free(threads);
	image->probed = NULL;
}

static int add_details(const struct signal_ticks *ticks, struct profile *profile)
{
	int r = profile_add_detail(
		profile,
		"%llu signals sent to threads that ran: %llu were on a CPU, %llu waited for one, "
		"%llu may have, %llu did not answer",
		(unsigned long long)ticks->sent, (unsigned long long)ticks->verdicts[SIGNAL_HIT],
		(unsigned long long)ticks->verdicts[SIGNAL_MISS],
		(unsigned long long)ticks->verdicts[SIGNAL_UNSURE],
		(unsigned long long)ticks->unanswered);

	if (r == 0 && ticks->hits > 0)
		r = profile_add_detail(
			profile,
			"those on a CPU make %.1f %% of the CPU time, and were scaled to it",
			100.0 * (double)ticks->hits / (double)ticks->counted);
	if (r == 0)
		r = profile_add_detail(
			profile,
			"a thread has waited when it came %llu us too late; %llu of %llu were near "
			"that",
			(unsigned long long)ticks->judge.limit / 1000,
			(unsigned long long)signal_judge_near(&ticks->judge),
			(unsigned long long)ticks->judge.count);
	if (r == 0 && ticks->woken > 0)
		r = profile_add_detail(profile, "%llu signals came when the thread slept again",
				       (unsigned long long)ticks->woken);
	return r;
}

int signal_ticks_describe(const struct signal_ticks *ticks, struct profile *profile)
{
	int r = ticks->settings.verbose ? add_details(ticks, profile) : 0;

	if (r == 0 && ticks->refused > 0)
		r = profile_add_note(profile,
				     "%llu ticks could not be sent (%s); use --ticks=timer",
				     (unsigned long long)ticks->refused, strerror(-ticks->refusal));
	if (r == 0 && ticks->unseen > 0)
		r = profile_add_note(
			profile,
			"not all threads of %llu processes could be looked at, and had "
			"no ticks; raise the limit of open files ('ulimit -n'), or use "
			"--ticks=timer",
			(unsigned long long)ticks->unseen);
	return r;
}
