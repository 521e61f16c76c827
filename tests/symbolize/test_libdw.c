/* SPDX-License-Identifier: MIT */
/* Our reader against elfutils', at every address of real programs: this test, and its fixtures. */

#include "symbolize/symbolize.h"

#include <criterion/criterion.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/util.h"
#include "tests/symbolize/parts.h"

/* Enough to be sure, few enough to be quick. */
#define ADDRESSES_MAX 20000

struct reference {
	Dwarf *dwarf;
	int fd;
};

static struct reference reference_open(const char *path)
{
	struct reference reference = {.fd = open(path, O_RDONLY | O_CLOEXEC)};

	reference.dwarf = dwarf_begin(reference.fd, DWARF_C_READ);
	cr_assert(reference.dwarf, "%s: %s", path, dwarf_errmsg(-1));
	return reference;
}

/* The unit whose ranges hold @address, by the DIEs themselves as .debug_aranges may be missing. */
static bool find_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *ret_unit)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, ret_unit, NULL) == 0)
		if ((type == DW_UT_compile || type == DW_UT_skeleton) &&
		    dwarf_haspc(ret_unit, address) == 1)
			return true;
	return false;
}

/* The line of the last row at or before the address, 0: none. */
static unsigned reference_line(Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;

	if (line)
		dwarf_lineno(line, &number);
	return (unsigned)number;
}

/* The functions around the address, innermost first. */
static size_t reference_frames(Dwarf_Die *unit, uint64_t address, Dwarf_Die *frames, size_t max)
{
	Dwarf_Die *around = NULL, *scopes = NULL;
	int count = dwarf_getscopes(unit, address, &around);
	size_t found = 0;

	/* Those around an inlined function are the source's; wanted are those of the code. */
	if (count > 0)
		count = dwarf_getscopes_die(&around[0], &scopes);
	free(around);
	for (int i = 0; i < count && found < max; i++) {
		const int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
			frames[found++] = scopes[i];
		if (tag == DW_TAG_subprogram)
			break;
	}
	free(scopes);
	return found;
}

static unsigned call_line(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0;

	dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line);
	return (unsigned)line;
}

static void compare(const struct sym_answer *answer, Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Die frames[32];
	size_t count = reference_frames(unit, address, frames, ARRAY_SIZE(frames));

	if (count == 0)
		return;
	cr_assert_eq(answer->frame_count, count, "%zu frames at 0x%zx instead of %zu",
		     answer->frame_count, (size_t)address, count);
	cr_expect_eq(answer->frames[0].line, reference_line(unit, address), "0x%zx",
		     (size_t)address);
	for (size_t i = 0; i + 1 < count; i++) {
		const char *name = dwarf_diename(&frames[i]);

		cr_expect(strstr(answer->frames[i].function, name), "%s instead of %s at 0x%zx",
			  answer->frames[i].function, name, (size_t)address);
		cr_expect_eq(answer->frames[i + 1].line, call_line(&frames[i]), "0x%zx",
			     (size_t)address);
	}
}

/* Every address of the functions that the file's units describe. */
static uint64_t *addresses_of(Dwarf *dwarf, size_t *ret_count)
{
	uint64_t *addresses = calloc(ADDRESSES_MAX, sizeof(*addresses));
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	size_t count = 0;

	cr_assert(addresses);
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
		Dwarf_Addr base, start, end;
		ptrdiff_t offset = 0;

		while ((offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0)
			for (uint64_t a = start; a < end && count < ADDRESSES_MAX; a++)
				addresses[count++] = a;
	}
	*ret_count = count;
	return addresses;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static void check_file(const char *path)
{
	const struct reference reference = reference_open(path);
	struct sym_object *object = parts_open(path);
	size_t count;
	AUTO_FREE uint64_t *addresses = addresses_of(reference.dwarf, &count);
	AUTO_FREE struct sym_answer *answers = calloc(count + 1, sizeof(*answers));
	struct error err;

	cr_assert_gt(count, 0, "%s", path);
	qsort(addresses, count, sizeof(*addresses), by_value);
	cr_assert_eq(
		sym_object_find(object, addresses, count, SYM_LINES | SYM_INLINES, answers, &err),
		0);
	for (size_t i = 0; i < count; i++) {
		Dwarf_Die unit;

		if (find_unit(reference.dwarf, addresses[i], &unit))
			compare(&answers[i], &unit, addresses[i]);
	}
	sym_object_close(object);
	dwarf_end(reference.dwarf);
	close(reference.fd);
}

Test(libdw, agrees_about_this_program)
{
	check_file("/proc/self/exe");
}

Test(libdw, agrees_about_the_fixtures)
{
	static const char *const paths[] = {LIBDW_VARIANTS};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		check_file(paths[i]);
}
