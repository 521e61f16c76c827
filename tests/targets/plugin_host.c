/* SPDX-License-Identifier: MIT */
/* Opens a module (the argument) after it has worked for a while; most of the time is spent there.
 */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

#include <dlfcn.h>
#include <stdio.h>

TRUTH_BURN(in_host, 3)

int main(int argc, char **argv)
{
	struct truth_part parts[] = {
		{.name = "in_host", .burn = in_host, .share = 0.3},
		{.name = "plugin", .burn = in_host, .share = 0.7},
	};
	struct truth alone, both;
	void *module;

	truth_init(&alone, parts, 1, 0);
	truth_rounds(&alone, 0.3, 20);
	module = dlopen(argc > 1 ? argv[1] : "libplugin.so", RTLD_NOW);
	if (!module) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	parts[1].burn = (void (*)(uint64_t))dlsym(module, "plugin");
	truth_init(&both, parts, 2, 1);
	truth_rounds(&both, 4, 20);
	truth_end_thread(&both);
	truth_write(&both, 1);
	return 0;
}
