/* SPDX-License-Identifier: MIT */
/* 200 threads of 20 ms, two at a time; three functions in each: 50, 30 and 20 %. */

#include "tests/targets/truth.h"

#include <pthread.h>
#include <string.h>

#define PARTS 3

TRUTH_BURN(early, 3)
TRUTH_BURN(middle, 5)
TRUTH_BURN(late, 7)

static const struct truth_part plan[PARTS] = {
	{.name = "early", .burn = early, .share = 0.5},
	{.name = "middle", .burn = middle, .share = 0.3},
	{.name = "late", .burn = late, .share = 0.2},
};
static struct truth_part parts[200][PARTS];
static struct truth accounts[200];

static void *run(void *argument)
{
	size_t index = (size_t)argument;

	memcpy(parts[index], plan, sizeof(plan));
	truth_init(&accounts[index], parts[index], PARTS, index);
	truth_round(&accounts[index], 20);
	truth_end_thread(&accounts[index]);
	return NULL;
}

int main(void)
{
	pthread_t pair[2];

	truth_turns_per_ms();
	for (size_t i = 0; i < 200; i += 2) {
		pthread_create(&pair[0], NULL, run, (void *)i);
		pthread_create(&pair[1], NULL, run, (void *)(i + 1));
		pthread_join(pair[0], NULL);
		pthread_join(pair[1], NULL);
	}
	truth_write(accounts, 200);
	return 0;
}
