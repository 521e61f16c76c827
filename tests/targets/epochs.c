/* SPDX-License-Identifier: MIT */
/*
 * Opens two modules (the arguments, of the same code) in turn, each for a few milliseconds, so that
 * the second comes to lie where the first has been. Prints how often it did. With a third argument
 * its parent is stopped meanwhile, and finds the second one open.
 */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *address;
static unsigned again;
static const char *path;

static void burn(uint64_t turns)
{
	void *module = dlopen(path, RTLD_NOW);
	void (*work)(uint64_t);

	if (!module)
		return;
	work = (void (*)(uint64_t))dlsym(module, "plugin");
	again += address == (void *)work;
	address = (void *)work;
	work(turns);
	dlclose(module);
}

int main(int argc, char **argv)
{
	struct truth_part parts[] = {
		{.burn = burn, .share = 0.7},
		{.burn = burn, .share = 0.3},
	};
	struct truth accounts[2];

	if (argc < 3)
		return 1;
	if (argc > 3)
		kill(getppid(), SIGSTOP);
	for (size_t i = 0; i < 2; i++) {
		const char *slash = strrchr(argv[i + 1], '/');

		parts[i].name = slash ? slash + 1 : argv[i + 1];
		truth_init(&accounts[i], &parts[i], 1, i);
	}
	for (int round = 0; round < (argc > 3 ? 300 : 150); round++) {
		for (size_t i = 0; i < 2; i++) {
			path = argv[i + 1];
			truth_round(&accounts[i], 14);
		}
	}
	if (argc > 3) {
		dlopen(argv[2], RTLD_NOW);
		kill(getppid(), SIGCONT);
		sleep(2);
	}
	truth_end_thread(&accounts[0]);
	truth_write(accounts, 2);
	printf("%u\n", again);
	return 0;
}
