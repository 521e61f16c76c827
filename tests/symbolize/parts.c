/* SPDX-License-Identifier: MIT */
/* Loading and copying the fixture library. */

#include "tests/symbolize/parts.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

static uint64_t link_address(const void *code)
{
	Dl_info info;

	cr_assert(code);
	cr_assert(dladdr(code, &info));
	return (uintptr_t)code - (uintptr_t)info.dli_fbase;
}

struct parts parts_load(void)
{
	void *library = dlopen(PARTS, RTLD_NOW);
	void **hidden;

	cr_assert(library, "%s", dlerror());
	hidden = dlsym(library, "parts_static_pointer");
	cr_assert(hidden);
	return (struct parts){
		.exported = link_address(dlsym(library, "parts_exported")),
		.callee = link_address(dlsym(library, "parts_callee")),
		.hidden = link_address(*hidden),
	};
}

struct sym_object *parts_open(const char *path)
{
	struct sym_object *object;
	struct error err;

	cr_assert_eq(sym_object_open(path, NULL, &object, &err), 0, "%s", err.text);
	return object;
}

const char *parts_name(struct sym_object *object, uint64_t address)
{
	struct sym_answer answer;
	struct error err;

	cr_assert_eq(sym_object_find(object, &address, 1, 0, &answer, &err), 0, "%s", err.text);
	return answer.frame_count ? answer.frames[answer.frame_count - 1].function : NULL;
}

char *parts_patched(const char *path, size_t offset, const void *bytes, size_t size)
{
	AUTO_CLOSE int copy = -1;
	AUTO_FILE FILE *file = fopen(path, "re");
	AUTO_FREE char *content = NULL;
	char *name = strdup("/tmp/test_parts.XXXXXX");
	struct stat status;

	cr_assert(file);
	cr_assert_eq(fstat(fileno(file), &status), 0);
	content = malloc((size_t)status.st_size);
	cr_assert(content && name);
	cr_assert_eq(fread(content, 1, (size_t)status.st_size, file), (size_t)status.st_size);
	cr_assert_leq(offset + size, (size_t)status.st_size);
	memcpy(content + offset, bytes, size);
	copy = mkostemp(name, O_CLOEXEC);
	cr_assert_geq(copy, 0);
	cr_assert_eq(write(copy, content, (size_t)status.st_size), (ssize_t)status.st_size);
	return name;
}
