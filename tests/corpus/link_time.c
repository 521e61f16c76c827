/* SPDX-License-Identifier: MIT */
/* The caller, in another file, inlines this at link time or not. */
#include "mark.h"

int elsewhere(int x);
int stays(int x);

volatile int sink = 1;

OUTLINE int stays(int x)
{
	sink += x;
	MARK("stays");
	return x + 2;
}

int elsewhere(int x)
{
	sink ^= x;
	return stays(x) * 2;
}
