/* SPDX-License-Identifier: MIT */
/* What names are found as more and more of a file is taken away. */

#include "symbolize/symbolize.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "symbolize/util.h"
#include "tests/symbolize/parts.h"

static void expect_nameless(struct sym_object *object, uint64_t address, uint64_t start)
{
	const char *name = parts_name(object, address);
	char expected[32];

	snprintf(expected, sizeof(expected), "func_%" PRIx64, start);
	cr_expect_str_eq(name ? name : "(none)", expected);
}

Test(sources, a_whole_file_names_everything)
{
	const struct parts parts = parts_load();
	struct sym_object *object = parts_open(PARTS);

	cr_expect_str_eq(parts_name(object, parts.exported), "parts_exported");
	cr_expect_str_eq(parts_name(object, parts.hidden), "parts_static");
	cr_expect_str_eq(sym_object_source(object), ".symtab");
	sym_object_close(object);
}

Test(sources, a_stripped_file_names_what_it_exports_and_tells_the_rest_apart)
{
	const struct parts parts = parts_load();
	struct sym_object *object = parts_open(PARTS_STRIPPED);

	cr_expect_str_eq(parts_name(object, parts.exported), "parts_exported");
	cr_expect_str_eq(sym_object_source(object), ".dynsym");
	expect_nameless(object, parts.hidden, parts.hidden);
	expect_nameless(object, parts.hidden + 1, parts.hidden);
	sym_object_close(object);
}

Test(sources, a_file_without_section_headers_does_the_same)
{
	const struct parts parts = parts_load();
	const Elf64_Off none = 0;
	AUTO_FREE char *copy =
		parts_patched(PARTS_STRIPPED, offsetof(Elf64_Ehdr, e_shoff), &none, sizeof(none));
	struct sym_object *object = parts_open(copy);

	cr_expect_str_eq(parts_name(object, parts.exported), "parts_exported");
	cr_expect_str_eq(parts_name(object, parts.callee), "parts_callee");
	expect_nameless(object, parts.hidden, parts.hidden);
	sym_object_close(object);
	unlink(copy);
}

Test(sources, a_file_with_section_headers_that_lie_outside_is_read_in_part)
{
	const struct parts parts = parts_load();
	const Elf64_Off outside = UINT64_C(0xfffffffffffff000);
	AUTO_FREE char *copy =
		parts_patched(PARTS, offsetof(Elf64_Ehdr, e_shoff), &outside, sizeof(outside));
	struct sym_object *object = parts_open(copy);

	cr_expect_str_eq(parts_name(object, parts.exported), "parts_exported");
	cr_expect(strstr(sym_object_note(object, 0), "damaged"));
	sym_object_close(object);
	unlink(copy);
}

/* Calls @check with each address of the sections of stubs; the number of such sections. */
static size_t for_each_stub_address(const char *path, void (*check)(void *data, uint64_t address),
				    void *data)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = (elf_version(EV_CURRENT), elf_begin(fd, ELF_C_READ, NULL));
	size_t strings, found = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	cr_assert_eq(elf_getshdrstrndx(elf, &strings), 0);
	while ((section = elf_nextscn(elf, section))) {
		gelf_getshdr(section, &header);
		if (strncmp(elf_strptr(elf, strings, header.sh_name), ".plt", 4) != 0)
			continue;
		found++;
		for (uint64_t i = 0; i < header.sh_size; i += 4)
			check(data, header.sh_addr + i);
	}
	elf_end(elf);
	return found;
}

struct stub_check {
	struct sym_object *object;
	size_t of_callee;
};

static void check_stub(void *data, uint64_t address)
{
	struct stub_check *check = data;
	const char *name = parts_name(check->object, address);

	if (name)
		cr_expect(strstr(name, "@plt"), "%s in the PLT", name);
	check->of_callee += name && strcmp(name, "parts_callee@plt") == 0;
}

Test(sources, stubs_are_called_by_what_they_call)
{
	static const char *const paths[] = {PARTS, PARTS_STRIPPED};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct stub_check check = {.object = parts_open(paths[i])};

		cr_assert(for_each_stub_address(paths[i], check_stub, &check));
		cr_expect_geq(check.of_callee, 2, "%zu addresses", check.of_callee);
		sym_object_close(check.object);
	}
}
