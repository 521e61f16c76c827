/* SPDX-License-Identifier: MIT */
/* Calls of functions that the program itself chooses when it starts. */

static int one(int x)
{
	return x + 1;
}

static int other(int x)
{
	return x + 2;
}

static int (*choose_first(void))(int)
{
	return one;
}

static int (*choose_second(void))(int)
{
	return other;
}

int first(int x) __attribute__((ifunc("choose_first")));
int second(int x) __attribute__((ifunc("choose_second")));

int main(int argc, char **argv)
{
	(void)argv;
	return first(argc) * 2 + second(argc);
}
