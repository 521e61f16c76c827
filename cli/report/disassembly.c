/* SPDX-License-Identifier: MIT */
/* Instructions of an object's code, by capstone. */

#include "cli/report/disassembly.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>
#endif

#include "cli/grow.h"
#include "symbolize/util.h"

#define SIZE_LIMIT (4UL << 20) /* bytes of code: more is no function that anybody reads */

void disassembly_done(struct disassembly *disassembly)
{
	free(disassembly->instruction);
	*disassembly = (struct disassembly){.count = 0};
}

#ifdef HAVE_CAPSTONE

static struct {
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_insn *(*malloc)(csh handle);
	void (*free)(cs_insn *insn, size_t count);
	bool (*iterate)(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
			cs_insn *insn);
} capstone;

int disassembly_built_in(void)
{
	return 1;
}

static bool load_capstone(void)
{
	static const char *const names[] = {"libcapstone.so.4", "libcapstone.so.5"};
	void *handle = NULL;

	/* The interface of what is used is the same in both. */
	for (size_t i = 0; i < ARRAY_SIZE(names) && !handle; i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return false;
	*(void **)&capstone.open = dlsym(handle, "cs_open");
	*(void **)&capstone.close = dlsym(handle, "cs_close");
	*(void **)&capstone.malloc = dlsym(handle, "cs_malloc");
	*(void **)&capstone.free = dlsym(handle, "cs_free");
	*(void **)&capstone.iterate = dlsym(handle, "cs_disasm_iter");
	return capstone.open && capstone.close && capstone.malloc && capstone.free &&
	       capstone.iterate;
}

static bool arch_of(unsigned machine, cs_arch *ret_arch, cs_mode *ret_mode)
{
	static const struct {
		unsigned machine;
		cs_arch arch;
		cs_mode mode;
	} archs[] = {
		{EM_X86_64, CS_ARCH_X86, CS_MODE_64},
		{EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM},
	};

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		if (archs[i].machine != machine)
			continue;
		*ret_arch = archs[i].arch;
		*ret_mode = archs[i].mode;
		return true;
	}
	return false;
}

static int add_instruction(struct disassembly *disassembly, const struct instruction *instruction)
{
	if (!grow(&disassembly->instruction, disassembly->count + 1, &disassembly->room))
		return -ENOMEM;
	disassembly->instruction[disassembly->count++] = *instruction;
	return 0;
}

static int decode(csh handle, const uint8_t *code, size_t size, uint64_t address,
		  struct disassembly *disassembly)
{
	cs_insn *insn = capstone.malloc(handle);
	int result = insn ? 0 : -ENOMEM;

	while (size && result == 0) {
		struct instruction instruction = {.address = address, .size = 1};

		if (capstone.iterate(handle, &code, &size, &address, insn)) {
			instruction.size = insn->size;
			snprintf(instruction.text, sizeof(instruction.text),
				 *insn->op_str ? "%-7s %s" : "%s", insn->mnemonic, insn->op_str);
		} else {
			snprintf(instruction.text, sizeof(instruction.text), "(0x%02x)", *code);
			code++;
			size--;
			address++;
		}
		result = add_instruction(disassembly, &instruction);
	}
	if (insn)
		capstone.free(insn, 1);
	return result;
}

/* Where in the file the code at link-time @address stands; 0: nowhere. */
static uint64_t offset_of(Elf *elf, uint64_t address, uint64_t end)
{
	size_t count;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count) < 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    address >= header.p_vaddr && end <= header.p_vaddr + header.p_filesz)
			return header.p_offset + (address - header.p_vaddr);
	}
	return 0;
}

static int decode_file(int fd, Elf *elf, uint64_t start, uint64_t end,
		       struct disassembly *disassembly)
{
	uint64_t offset = offset_of(elf, start, end);
	AUTO_FREE uint8_t *code = malloc(end - start);
	GElf_Ehdr header;
	cs_arch arch;
	cs_mode mode;
	csh handle;
	int result;

	if (!code)
		return -ENOMEM;
	if (!offset || !gelf_getehdr(elf, &header) || !arch_of(header.e_machine, &arch, &mode) ||
	    pread(fd, code, end - start, (off_t)offset) != (ssize_t)(end - start))
		return -ENOEXEC;
	if (capstone.open(arch, mode, &handle) != CS_ERR_OK)
		return -ENOTSUP;
	result = decode(handle, code, end - start, start, disassembly);
	capstone.close(&handle);
	return result;
}

int disassembly_make(const struct profile_object *object, uint64_t start, uint64_t end,
		     struct disassembly *ret_disassembly, struct error *err)
{
	AUTO_CLOSE int fd = object->path ? open(object->path, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf;
	int code;

	*ret_disassembly = (struct disassembly){.count = 0};
	if (fd < 0)
		return error_set(err, -ENOENT, "no instructions of %.100s: it cannot be read",
				 object->name);
	if (end <= start || end - start > SIZE_LIMIT)
		return error_set(err, -EINVAL, "no instructions: the function has no known end");
	if (!load_capstone())
		return error_set(err, -ENOTSUP, "no instructions: libcapstone is not installed");
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	code = elf ? decode_file(fd, elf, start, end, ret_disassembly) : -ENOEXEC;
	elf_end(elf);
	if (code == 0)
		return 0;
	return error_set(err, code, "no instructions of %.100s: ", object->name);
}

#else

int disassembly_built_in(void)
{
	return 0;
}

int disassembly_make(const struct profile_object *object, uint64_t start, uint64_t end,
		     struct disassembly *ret_disassembly, struct error *err)
{
	(void)object;
	(void)start;
	(void)end;
	*ret_disassembly = (struct disassembly){.count = 0};
	return error_set(err, -ENOTSUP, "no instructions: profrun was built without capstone");
}

#endif
