/* SPDX-License-Identifier: MIT */
/* An answer is a hit or not; hits are scaled to ticks, and counted as the handler would. */

#include "cli/ticks/signal_answers.h"

#include "cli/ticks/signal_state.h"
#include "cli/ticks/signal_threads.h"

/* CPU time without an answer that neither a busy CPU nor a slow clock explains. */
#define LATE_NS	   UINT64_C(32000000)
#define LATE_TICKS 2

static const struct arena_answer *answer_to(struct image *image, uint32_t number)
{
	const char *memory = slice_map(image->slice);
	const struct arena_answer *answer;

	if (!memory)
		return NULL;
	answer = (const void *)(memory + image->slice->image->answers);
	answer += number % ARENA_ANSWERS;
	return atomic_load_explicit(&answer->probe, memory_order_acquire) == number ? answer : NULL;
}

/* The CPU time of the process of @image so far, in ticks. */
static double expected_ticks(const struct signal_ticks *ticks, const struct image *image)
{
	struct signal_threads *threads = image->probed;
	double cpu = image_process_cpu(image_pid(image));

	if (cpu > threads->cpu)
		threads->cpu = cpu;
	return (threads->cpu - threads->cpu_before) * ticks->settings.rate;
}

/* Counts what @hits stand for where the thread was; @blocked: nobody knows where. */
static void count(struct signal_ticks *ticks, struct image *image, struct signal_thread *thread,
		  uint64_t pc, uint64_t hits, bool blocked)
{
	uint64_t weight;
	int r;

	if (hits == 0)
		return;
	ticks->hits += hits;
	weight = signal_scale(&image->probed->scale, hits, expected_ticks(ticks, image),
			      (uint32_t)signal_random(ticks));
	if (weight == 0)
		return;
	ticks->counted += weight;
	r = blocked ? slice_tick_blocked(image->slice, weight)
		    : image_count_pc(image, pc, weight, ticks->settings.main_only);
	if (r == 0)
		thread->number = slice_tick_thread(image->slice, thread->number, thread->tid,
						   blocked ? 0 : pc, weight);
}

/*
 * Of the moments at which the thread could not be sent another probe, those at which it was on a
 * CPU: it was for @used of @passed nanoseconds.
 */
static uint64_t take_skipped(struct signal_thread *thread, uint64_t used, uint64_t passed)
{
	uint64_t whole;

	if (thread->probe.skipped == 0 || passed == 0)
		return 0;
	thread->credit += thread->probe.skipped * ((double)used / (double)passed);
	whole = (uint64_t)thread->credit;
	thread->credit -= (double)whole;
	return whole;
}

static bool is_late(const struct signal_ticks *ticks, uint64_t used)
{
	return used > LATE_NS + LATE_TICKS * ticks->period;
}

/* The thread has ended without an answer. */
static void give_up(struct signal_ticks *ticks, struct image *image, struct signal_thread *thread)
{
	uint64_t used = thread->account.ran - thread->probe.before.ran;

	if (thread->account.ran > thread->probe.before.ran && is_late(ticks, used))
		count(ticks, image, thread, 0, used / ticks->period, true);
	thread->probe.number = 0;
	ticks->unanswered++;
}

/* A thread that ended after its answer ran if that was quick; else nobody knows any more. */
static enum signal_verdict judge_ended(const struct signal_seen *seen)
{
	return seen->answered - seen->looked < PROMPT ? SIGNAL_HIT : SIGNAL_UNSURE;
}

static void judge_answer(struct signal_ticks *ticks, struct image *image,
			 struct signal_thread *thread, const struct arena_answer *answer)
{
	const struct signal_probe *probe = &thread->probe;
	struct signal_seen seen = {
		.before = probe->before,
		.after = probe->before,
		.looked = probe->looked,
		.answered = answer->time > probe->looked ? answer->time : probe->looked,
		.late = probe->late,
	};
	const uint64_t passed = seen.answered - seen.looked;
	enum signal_verdict verdict;
	uint64_t waited, used = 0, hits;

	if (signal_account_read(thread, &seen.after)) {
		verdict = signal_judge(&ticks->judge, &seen);
		waited = seen.after.waited - seen.before.waited;
		used = passed > waited ? passed - waited : 0;
	} else {
		verdict = judge_ended(&seen);
	}
	ticks->verdicts[verdict]++;
	hits = take_skipped(thread, used, passed);
	hits += verdict == SIGNAL_HIT ? probe->weight : 0;
	count(ticks, image, thread, answer->pc, hits, is_late(ticks, used) && !answer->in_kernel);
	thread->probe.number = 0;
}

/* Looks for the answers of the image's threads. */
void signal_answers_take(struct signal_ticks *ticks, struct image *image)
{
	struct signal_threads *threads = image->probed;

	for (size_t i = 0; threads && i < threads->count; i++) {
		struct signal_thread *thread = &threads->threads[i];
		const struct arena_answer *answer;

		if (!thread->probe.number)
			continue;
		answer = answer_to(image, thread->probe.number);
		if (answer)
			judge_answer(ticks, image, thread, answer);
		else if (!signal_account_read(thread, &thread->account))
			give_up(ticks, image, thread);
		else
			ticks->pending++;
	}
}

void signal_answers_give_up(struct signal_ticks *ticks, struct image *image)
{
	struct signal_threads *threads = image->probed;

	for (size_t i = 0; threads && i < threads->count; i++) {
		if (threads->threads[i].probe.number)
			give_up(ticks, image, &threads->threads[i]);
	}
}
