/* SPDX-License-Identifier: MIT */
/* Functions inlined into each other, from two files; exported and static ones. */
#include "header.h"
#include "mark.h"

volatile int sink = 1;

int host(int x);
int exported(int x);

INLINED int inner(int x)
{
	sink += x;
	MARK("inner;middle@inner;outer@middle;host@outer");
	return x * 3;
}

INLINED int middle(int x)
{
	int y = inner(x + 1); /*@inner@*/

	sink -= y;
	MARK("middle;outer@middle;host@outer");
	y += in_header(y); /*@header@*/
	return y;
}

INLINED int outer(int x)
{
	sink |= 2;
	return middle(x ^ sink); /*@middle@*/
}

OUTLINE int host(int x)
{
	MARK("host");
	x = outer(x); /*@outer@*/
	sink = x;
	MARK("host");
	return x + sink;
}

static OUTLINE __attribute__((used)) int hidden(int x)
{
	sink = x * 7;
	MARK("hidden");
	return sink;
}

OUTLINE int exported(int x)
{
	sink -= x;
	MARK("exported");
	return hidden(x) + host(x);
}

#ifdef PROGRAM
int main(int argc, char **argv)
{
	(void)argv;
	sink = argc;
	MARK("main");
	return exported(argc) & 1;
}
#endif

#ifdef FREESTANDING
void _start(void)
{
	sink = exported(sink);
	MARK("_start");
	for (;;)
		sink++;
}
#endif
