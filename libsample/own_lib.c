/* SPDX-License-Identifier: MIT */
/* When configuring: prints what the dynamic linker puts for $LIB, of a program with it in RUNPATH.
 */

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	void *self = dlopen(NULL, RTLD_LAZY);
	Dl_serinfo size, *folders;

	if (!self || dlinfo(self, RTLD_DI_SERINFOSIZE, &size) < 0)
		return 1;
	folders = malloc(size.dls_size);
	if (!folders)
		return 1;
	*folders = size;
	if (dlinfo(self, RTLD_DI_SERINFO, folders) < 0 || folders->dls_cnt == 0)
		return 1;
	puts(folders->dls_serpath[0].dls_name);
	return 0;
}
