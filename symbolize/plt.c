/* SPDX-License-Identifier: MIT */
/* From the stubs of all PLT sections, through their slots, to the relocations' symbols. */

#include "symbolize/plt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/plt_code.h"
#include "symbolize/util.h"

struct slots {
	struct relocation *items;
	size_t count, capacity;
};

struct stubs {
	struct plt_stub *items;
	size_t count, capacity;
};

/* The types of relocations that fill a slot with the address of a function. */
static const struct {
	uint16_t machine;
	uint32_t jump_slot, global, resolver;
} relocation_types[] = {
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE},
	{EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE},
	{EM_RISCV, R_RISCV_JUMP_SLOT, R_RISCV_64, R_RISCV_IRELATIVE},
};

struct collector {
	const struct elf_file *file;
	struct slots slots;
	size_t type_row;
	bool numbered; /* relocations of other types keep their places */
};

static bool grow(void **items, size_t count, size_t *capacity, size_t item_size)
{
	size_t larger = *capacity ? 2 * *capacity : 64;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*items, larger, item_size);
	if (!grown)
		return false;
	*items = grown;
	*capacity = larger;
	return true;
}

/* Where the addend stands in the slot itself. */
static uint64_t addend_in_place(const struct elf_file *file, uint64_t slot)
{
	struct reader reader = reader_of(elf_file_bytes_at(file, slot), file->big_endian);

	return reader_unsigned(&reader, file->is_64 ? 8 : 4);
}

static bool fills_a_slot(size_t row, uint32_t type)
{
	return type == relocation_types[row].jump_slot || type == relocation_types[row].global ||
	       type == relocation_types[row].resolver;
}

static int collect_slot(void *data, const struct relocation *relocation)
{
	struct collector *collector = data;
	struct slots *slots = &collector->slots;
	const bool fills = fills_a_slot(collector->type_row, relocation->type);
	struct relocation kept = *relocation;

	if (!fills && !collector->numbered)
		return 0;
	if (!grow((void **)&slots->items, slots->count, &slots->capacity, sizeof(kept)))
		return -ENOMEM;
	if (!fills || kept.type == relocation_types[collector->type_row].resolver)
		kept.symbol = 0;
	if (!fills)
		kept.addend = 0;
	else if (kept.symbol == 0 && kept.addend == 0)
		kept.addend = addend_in_place(collector->file, kept.offset);
	slots->items[slots->count++] = kept;
	return 0;
}

static int collect_from_sections(struct collector *collector)
{
	const struct elf_file *file = collector->file;

	for (size_t i = 0; i < file->section_count; i++) {
		const GElf_Shdr *header = &file->sections[i].header;
		int r;

		if ((header->sh_type != SHT_REL && header->sh_type != SHT_RELA) ||
		    !(header->sh_flags & SHF_ALLOC))
			continue;
		r = relocations_each(file, &file->sections[i], collect_slot, collector);
		if (r < 0)
			return r;
	}
	return 0;
}

static int compare_slots(const void *a, const void *b)
{
	const struct relocation *one = a, *other = b;

	return one->offset < other->offset ? -1 : one->offset > other->offset;
}

static int collect_from_dynamic(struct collector *collector, const struct dynamic *dynamic,
				struct slots *ret_lazy)
{
	int r;

	collector->numbered = true;
	r = dynamic_each_plt_relocation(dynamic, collect_slot, collector);
	*ret_lazy = collector->slots;
	collector->slots = (struct slots){NULL, 0, 0};
	collector->numbered = false;
	if (r == 0)
		r = dynamic_each_plt_relocation(dynamic, collect_slot, collector);
	if (r == 0)
		r = dynamic_each_relocation(dynamic, collect_slot, collector);
	return r;
}

/* The file's relocations of slots by address, and in *ret_lazy those that stubs number. */
static int collect_slots(struct collector *collector, const struct dynamic *dynamic,
			 struct slots *ret_lazy)
{
	int r = dynamic ? collect_from_dynamic(collector, dynamic, ret_lazy)
			: collect_from_sections(collector);

	if (r == 0 && collector->slots.count)
		qsort(collector->slots.items, collector->slots.count, sizeof(struct relocation),
		      compare_slots);
	return r;
}

