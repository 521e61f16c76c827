/* SPDX-License-Identifier: MIT */
/* Functions of which compilers make copies and parts: .cold, .constprop, .isra, .part. */
#include "mark.h"

volatile int sink = 1;

int split(int x);
int use_first(int *p);
int use_second(int *p);

OUTLINE __attribute__((cold)) static void unlikely(int x)
{
	sink += x;
	MARK("unlikely");
}

OUTLINE int split(int x)
{
	MARK("split");
	if (__builtin_expect(x > 1000, 0)) {
		unlikely(x);
		MARK("split");
		sink += 7;
		unlikely(x + sink);
	}
	return x + sink;
}

static OUTLINE int constant(int x, int times)
{
	MARK("constant");
	for (int i = 0; i < times; i++)
		sink += x * i;
	return sink;
}

struct point {
	int x, y, z;
};

static OUTLINE int scalar(const struct point *point)
{
	MARK("scalar");
	sink += point->x;
	return sink ^ point->x;
}

static OUTLINE int partly(int *p)
{
	if (!p)
		return 0;
	MARK("partly");
	for (int i = 0; i < *p; i++)
		sink = (sink ^ *p) * 3 + i;
	for (int i = 0; i < *p; i++)
		sink = (sink ^ 2) * 5 - i;
	return sink;
}

OUTLINE int use_first(int *p)
{
	return partly(p) + 1;
}

OUTLINE int use_second(int *p)
{
	sink++;
	return partly(p) * 2;
}

int main(int argc, char **argv)
{
	struct point point = {argc, argc, 3};
	int sum = split(argc) + constant(argc, 17) + constant(argc * 2, 17);

	(void)argv;
	sum += scalar(&point) + use_first(argc > 3 ? &sum : 0) + use_second(argc > 4 ? &sum : 0);
	return sum & 1;
}
