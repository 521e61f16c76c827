/* SPDX-License-Identifier: MIT */
/* Sections and imported symbols, by libelf. */

#include "cli/doctor/doctor_elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

#define FLAG(member) offsetof(struct doctor_elf, member)

/* What an imported function, or a section, sets. */
struct sign {
	const char *name;
	size_t flag;
};

static const struct sign imports[] = {
	{"setitimer", FLAG(sigprof)},	{"profil", FLAG(sigprof)},
	{"sprofil", FLAG(sigprof)},	{"mcount", FLAG(instruments)},
	{"_mcount", FLAG(instruments)}, {"__fentry__", FLAG(instruments)},
	{"makecontext", FLAG(stacks)},	{"swapcontext", FLAG(stacks)},
	{"sigaltstack", FLAG(stacks)},	{"seccomp_load", FLAG(filters)},
};

static const struct sign sections[] = {
	{".symtab", FLAG(symbols)},
	{".gnu_debugdata", FLAG(symbols)},
	{".debug_info", FLAG(lines)},
	{".zdebug_info", FLAG(lines)},
};

static void take_sign(struct doctor_elf *elf, const struct sign *signs, size_t count,
		      const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(signs[i].name, name) == 0)
			*(bool *)((char *)elf + signs[i].flag) = true;
	}
}

static void take_symbols(Elf *file, Elf_Scn *section, const GElf_Shdr *header,
			 struct doctor_elf *elf)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(file, header->sh_link, symbol.st_name);

		if (name && symbol.st_shndx == SHN_UNDEF)
			take_sign(elf, imports, ARRAY_SIZE(imports), name);
	}
}

static void take_needed(Elf *file, Elf_Scn *section, const GElf_Shdr *header,
			struct doctor_elf *elf)
{
	static const char *const runtimes[] = {"libasan.", "libtsan.", "libubsan.", "liblsan.",
					       "libclang_rt."};
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
		const char *name = entry.d_tag == DT_NEEDED
					   ? elf_strptr(file, header->sh_link, entry.d_un.d_val)
					   : NULL;

		for (size_t j = 0; name && j < ARRAY_SIZE(runtimes); j++) {
			if (strncmp(name, runtimes[j], strlen(runtimes[j])) == 0)
				snprintf(elf->sanitizer, sizeof(elf->sanitizer), "%s", name);
		}
	}
}

static void take_sections(Elf *file, struct doctor_elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(file, &names) < 0)
		return;
	while ((section = elf_nextscn(file, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(file, names, header.sh_name);
		if (name && header.sh_type != SHT_NOBITS)
			take_sign(elf, sections, ARRAY_SIZE(sections), name);
		if (header.sh_type == SHT_DYNSYM)
			take_symbols(file, section, &header, elf);
		if (header.sh_type == SHT_DYNAMIC)
			take_needed(file, section, &header, elf);
	}
}

bool doctor_elf_read(const char *path, struct doctor_elf *ret_elf)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	GElf_Ehdr header;
	Elf *file;

	*ret_elf = (struct doctor_elf){.symbols = false};
	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	elf_version(EV_CURRENT);
	file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!file || elf_kind(file) != ELF_K_ELF) {
		elf_end(file);
		return false;
	}
	if (gelf_getehdr(file, &header))
		ret_elf->entry = header.e_entry;
	take_sections(file, ret_elf);
	elf_end(file);
	return true;
}
