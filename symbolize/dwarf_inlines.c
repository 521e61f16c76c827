/* SPDX-License-Identifier: MIT */
/*
 * The scan runs over the DIEs in file order and jumps over what cannot matter: types, and functions
 * that cover no address asked for. Frames come out of it outermost first. An address for which that
 * found no function gets a second scan that jumps over nothing, for functions where they are not
 * expected: inside of classes, or of functions that do not cover them (nested ones of D, Ada, C).
 */

#include "symbolize/dwarf_inlines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "symbolize/dwarf_die.h"
#include "symbolize/dwarf_ranges.h"
#include "symbolize/rank.h"

#define NO_OWNER    UINT64_MAX
#define NESTING_MAX 32

enum role {
	ROLE_OTHER,   /* holds no code, as far as is expected */
	ROLE_SCOPE,   /* holds functions */
	ROLE_BLOCK,   /* a part of a function's code */
	ROLE_INLINED, /* the same, of another function */
	ROLE_FUNCTION,
};

static const uint8_t roles[] = {
	[DW_TAG_compile_unit] = ROLE_SCOPE,  [DW_TAG_partial_unit] = ROLE_SCOPE,
	[DW_TAG_skeleton_unit] = ROLE_SCOPE, [DW_TAG_namespace] = ROLE_SCOPE,
	[DW_TAG_module] = ROLE_SCOPE,	     [DW_TAG_lexical_block] = ROLE_BLOCK,
	[DW_TAG_try_block] = ROLE_BLOCK,     [DW_TAG_catch_block] = ROLE_BLOCK,
	[DW_TAG_with_stmt] = ROLE_BLOCK,     [DW_TAG_inlined_subroutine] = ROLE_INLINED,
	[DW_TAG_subprogram] = ROLE_FUNCTION, [DW_TAG_entry_point] = ROLE_FUNCTION,
};

struct scan {
	struct dwarf_unit *unit;
	const struct dwarf_abbrevs *abbrevs;
	struct reader reader;
	const uint8_t *info;
	const uint64_t *addresses;
	size_t count;
	uint64_t *owners; /* per address the function's DIE, or NO_OWNER */
	bool thorough;
	struct inline_frames *frames;
	/* Where the scan is: the depth, and the functions around it that own addresses. */
	unsigned depth;
	struct {
		uint64_t die;
		unsigned depth;
	} functions[NESTING_MAX];
	size_t nesting;
};

static enum role role_of(const struct scan *scan, uint16_t tag)
{
	enum role role = tag < sizeof(roles) ? (enum role)roles[tag] : ROLE_OTHER;

	return role == ROLE_OTHER && scan->thorough ? ROLE_SCOPE : role;
}

static int add_frame(struct inline_frames *frames, const struct inline_frame *frame)
{
	if (frames->count == frames->capacity) {
		size_t capacity = frames->capacity ? 2 * frames->capacity : 64;
		void *grown = reallocarray(frames->items, capacity, sizeof(*frame));

		if (!grown)
			return -ENOMEM;
		frames->items = grown;
		frames->capacity = capacity;
	}
	frames->items[frames->count++] = *frame;
	return 0;
}

static uint64_t number_of(const struct dwarf_values *values, enum dwarf_slot slot)
{
	const struct dwarf_value *value = dwarf_value(values, slot);

	return value ? value->number : 0;
}

/* Whether the code at an address belongs to the DIE being looked at; a function takes it over. */
static bool claim(struct scan *scan, size_t address, enum role role, uint64_t die)
{
	if (role == ROLE_FUNCTION && scan->owners[address] == NO_OWNER) {
		scan->owners[address] = die;
		return true;
	}
	return role != ROLE_FUNCTION && scan->nesting &&
	       scan->owners[address] == scan->functions[scan->nesting - 1].die;
}

static struct dwarf_die function_of(struct dwarf_unit *unit, uint64_t die,
				    const struct dwarf_values *values)
{
	const struct dwarf_die origin = dwarf_value_die(unit, dwarf_value(values, DWARF_ORIGIN));

	return origin.unit ? origin : (struct dwarf_die){unit, die};
}

/*
 * Frames for the addresses that the DIE covers; 1 if there are any, 0 if not, or -ENOMEM. Ranges of
 * one DIE may overlap: an address gets one frame.
 */
static int cover(struct scan *scan, enum role role, uint64_t die, const struct dwarf_values *values,
		 struct dwarf_ranges *ranges)
{
	struct inline_frame frame = {
		.die = die,
		.function = function_of(scan->unit, die, values),
		.depth = scan->depth,
		.call_file = number_of(values, DWARF_CALL_FILE),
		.call_line = number_of(values, DWARF_CALL_LINE),
	};
	struct sym_range range;
	int covered = 0;

