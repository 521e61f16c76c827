/* SPDX-License-Identifier: MIT */
/* Four threads with one function each: 40, 30, 20 and 10 %. */

#include "tests/targets/truth.h"

#include <pthread.h>

TRUTH_BURN(first, 3)
TRUTH_BURN(second, 5)
TRUTH_BURN(third, 7)
TRUTH_BURN(fourth, 9)

static struct truth_part parts[] = {
	{.name = "first", .burn = first, .share = 0.4},
	{.name = "second", .burn = second, .share = 0.3},
	{.name = "third", .burn = third, .share = 0.2},
	{.name = "fourth", .burn = fourth, .share = 0.1},
};
static struct truth accounts[4];

static void *run(void *argument)
{
	size_t index = (size_t)argument;

	truth_init(&accounts[index], &parts[index], 1, index);
	truth_rounds(&accounts[index], 4, 20);
	truth_end_thread(&accounts[index]);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	truth_turns_per_ms();
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	truth_write(accounts, 4);
	return 0;
}
