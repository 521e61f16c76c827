/* SPDX-License-Identifier: MIT */
/* Raw names and the ones shown for them. */

#include "symbolize/names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/symbolize/feature.h"
#include "tests/symbolize/parts.h"

static struct elf_file *file;
static struct arena arena;
static struct notes notes;
static struct sources sources;
static struct names names;

/* A file with versions. */
static void open_names(void)
{
	cr_assert_eq(elf_file_open(PARTS, &file, NULL), 0);
	sources_open(&sources, file, &arena, &notes);
	names = (struct names){.arena = &arena, .sources = &sources};
}

static void close_names(void)
{
	names_done(&names);
	sources_close(&sources);
	notes_done(&notes);
	arena_done(&arena);
	elf_file_close(file);
}

TestSuite(names, .init = open_names, .fini = close_names);

static void expect_shown(const char *raw, unsigned flags, const char *shown)
{
	cr_expect_str_eq(names_show(&names, raw, flags), shown);
}

Test(names, versions_are_stripped)
{
	expect_shown("function@@PARTS_1", 0, "function");
	expect_shown("function@PARTS_1", 0, "function");
	expect_shown("function@@PARTS_1", SYM_NO_DEMANGLE, "function");
}

Test(names, a_name_may_hold_an_at_sign)
{
	expect_shown("with@at", 0, "with@at");
	expect_shown("@", 0, "@");
}

Test(names, clones_are_folded_unless_asked_for)
{
	expect_shown("parts_static.cold", 0, "parts_static");
	expect_shown("parts_static.cold", SYM_CLONES, "parts_static.cold");
	expect_shown("parts_static.constprop.0.cold.1", 0, "parts_static");
	expect_shown("f.isra.0.part.1", SYM_NO_DEMANGLE, "f");
	expect_shown("f.isra.0.part.1", SYM_NO_DEMANGLE | SYM_CLONES, "f.isra.0.part.1");
}

Test(names, a_function_called_cold_is_no_clone_of_one_that_is_not_there)
{
	expect_shown("package.cold", 0, "package.cold");
	expect_shown("parts_static.hot", 0, "parts_static.hot");
}

Test(names, are_demangled_with_what_they_end_in)
{
	if (!feature_is_built_in("demangle"))
		cr_skip("built without libiberty");
	expect_shown("_Z1fi", 0, "f(int)");
	expect_shown("_Z1fi", SYM_NO_DEMANGLE, "_Z1fi");
	expect_shown("_Z1fi.cold", 0, "f(int)");
	expect_shown("_Z1fi.cold", SYM_CLONES, "f(int) [clone .cold]");
	expect_shown("_Z1fi@plt", 0, "f(int)@plt");
	expect_shown("_Z1fi$plt", 0, "f(int)@plt");
	expect_shown("_Z1fi$pltgot", 0, "f(int)@plt");
}

Test(names, the_same_name_is_made_once)
{
	static const char raw[] = "_Z1fi";

	cr_expect_eq(names_show(&names, raw, 0), names_show(&names, raw, 0));
	cr_expect_neq(names_show(&names, raw, 0), names_show(&names, raw, SYM_NO_DEMANGLE));
}

Test(names, many_at_once_are_what_each_is)
{
	static const char *const kinds[][2] = {
		{"plain_", ""},
		{"_ZN3one3twoILi", "EE5threeEi"},
		{"_Z1fi", ""},
		{"_Z1fi.part.", ""},
		{"_Z1fi.cold.", ""},
		{"_Z1fi.", ".cold"},
		{"stub_", "@plt"},
		{"version_", "@@PARTS_1"},
		{"_D3dee__T5twiceTiZQj", ""},
		{"_Z1f", "i$plt"},
		{"", "parts_static.cold"},
	};
	enum { MANY = 8192, SIZE = 48, KINDS = sizeof(kinds) / sizeof(*kinds) };
	static const unsigned flags[] = {0, SYM_CLONES, SYM_NO_DEMANGLE};
	static char many[MANY][SIZE];
	static const char *raws[MANY], *shown[MANY];

	for (int i = 0; i < MANY; i++) {
		snprintf(many[i], SIZE, "%s%d%s", kinds[i % KINDS][0], i / KINDS,
			 kinds[i % KINDS][1]);
		raws[i] = i % 100 ? many[i] : NULL;
	}
	for (size_t f = 0; f < sizeof(flags) / sizeof(*flags); f++) {
		struct names alone = {.arena = &arena, .sources = &sources};

		memset(shown, 0, sizeof(shown));
		cr_assert_eq(names_show_all(&names, raws, MANY, flags[f], shown), 0);
		for (int i = 0; i < MANY; i++) {
			if (!raws[i]) {
				cr_expect_null(shown[i]);
				continue;
			}
			cr_expect_str_eq(shown[i], names_show(&alone, raws[i], flags[f]));
			cr_expect_eq(shown[i], names_show(&names, raws[i], flags[f]));
		}
		names_done(&alone);
	}
}

Test(names, there_may_be_many)
{
	enum { MANY = 5000, SIZE = 32 };
	static char many[MANY][SIZE];

	for (int i = 0; i < MANY; i++) {
		snprintf(many[i], SIZE, "function_%d", i);
		expect_shown(many[i], 0, many[i]);
	}
	cr_expect_eq(names.count, MANY);
	for (int i = 0; i < MANY; i++)
		expect_shown(many[i], 0, many[i]);
	cr_expect_eq(names.count, MANY);
}
