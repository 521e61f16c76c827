/* SPDX-License-Identifier: MIT */
/* Which of several symbols names an address. */

#include "symbolize/rank.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

#include "symbolize/util.h"

static const uint64_t addresses[] = {0x100, 0x104, 0x110, 0x11f, 0x120, 0x140, 0x180};

#define SYMBOL(name_, start_, size_, type_, binding_)                                          \
	{                                                                                      \
		.start = (start_), .end = (start_) + (size_), .limit = 0x180, .name = (name_), \
		.type = (type_), .binding = (binding_)                                         \
	}

static void check(const struct symbol *symbols, size_t count, uint64_t address, const char *expect)
{
	const struct symbol *found;
	struct rank rank;
	size_t i = rank_lower_bound(addresses, ARRAY_SIZE(addresses), address);

	cr_assert_eq(rank_init(&rank, addresses, ARRAY_SIZE(addresses)), 0);
	for (size_t s = 0; s < count; s++)
		cr_assert_eq(rank_offer(&rank, &symbols[s]), 0);
	rank_settle(&rank);
	rank_settle_unsized(&rank);
	found = rank_answer(&rank, i);
	if (expect)
		cr_expect_str_eq(found ? found->name : "(none)", expect, "0x%zx", (size_t)address);
	else
		cr_expect_null(found, "0x%zx is '%s'", (size_t)address, found ? found->name : "");
	rank_done(&rank);
}

/* Both orders, since none is promised by a symbol table. */
static void check_better(const struct symbol *better, const struct symbol *worse)
{
	const struct symbol forth[] = {*better, *worse};
	const struct symbol back[] = {*worse, *better};

	check(forth, 2, 0x104, better->name);
	check(back, 2, 0x104, better->name);
}

Test(rank, sizes_are_trusted)
{
	const struct symbol symbols[] = {SYMBOL("a", 0x100, 0x10, STT_FUNC, STB_GLOBAL)};

	check(symbols, 1, 0x100, "a");
	check(symbols, 1, 0x104, "a");
	check(symbols, 1, 0x110, NULL);
}

Test(rank, the_smallest_symbol_wins_and_the_outer_one_goes_on_behind_it)
{
	const struct symbol symbols[] = {
		SYMBOL("outer", 0x100, 0x48, STT_FUNC, STB_GLOBAL),
		SYMBOL("inner", 0x110, 0x10, STT_FUNC, STB_LOCAL),
	};

	check(symbols, 2, 0x104, "outer");
	check(symbols, 2, 0x110, "inner");
	check(symbols, 2, 0x11f, "inner");
	check(symbols, 2, 0x120, "outer");
	check(symbols, 2, 0x140, "outer");
}

Test(rank, among_equals_type_binding_underscores_and_order_decide)
{
	const struct symbol symbols[] = {
		SYMBOL("b", 0x100, 8, STT_FUNC, STB_GLOBAL),
		SYMBOL("c", 0x100, 8, STT_FUNC, STB_GLOBAL),
		SYMBOL("_a", 0x100, 8, STT_FUNC, STB_GLOBAL),
		SYMBOL("a", 0x100, 8, STT_FUNC, STB_WEAK),
		SYMBOL("a", 0x100, 8, STT_FUNC, STB_LOCAL),
		SYMBOL("a", 0x100, 8, STT_GNU_IFUNC, STB_GLOBAL),
		SYMBOL("a", 0x100, 8, STT_NOTYPE, STB_GLOBAL),
		SYMBOL("a", 0x100, 8, STT_OBJECT, STB_GLOBAL),
	};

	for (size_t better = 0; better < ARRAY_SIZE(symbols); better++)
		for (size_t worse = better + 1; worse < ARRAY_SIZE(symbols); worse++)
			check_better(&symbols[better], &symbols[worse]);
}

Test(rank, a_name_of_an_old_version_comes_after_all_but_local_ones)
{
	struct symbol old = SYMBOL("a", 0x100, 8, STT_FUNC, STB_GLOBAL);
	const struct symbol current = SYMBOL("b", 0x100, 8, STT_FUNC, STB_WEAK);
	const struct symbol local = SYMBOL("a", 0x100, 8, STT_FUNC, STB_LOCAL);
	const struct symbol named_old = SYMBOL("a@OLD_1", 0x100, 8, STT_FUNC, STB_GLOBAL);
	const struct symbol named_current = SYMBOL("b@@NEW_1", 0x100, 8, STT_FUNC, STB_GLOBAL);
	const struct symbol short_name = SYMBOL("glob@@NEW_1", 0x100, 8, STT_FUNC, STB_GLOBAL);
	const struct symbol long_name = SYMBOL("glob64@@NEW_1", 0x100, 8, STT_FUNC, STB_GLOBAL);

	old.is_old = true;
	check_better(&current, &old);
	check_better(&old, &local);
	check_better(&named_current, &named_old);
	check_better(&short_name, &long_name);
}

