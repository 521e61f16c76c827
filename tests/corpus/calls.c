/* SPDX-License-Identifier: MIT */
/* Calls what is in a library, through stubs; each function of it by a call and by its address. */
int exported(int x);
int host(int x);

static int (*volatile pointer)(int);

int main(int argc, char **argv)
{
	(void)argv;
	pointer = exported;
	return (exported(argc) + host(argc) + pointer(argc)) & 1;
}