	while (dwarf_ranges_next(ranges, &range)) {
		size_t i = rank_lower_bound(scan->addresses, scan->count, range.start);

		for (; i < scan->count && scan->addresses[i] < range.end; i++) {
			int r = 0;

			if (!claim(scan, i, role, die))
				continue;
			covered = 1;
			frame.address = i;
			if (role != ROLE_BLOCK)
				r = add_frame(scan->frames, &frame);
			if (r < 0)
				return r;
			if (!dwarf_spend(scan->unit->dwarf, 1))
				break;
		}
	}
	return covered;
}

/* A DIE that may have code: whether to look at its children, or -ENOMEM. */
static int look_at_code(struct scan *scan, enum role role, uint64_t die,
			const struct dwarf_values *values)
{
	struct dwarf_ranges ranges;
	int r;

	if (!dwarf_ranges_of_die(scan->unit, values, &ranges))
		return role == ROLE_BLOCK || scan->thorough;
	r = cover(scan, role, die, values, &ranges);
	if (r > 0 && role == ROLE_FUNCTION && scan->nesting < NESTING_MAX) {
		scan->functions[scan->nesting].die = die;
		scan->functions[scan->nesting++].depth = scan->depth;
	}
	return r < 0 ? r : r || scan->thorough;
}

/* One DIE whose code was read; @die is its offset. 0 or -ENOMEM. */
static int scan_die(struct scan *scan, uint64_t die, const struct dwarf_abbrev *abbrev)
{
	const enum role role = role_of(scan, abbrev->tag);
	struct dwarf_values values;
	uint64_t sibling;
	int descend = 1;

	if (role < ROLE_BLOCK) {
		sibling = dwarf_abbrev_skip(scan->unit, scan->abbrevs, abbrev, &scan->reader);
		descend = role == ROLE_SCOPE;
	} else {
		dwarf_abbrev_read(scan->unit, scan->abbrevs, abbrev, &scan->reader, &values);
		sibling = dwarf_sibling(scan->unit, &values);
		descend = look_at_code(scan, role, die, &values);
	}
	if (descend < 0 || !abbrev->has_children)
		return descend < 0 ? descend : 0;
	if (descend)
		scan->depth++;
	else
		dwarf_skip_children(scan->unit, scan->abbrevs, &scan->reader, scan->info, sibling);
	return 0;
}

/* Behind a function that is nested in another one, the outer one's code goes on. */
static void leave_functions(struct scan *scan)
{
	while (scan->nesting && scan->functions[scan->nesting - 1].depth >= scan->depth)
		scan->nesting--;
}

static int run_scan(struct scan *scan)
{
	scan->reader = dwarf_reader(scan->unit->dwarf, DWARF_INFO, 0);
	scan->info = scan->reader.at;
	if (scan->reader.failed || reader_left(&scan->reader) < scan->unit->end)
		return 0;
	scan->reader.end = scan->info + scan->unit->end;
	scan->reader.at = scan->info + scan->unit->root;
	scan->nesting = 0;
	scan->depth = 0;
	while (reader_left(&scan->reader)) {
		const uint64_t die = (uint64_t)(scan->reader.at - scan->info);
		const uint64_t code = reader_uleb(&scan->reader);
		const struct dwarf_abbrev *abbrev;
		int r;

		if (code == 0 && scan->depth == 0)
			break;
		if (code == 0) {
			scan->depth--;
			continue;
		}
		abbrev = dwarf_abbrev_find(scan->abbrevs, code);
		if (!abbrev)
			break;
		leave_functions(scan);
		r = scan_die(scan, die, abbrev);
		if (r < 0)
			return r;
	}
	return 0;
}

static int compare_frames(const void *a, const void *b)
{
	const struct inline_frame *one = a, *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	return one->die < other->die ? -1 : one->die > other->die;
}

static bool all_owned(const struct scan *scan)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan->owners[i] == NO_OWNER)
			return false;
	return true;
}

int inlines_find(struct dwarf_unit *unit, const uint64_t *addresses, size_t count,
		 struct inline_frames *ret_frames)
{
	struct scan scan = {
		.unit = unit,
		.abbrevs = dwarf_abbrevs_load(unit),
		.addresses = addresses,
		.count = count,
		.frames = ret_frames,
	};
	int r;

	*ret_frames = (struct inline_frames){NULL, 0, 0};
	if (!scan.abbrevs)
		return 0;
	scan.owners = malloc((count + 1) * sizeof(*scan.owners));
	if (!scan.owners)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		scan.owners[i] = NO_OWNER;
	r = run_scan(&scan);
	if (r == 0 && !all_owned(&scan)) {
		scan.thorough = true;
		r = run_scan(&scan);
	}
	free(scan.owners);
	if (ret_frames->count)
		qsort(ret_frames->items, ret_frames->count, sizeof(*ret_frames->items),
		      compare_frames);
	return r;
}

void inline_frames_done(struct inline_frames *frames)
{
	free(frames->items);
	frames->items = NULL;
}
