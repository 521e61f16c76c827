/* SPDX-License-Identifier: MIT */
/* A static program: no preload can enter it. */

#include <stdio.h>

int main(void)
{
	puts("the static program ran");
	return 6;
}