Test(rank, a_symbol_without_size_reaches_to_the_next_symbol)
{
	const struct symbol symbols[] = {
		SYMBOL("hand_written", 0x104, 0, STT_FUNC, STB_GLOBAL),
		SYMBOL("next", 0x110, 0, STT_NOTYPE, STB_GLOBAL),
		SYMBOL("sized", 0x120, 0x10, STT_FUNC, STB_GLOBAL),
	};

	check(symbols, 3, 0x100, NULL);
	check(symbols, 3, 0x104, "hand_written");
	check(symbols, 3, 0x110, "next");
	check(symbols, 3, 0x11f, "next");
	check(symbols, 3, 0x120, "sized");
	check(symbols, 3, 0x140, NULL);
}

Test(rank, a_label_inside_a_sized_function_never_reaches_behind_it)
{
	const struct symbol symbols[] = {
		SYMBOL("sized", 0x100, 0x10, STT_FUNC, STB_GLOBAL),
		SYMBOL("label", 0x104, 0, STT_NOTYPE, STB_LOCAL),
	};

	check(symbols, 2, 0x104, "sized");
	check(symbols, 2, 0x110, NULL);
	check(symbols, 2, 0x140, NULL);
}

Test(rank, a_symbol_without_size_ends_with_its_section)
{
	const struct symbol symbols[] = {SYMBOL("last", 0x140, 0, STT_FUNC, STB_GLOBAL)};

	check(symbols, 1, 0x140, "last");
	check(symbols, 1, 0x180, NULL);
}

Test(rank, marks_of_assemblers_are_no_names)
{
	static const char *const marks[] = {".L3", ".Lhidden", "$x", "$d", "$d.12", "$a", "$t"};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const struct symbol symbols[] = {
			SYMBOL("function", 0x100, 0, STT_FUNC, STB_GLOBAL),
			SYMBOL(marks[i], 0x110, 0, STT_NOTYPE, STB_LOCAL),
		};

		check(symbols, 2, 0x120, "function");
	}
}

Test(rank, answers_of_an_earlier_table_stand)
{
	const struct symbol wide = SYMBOL("wide", 0x100, 0x40, STT_FUNC, STB_LOCAL);
	const struct symbol narrow = SYMBOL("narrow", 0x100, 0x60, STT_FUNC, STB_GLOBAL);
	struct rank rank;

	cr_assert_eq(rank_init(&rank, addresses, ARRAY_SIZE(addresses)), 0);
	rank_offer(&rank, &wide);
	rank_settle(&rank);
	rank_offer(&rank, &narrow);
	rank_settle(&rank);
	cr_expect_str_eq(rank_answer(&rank, 0)->name, "wide");
	cr_expect_str_eq(rank_answer(&rank, 5)->name, "narrow");
	cr_expect_eq(rank.unanswered, 1);
	rank_done(&rank);
}

Test(rank, a_nameless_function_ends_a_symbol_without_size)
{
	const struct symbol symbols[] = {
		SYMBOL("hand_written", 0x104, 0, STT_FUNC, STB_GLOBAL),
		SYMBOL(NULL, 0x104, 0x0c, STT_FUNC, STB_LOCAL),
		SYMBOL(NULL, 0x11f, 0x10, STT_FUNC, STB_LOCAL),
	};
	struct rank rank;

	cr_assert_eq(rank_init(&rank, addresses, ARRAY_SIZE(addresses)), 0);
	for (size_t s = 0; s < ARRAY_SIZE(symbols); s++)
		rank_offer(&rank, &symbols[s]);
	rank_settle(&rank);
	rank_settle_unsized(&rank);
	cr_expect_str_eq(rank_answer(&rank, 1)->name, "hand_written");
	cr_expect_str_eq(rank_answer(&rank, 2)->name, "hand_written");
	cr_assert_not_null(rank_answer(&rank, 3));
	cr_expect_null(rank_answer(&rank, 3)->name);
	cr_expect_eq(rank_answer(&rank, 3)->start, 0x11f);
	rank_done(&rank);
}
