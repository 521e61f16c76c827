/* SPDX-License-Identifier: MIT */
/* See link_time.c. */
#include "mark.h"

int elsewhere(int x);

int main(int argc, char **argv)
{
	(void)argv;
	sink = argc;
	MARK("main");
	return elsewhere(argc) & 1;
}