static const struct relocation *relocation_of(const struct slots *slots, const struct slots *lazy,
					      const struct plt_code *code)
{
	const struct relocation key = {.offset = code->slot};
	const struct relocation *found = NULL;

	if (code->slot && slots->count)
		found = bsearch(&key, slots->items, slots->count, sizeof(key), compare_slots);
	if (!found && code->index < lazy->count)
		found = &lazy->items[code->index];
	return found;
}

static int add_stub(struct stubs *stubs, const struct plt_code *code,
		    const struct relocation *relocation, const struct symtab *symbols)
{
	struct plt_stub stub = {.start = code->start, .end = code->end};

	if (relocation->symbol)
		stub.target = symbols ? symtab_name(symbols, relocation->symbol) : NULL;
	else
		stub.resolver = relocation->addend;
	if (!stub.target && !stub.resolver)
		return 0;
	if (!grow((void **)&stubs->items, stubs->count, &stubs->capacity, sizeof(stub)))
		return -ENOMEM;
	stubs->items[stubs->count++] = stub;
	return 0;
}

static int add_stubs_of(const struct plt_area *area, const struct slots *slots,
			const struct slots *lazy, const struct symtab *symbols, struct stubs *stubs)
{
	struct plt_code code;
	uint64_t offset = 0;

	while (plt_code_next(area, &offset, &code)) {
		const struct relocation *relocation = relocation_of(slots, lazy, &code);
		int r = relocation ? add_stub(stubs, &code, relocation, symbols) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

bool plt_is_section(const struct elf_section *section)
{
	return elf_section_is_code(section) &&
	       (strncmp(section->name, ".plt", 4) == 0 || strncmp(section->name, ".iplt", 5) == 0);
}

/* Linkers that leave the size of entries out tell short ones, which are never bound lazily, so. */
static uint64_t stub_size(const struct elf_section *section)
{
	const uint64_t size = section->header.sh_entsize;

	if (size >= 8 && size <= 64)
		return size;
	return section->header.sh_addralign == 8 ? 8 : 16;
}

/*
 * The base that 32-bit x86 keeps in a register is not the same with all linkers; a stub that both
 * jumps relative to it and names its relocation tells.
 */
static uint64_t find_got(const struct plt_area *area, const struct slots *lazy, uint64_t fallback)
{
	struct plt_code code;
	uint64_t offset = 0;

	while (plt_code_next(area, &offset, &code))
		if (code.slot && code.index < lazy->count)
			return (uint32_t)(lazy->items[code.index].offset - code.slot);
	return fallback;
}

static int add_all_stubs(const struct elf_file *file, const struct dynamic *dynamic,
			 const struct slots *slots, const struct slots *lazy,
			 const struct symtab *symbols, struct stubs *stubs)
{
	uint64_t got = dynamic ? dynamic->values[DT_PLTGOT] : 0;

	for (size_t i = 0; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];
		struct plt_area area = {.file = file};
		int r;

		if (!plt_is_section(section))
			continue;
		area.code = elf_file_contents(file, section);
		area.address = section->header.sh_addr;
		area.stub_size = stub_size(section);
		got = find_got(&area, lazy, got);
		area.got = got;
		r = add_stubs_of(&area, slots, lazy, symbols, stubs);
		if (r < 0)
			return r;
	}
	return 0;
}

int plt_load(const struct elf_file *file, const struct dynamic *dynamic,
	     const struct symtab *symbols, struct plt_stub **ret_stubs, size_t *ret_count)
{
	struct collector collector = {.file = file};
	struct slots lazy = {NULL, 0, 0};
	struct stubs stubs = {NULL, 0, 0};
	int r = 0;

	while (collector.type_row < ARRAY_SIZE(relocation_types) &&
	       relocation_types[collector.type_row].machine != file->header.e_machine)
		collector.type_row++;
	if (collector.type_row < ARRAY_SIZE(relocation_types))
		r = collect_slots(&collector, dynamic, &lazy);
	if (r == 0)
		r = add_all_stubs(file, dynamic, &collector.slots, &lazy, symbols, &stubs);
	free(collector.slots.items);
	free(lazy.items);
	if (r < 0) {
		free(stubs.items);
		return r;
	}
	*ret_stubs = stubs.items;
	*ret_count = stubs.count;
	return 0;
}
