/* SPDX-License-Identifier: MIT */
/*
 * One decoder per machine. Linkers lay stubs out in many ways (lazy, now, with landing pads, with
 * retpolines); instead of knowing them all, the instructions are looked for that every layout has:
 * the one that fetches the pointer, and the one that pushes the relocation's number.
 */

#include "symbolize/plt_code.h"

#include <string.h>

#include "symbolize/util.h"

static uint32_t little32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static uint64_t relative(uint64_t address, const uint8_t *displacement)
{
	return address + (uint64_t)(int32_t)little32(displacement);
}

/* jmp *slot(%rip), or mov slot(%rip),%r11 where the jump is a retpoline. */
static void decode_x86_64(const uint8_t *code, size_t size, struct plt_code *stub)
{
	for (size_t i = 0; i < size; i++) {
		if (!stub->slot && i + 6 <= size && code[i] == 0xff && code[i + 1] == 0x25)
			stub->slot = relative(stub->start + i + 6, code + i + 2);
		if (!stub->slot && i + 7 <= size && memcmp(code + i, "\x4c\x8b\x1d", 3) == 0)
			stub->slot = relative(stub->start + i + 7, code + i + 3);
		if (stub->index == PLT_NO_INDEX && i + 5 <= size && code[i] == 0x68)
			stub->index = little32(code + i + 1);
	}
}

static bool next_x86_64(const struct plt_area *area, uint64_t *offset, struct plt_code *stub)
{
	const uint64_t size = area->stub_size ? area->stub_size : 16;

	if (*offset >= area->code.size || area->code.size - *offset < size)
		return false;
	stub->start = area->address + *offset;
	stub->end = stub->start + size;
	decode_x86_64(area->code.data + *offset, size, stub);
	*offset += size;
	return true;
}

/*
 * jmp *slot, or jmp *offset(%ebx) with the table's base in the register; what is pushed (or, by
 * mold, put into %ecx) counts bytes.
 */
static void decode_i386(const struct plt_area *area, const uint8_t *code, size_t size,
			struct plt_code *stub)
{
	for (size_t i = 0; i < size; i++) {
		if (!stub->slot && i + 6 <= size && code[i] == 0xff && code[i + 1] == 0x25)
			stub->slot = little32(code + i + 2);
		if (!stub->slot && i + 6 <= size && code[i] == 0xff && code[i + 1] == 0xa3)
			stub->slot = (uint32_t)relative(area->got, code + i + 2);
		if (stub->index == PLT_NO_INDEX && i + 5 <= size &&
		    (code[i] == 0x68 || code[i] == 0xb9))
			stub->index = little32(code + i + 1) / sizeof(Elf32_Rel);
	}
}

static bool next_i386(const struct plt_area *area, uint64_t *offset, struct plt_code *stub)
{
	const uint64_t size = area->stub_size >= 8 ? area->stub_size : 16;

	if (*offset >= area->code.size || area->code.size - *offset < size)
		return false;
	stub->start = area->address + *offset;
	stub->end = stub->start + size;
	decode_i386(area, area->code.data + *offset, size, stub);
	*offset += size;
	return true;
}

#define AARCH64_BTI_C  0xd503245f
#define AARCH64_BR_X17 0xd61f0220
#define AARCH64_NOP    0xd503201f

/* adrp x16, page; ldr x17, [x16, #offset]; ...; br x17, with or without a landing pad before. */
static bool next_aarch64(const struct plt_area *area, uint64_t *offset, struct plt_code *stub)
{
	const uint8_t *code = area->code.data;

	for (uint64_t i = *offset; i + 8 <= area->code.size; i += 4) {
		const uint32_t adrp = little32(code + i), ldr = little32(code + i + 4);
		const uint64_t pc = area->address + i;
		uint64_t pages;

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
		pages = (uint64_t)((int64_t)(pages << 43) >> 31);
		stub->slot = (pc & ~UINT64_C(0xfff)) + pages + ((uint64_t)(ldr >> 10 & 0xfff) << 3);
		stub->start = i >= 4 && little32(code + i - 4) == AARCH64_BTI_C ? pc - 4 : pc;
		for (i += 8; i + 4 <= area->code.size && little32(code + i) != AARCH64_BR_X17;)
			i += 4;
		for (i += 4; i + 4 <= area->code.size && little32(code + i) == AARCH64_NOP;)
			i += 4;
		stub->end = area->address + i;
		*offset = i;
		return true;
	}
	return false;
}

/* auipc t3, high; l[wd] t3, low(t3); jalr t1, t3; nop */
static bool next_riscv(const struct plt_area *area, uint64_t *offset, struct plt_code *stub)
{
	const uint8_t *code = area->code.data;

	for (uint64_t i = *offset; i + 16 <= area->code.size; i += 4) {
		const uint32_t high = little32(code + i), low = little32(code + i + 4);

		if ((high & 0xfff) != 0xe17 ||
		    (low & 0xfffff) != (area->file->is_64 ? 0xe3e03 : 0xe2e03))
			continue;
		stub->start = area->address + i;
		stub->end = stub->start + 16;
		stub->slot = stub->start + (uint64_t)(int32_t)(high & 0xfffff000) +
			     (uint64_t)((int32_t)low >> 20);
		*offset = i + 16;
		return true;
	}
	return false;
}

static const struct {
	uint16_t machine;
	bool (*next)(const struct plt_area *area, uint64_t *offset, struct plt_code *stub);
} decoders[] = {
	{EM_X86_64, next_x86_64},
	{EM_386, next_i386},
	{EM_AARCH64, next_aarch64},
	{EM_RISCV, next_riscv},
};

bool plt_code_next(const struct plt_area *area, uint64_t *offset, struct plt_code *ret_code)
{
	*ret_code = (struct plt_code){.index = PLT_NO_INDEX};
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		if (decoders[i].machine == area->file->header.e_machine)
			return decoders[i].next(area, offset, ret_code);
	return false;
}
