/* SPDX-License-Identifier: MIT */
/* The gap is where the fewest waits are, between what profrun needs itself and a short slice. */

#include "cli/ticks/signal_judge.h"

#include <stddef.h>

#define LIMIT_MIN   14 /* 16 microseconds */
#define LIMIT_MAX   19 /* half a millisecond */
#define LIMIT_FIRST 16
#define LEARN_EACH  64

void signal_judge_init(struct signal_judge *judge)
{
	*judge = (struct signal_judge){.limit = UINT64_C(1) << LIMIT_FIRST};
}

/* The index of its kind. */
static size_t kind_of(uint64_t excess)
{
	size_t kind = excess > 1 ? 63 - (size_t)__builtin_clzll(excess) : 0;

	return kind < SIGNAL_WAITS ? kind : SIGNAL_WAITS - 1;
}

static void learn(struct signal_judge *judge, uint64_t excess)
{
	size_t best = LIMIT_MIN;

	judge->waits[kind_of(excess)]++;
	if (++judge->count % LEARN_EACH != 0)
		return;
	for (size_t i = LIMIT_MIN; i <= LIMIT_MAX; i++) {
		if (judge->waits[i] < judge->waits[best])
			best = i;
	}
	judge->limit = UINT64_C(1) << best;
}

enum signal_verdict signal_judge(struct signal_judge *judge, const struct signal_seen *seen)
{
	uint64_t turns = seen->after.turns - seen->before.turns;
	int64_t excess = (int64_t)(seen->after.waited - seen->before.waited) -
			 (int64_t)(seen->answered - seen->looked);

	if (turns == 0)
		return SIGNAL_HIT;
	if (seen->late)
		return SIGNAL_MISS;
	if (turns == 1)
		learn(judge, excess > 0 ? (uint64_t)excess : 0);
	if (excess < (int64_t)judge->limit)
		return SIGNAL_HIT;
	return turns == 1 ? SIGNAL_MISS : SIGNAL_UNSURE;
}

uint64_t signal_judge_near(const struct signal_judge *judge)
{
	size_t kind = kind_of(judge->limit);

	return judge->waits[kind - 1] + judge->waits[kind];
}
