/* SPDX-License-Identifier: MIT */
/* Several names for one function: aliases, versions, an IFUNC and what it chooses. */
#include "mark.h"

volatile int sink = 1;

int __weak_target(int x);
int shown(int x);
int current(int x);
int chosen(int x);

OUTLINE int __weak_target(int x)
{
	sink += x;
	MARK("__weak_target");
	return x + 1;
}
int weak_name(int x) __attribute__((weak, alias("__weak_target")));

OUTLINE int shown(int x)
{
	sink ^= x;
	MARK("shown");
	return x + 3;
}
int _hidden_by_its_underscore(int x) __attribute__((alias("shown")));

OUTLINE int current(int x)
{
	sink -= x;
	MARK("versioned");
	return x * 2;
}
__asm__(".symver current, versioned@@SECOND");

static OUTLINE int implementation(int x)
{
	sink *= x;
	MARK("implementation");
	return x + 5;
}

static __attribute__((used)) int (*resolve(void))(int)
{
	MARK("resolve");
	return implementation;
}
int chosen(int x) __attribute__((ifunc("resolve")));
