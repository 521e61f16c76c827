/* SPDX-License-Identifier: MIT */
/* Lines and inline chains of one source, built in every way that writes them down differently. */

#include "symbolize/symbolize.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "symbolize/util.h"
#include "tests/symbolize/feature.h"
#include "tests/symbolize/parts.h"

struct mark {
	const void *address;
	const char *frames; /* "function@tag;..." innermost first */
};

/* The source of the fixtures of one list, which name their lines. */
static const char *source;

static bool same_file(const char *one, const char *other)
{
	AUTO_FREE char *real = one ? realpath(one, NULL) : NULL;
	AUTO_FREE char *other_real = realpath(other, NULL);

	return real && other_real && strcmp(real, other_real) == 0;
}

/* The line of the fixture's source that holds the tag's comment. */
static unsigned line_of_tag(const char *tag, size_t length)
{
	AUTO_FILE FILE *file = fopen(source, "re");
	char line[512], comment[64];

	cr_assert(file);
	snprintf(comment, sizeof(comment), "/*@%.*s@*/", (int)length, tag);
	for (unsigned number = 1; fgets(line, sizeof(line), file); number++)
		if (strstr(line, comment))
			return number;
	cr_assert_fail("no line has %s", comment);
	return 0;
}

static void check_frame(const struct sym_frame *frame, const char *expected, size_t length,
			const char *variant)
{
	const char *at = memrchr(expected, '@', length);
	const size_t name = (size_t)(at - expected);
	const unsigned line = line_of_tag(at + 1, length - name - 1);

	cr_expect(strncmp(frame->function, expected, name) == 0 && !frame->function[name],
		  "%s: %s instead of %.*s", variant, frame->function, (int)name, expected);
	cr_expect_eq(frame->line, line, "%s: %s in line %u instead of %u", variant, frame->function,
		     frame->line, line);
	cr_expect(same_file(frame->file, source), "%s: file %s", variant,
		  frame->file ? frame->file : "(none)");
}

static void check_answer(const struct sym_answer *answer, const char *expected, const char *variant)
{
	size_t i = 0;

	for (const char *at = expected; *at; i++) {
		const size_t length = strcspn(at, ";");

		cr_assert_lt(i, answer->frame_count, "%s: %zu frames for '%s'", variant,
			     answer->frame_count, expected);
		check_frame(&answer->frames[i], at, length, variant);
		at += length + (at[length] == ';');
	}
	cr_expect_eq(i, answer->frame_count, "%s: %zu frames for '%s'", variant,
		     answer->frame_count, expected);
}

static uint64_t link_address(const void *code)
{
	Dl_info info;

	cr_assert(dladdr(code, &info));
	return (uintptr_t)code - (uintptr_t)info.dli_fbase;
}

static void check_variant(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct sym_object *object = parts_open(path);
	const struct mark *mark, *end;

	cr_assert(library, "%s", dlerror());
	mark = *(const struct mark **)dlsym(library, "here_first");
	end = *(const struct mark **)dlsym(library, "here_end");
	cr_assert_lt(mark, end);
	for (; mark < end; mark++) {
		const uint64_t address = link_address(mark->address);
		struct sym_answer answer;
		struct error err;

		cr_assert_eq(sym_object_find(object, &address, 1, SYM_LINES | SYM_INLINES, &answer,
					     &err),
			     0);
		check_answer(&answer, mark->frames, path);
	}
	sym_object_close(object);
	dlclose(library);
}

Test(debuginfo, every_way_of_writing_it_down_gives_the_same_frames)
{
	static const char *const variants[] = {INLINES_VARIANTS};

	source = INLINES_SOURCE;
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		check_variant(variants[i]);
}

Test(debuginfo, names_of_c_plus_plus_are_whole_with_and_without_a_linkage_name)
{
	static const char *const variants[] = {NAMES_VARIANTS NULL};

	if (!variants[0])
		cr_skip("no C++ compiler");
	if (!feature_is_built_in("demangle"))
		cr_skip("built without libiberty");
	source = NAMES_SOURCE;
	for (size_t i = 0; variants[i]; i++)
		check_variant(variants[i]);
}

Test(debuginfo, without_inlines_a_line_is_one_of_the_function_itself)
{
	static const char *const variants[] = {INLINES_VARIANTS};
	void *library = dlopen(variants[0], RTLD_NOW | RTLD_LOCAL);
	struct sym_object *object = parts_open(variants[0]);
	const struct mark *mark, *end;

	source = INLINES_SOURCE;
	cr_assert(library);
	mark = *(const struct mark **)dlsym(library, "here_first");
	end = *(const struct mark **)dlsym(library, "here_end");
	for (; mark < end; mark++) {
		const char *last = strrchr(mark->frames, ';');
		const uint64_t address = link_address(mark->address);
		struct sym_answer answer;
		struct error err;

		sym_object_find(object, &address, 1, SYM_LINES, &answer, &err);
		check_answer(&answer, last ? last + 1 : mark->frames, variants[0]);
	}
	sym_object_close(object);
	dlclose(library);
}
