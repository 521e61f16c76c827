/* SPDX-License-Identifier: MIT */
/*
 * Three threads with names of their own, one function each and the same one in all: 50, 30 and
 * 20 %. The last is alive when the process ends; "early" has ended before.
 */

#include "tests/targets/truth.h"

#include <pthread.h>

TRUTH_BURN(alike, 3)

static struct truth_part parts[] = {
	{.name = "early", .burn = alike, .share = 0.5},
	{.name = "middle one", .burn = alike, .share = 0.3},
	{.name = "last", .burn = alike, .share = 0.2},
};
static struct truth accounts[3];
static pthread_barrier_t done;

static void *run(void *argument)
{
	size_t index = (size_t)argument;

	pthread_setname_np(pthread_self(), parts[index].name);
	truth_init(&accounts[index], &parts[index], 1, index);
	truth_rounds(&accounts[index], 2, 20);
	truth_end_thread(&accounts[index]);
	pthread_barrier_wait(&done);
	if (index == 2)
		pthread_barrier_wait(&done); /* for ever */
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	truth_turns_per_ms();
	pthread_barrier_init(&done, NULL, 4);
	for (size_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	pthread_barrier_wait(&done);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	/* Parts are called by names without blanks there. */
	parts[1].name = "middle_one";
	truth_write(accounts, 3);
	return 0;
}
