/* SPDX-License-Identifier: MIT */
/*
 * Time in the kernel lands on the instruction after the one that entered it, or on that one when
 * the call is about to be restarted. Instructions are compared as bytes: on x86 a call instruction
 * that ends at the pc is taken for what it looks like, without disassembly.
 */

#include "symbolize/syscall.h"

#include <string.h>

#include "symbolize/util.h"

static const struct {
	uint16_t machine;
	uint8_t size;
	uint8_t bytes[4];
} syscall_instructions[] = {
	{EM_X86_64, 2, {0x0f, 0x05}},		   /* syscall */
	{EM_386, 2, {0xcd, 0x80}},		   /* int 0x80 */
	{EM_386, 2, {0x0f, 0x34}},		   /* sysenter */
	{EM_AARCH64, 4, {0x01, 0x00, 0x00, 0xd4}}, /* svc #0 */
};

static bool instruction_is(const struct elf_file *file, uint64_t address,
			   const uint8_t *instruction, size_t size)
{
	const struct bytes bytes = elf_file_bytes_at(file, address);

	return bytes.size >= size && memcmp(bytes.data, instruction, size) == 0;
}

bool syscall_at(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(syscall_instructions); i++) {
		const uint8_t *instruction = syscall_instructions[i].bytes;
		size_t size = syscall_instructions[i].size;

		if (syscall_instructions[i].machine == file->header.e_machine &&
		    (instruction_is(file, address - size, instruction, size) ||
		     instruction_is(file, address, instruction, size)))
			return true;
	}
	return false;
}
