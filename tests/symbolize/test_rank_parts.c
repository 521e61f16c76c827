/* SPDX-License-Identifier: MIT */
/* What several threads rank is what one does. */

#include "symbolize/rank_parts.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS = 20000, ADDRESSES = 100000, STEP = 16 };

static uint64_t addresses[ADDRESSES];
static struct symbol symbols[SYMBOLS];
static char names[SYMBOLS][2];

/* Of all sizes, some without one, in no order. */
static struct symbol random_symbol(int number)
{
	static const unsigned types[] = {STT_FUNC, STT_NOTYPE, STT_OBJECT};
	static const unsigned bindings[] = {STB_GLOBAL, STB_WEAK, STB_LOCAL};
	const uint64_t start = (uint64_t)rand() % (ADDRESSES * STEP);
	const uint64_t size = (uint64_t)rand() % 4 ? 1u << rand() % 16 : 0;

	names[number][0] = (char)('a' + rand() % 26);
	return (struct symbol){
		.start = start,
		.end = start + size,
		.limit = start + size + 1000,
		.name = names[number],
		.type = (uint8_t)types[rand() % 3],
		.binding = (uint8_t)bindings[rand() % 3],
	};
}

static void make_symbols(void)
{
	srand(1);
	for (int i = 0; i < ADDRESSES; i++)
		addresses[i] = (uint64_t)i * STEP + 5;
	for (int i = 0; i < SYMBOLS; i++)
		symbols[i] = random_symbol(i);
}

TestSuite(rank_parts, .init = make_symbols);

struct table {
	int start, end;
};

static int walk(void *data, symbol_visitor *visit, void *visitor_data)
{
	const struct table *table = data;
	int r = 0;

	for (int i = table->start; i < table->end && r == 0; i++)
		r = visit(visitor_data, &symbols[i]);
	return r;
}

static int fail(void *data, symbol_visitor *visit, void *visitor_data)
{
	(void)data;
	(void)visit;
	(void)visitor_data;
	return -ENOMEM;
}

static struct table tables[] = {{0, SYMBOLS / 2}, {SYMBOLS / 2, SYMBOLS}};

static struct rank rank_alone(void)
{
	struct rank rank;

	cr_assert_eq(rank_init(&rank, addresses, ADDRESSES), 0);
	for (int t = 0; t < 2; t++) {
		cr_assert_eq(walk(&tables[t], rank_offer, &rank), 0);
		rank_settle(&rank);
	}
	rank_settle_unsized(&rank);
	return rank;
}

static struct rank rank_in_parts(void)
{
	struct rank_parts parts;
	struct rank rank;

	cr_assert_eq(rank_parts_init(&parts, addresses, ADDRESSES), 0);
	cr_expect_eq(rank_parts_unanswered(&parts), ADDRESSES);
	for (int t = 0; t < 2; t++)
		cr_assert_eq(rank_parts_offer(&parts, walk, &tables[t]), 0);
	cr_assert_eq(rank_parts_join(&parts, &rank), 0);
	return rank;
}

Test(rank_parts, answer_what_one_for_all_addresses_does)
{
	struct rank alone = rank_alone(), joined = rank_in_parts();
	size_t answered = 0;

	cr_expect_eq(joined.count, ADDRESSES);
	cr_expect_eq(joined.unanswered, alone.unanswered);
	for (size_t i = 0; i < ADDRESSES; i++) {
		const struct symbol *one = rank_answer(&alone, i), *other = rank_answer(&joined, i);

		cr_assert_eq(!one, !other);
		answered += one != NULL;
		if (one)
			cr_assert(one->start == other->start && one->end == other->end &&
				  strcmp(one->name, other->name) == 0);
	}
	cr_expect(answered > 0 && answered < ADDRESSES);
	rank_done(&alone);
	rank_done(&joined);
}

Test(rank_parts, there_may_be_nothing_to_answer)
{
	struct rank_parts parts;
	struct rank rank;

	cr_assert_eq(rank_parts_init(&parts, NULL, 0), 0);
	cr_expect_eq(rank_parts_offer(&parts, walk, &tables[0]), 0);
	cr_assert_eq(rank_parts_join(&parts, &rank), 0);
	cr_expect_eq(rank.count, 0);
	rank_done(&rank);
}

Test(rank_parts, tell_that_a_walk_failed)
{
	struct rank_parts parts;

	cr_assert_eq(rank_parts_init(&parts, addresses, ADDRESSES), 0);
	cr_expect_eq(rank_parts_offer(&parts, fail, NULL), -ENOMEM);
	rank_parts_done(&parts);
}
