/* SPDX-License-Identifier: MIT */
/* What the kernel's accounts say of a thread that profrun found, was waiting, or took the CPU from.
 */

#include "cli/ticks/signal_judge.h"

#include <criterion/criterion.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* It answered @passed after profrun looked, was put on a CPU @turns times and waited @waited. */
static struct signal_seen seen(uint64_t turns, uint64_t waited, uint64_t passed)
{
	return (struct signal_seen){
		.before = {.ran = 7 * MS, .waited = 3 * MS, .turns = 100},
		.after = {.ran = 8 * MS, .waited = 3 * MS + waited, .turns = 100 + turns},
		.looked = 1000 * MS,
		.answered = 1000 * MS + passed,
	};
}

static enum signal_verdict verdict(struct signal_seen seen)
{
	struct signal_judge judge;

	signal_judge_init(&judge);
	return signal_judge(&judge, &seen);
}

Test(signal_judge, who_kept_its_cpu_was_on_it_however_late_it_answers)
{
	cr_assert_eq(verdict(seen(0, 0, 5 * US)), SIGNAL_HIT);
	cr_assert_eq(verdict(seen(0, 0, 50 * MS)), SIGNAL_HIT);
}

Test(signal_judge, who_lost_its_cpu_to_profrun_was_on_it)
{
	cr_assert_eq(verdict(seen(1, 40 * US, 45 * US)), SIGNAL_HIT);
	cr_assert_eq(verdict(seen(1, 12 * MS, 12 * MS + 3 * US)), SIGNAL_HIT);
}

Test(signal_judge, who_had_waited_before_was_not_however_soon_it_answers)
{
	cr_assert_eq(verdict(seen(1, 2 * MS, 30 * US)), SIGNAL_MISS);
	cr_assert_eq(verdict(seen(1, 9 * MS, 6 * MS)), SIGNAL_MISS);
}

Test(signal_judge, of_several_waits_nobody_knows_which_came_first)
{
	cr_assert_eq(verdict(seen(3, 9 * MS, 6 * MS)), SIGNAL_UNSURE);
	cr_assert_eq(verdict(seen(3, 5 * MS, 6 * MS)), SIGNAL_HIT);
}

Test(signal_judge, while_profrun_runs_only_other_cpus_are_seen)
{
	struct signal_seen lost = seen(1, 40 * US, 45 * US), kept = seen(0, 0, 5 * US);

	lost.late = kept.late = true;
	cr_assert_eq(verdict(lost), SIGNAL_MISS);
	cr_assert_eq(verdict(kept), SIGNAL_HIT);
}

Test(signal_judge, the_limit_settles_in_the_gap_between_two_kinds_of_waits)
{
	struct signal_judge judge;

	signal_judge_init(&judge);
	/* Too long by 20 to 60 us on a slow machine, by 300 us or more for those that had waited.
	 */
	for (uint64_t i = 0; i < 1000; i++) {
		struct signal_seen early = seen(1, 100 * US, 80 * US - i % 40 * US);
		struct signal_seen late = seen(1, 400 * US + i % 7 * MS, 100 * US);

		signal_judge(&judge, &early);
		signal_judge(&judge, &late);
	}
	cr_assert_gt(judge.limit, 60 * US);
	cr_assert_lt(judge.limit, 300 * US);
	cr_assert_eq(signal_judge_near(&judge), judge.waits[16] + judge.waits[15]);
}
