/* SPDX-License-Identifier: MIT */
/* What an ELF file says about itself, as a verdict with its reason and a way out. */

#include "cli/launch/preflight_judge.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/launch/preflight_privilege.h"
#include "cli/launch/preflight_say.h"
#include "symbolize/util.h"

static void judge_static(struct preflight *result, const char *subject, bool go)
{
	preflight_judge(result, PREFLIGHT_NOT_PROFILED, "%s is statically linked", subject);
	preflight_hint(result, "%s",
		       go ? "use --ticks=kernel, or Go's own package runtime/pprof"
			  : "use --ticks=kernel, or link it dynamically");
}

static const char *machine_name(unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{EM_386, "x86"},	 {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"},
		{EM_AARCH64, "aarch64"}, {EM_RISCV, "RISC-V"},	{EM_PPC64, "PowerPC"},
		{EM_S390, "S/390"},	 {EM_MIPS, "MIPS"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].machine == machine)
			return names[i].name;
	return "another machine";
}

/* glibc's own name for it; other C libraries have other ones. */
static bool is_glibc_linker(const char *path)
{
	const char *name = basename(path);

	return strncmp(name, "ld-linux", strlen("ld-linux")) == 0 ||
	       strncmp(name, "ld-lsb", strlen("ld-lsb")) == 0;
}

static void judge_dynamic(struct preflight *result, const char *subject,
			  const struct preflight_elf *elf)
{
	if (access(elf->linker, F_OK) < 0 && errno == ENOENT) {
		preflight_judge(result, PREFLIGHT_NOT_FOUND,
				"%s needs the dynamic linker '%.*s', which does not exist", subject,
				PREFLIGHT_NAME_SHOWN, elf->linker);
	} else if (!is_glibc_linker(elf->linker)) {
		preflight_judge(result, PREFLIGHT_NOT_PROFILED,
				"%s is linked with another C library than glibc ('%.*s')", subject,
				PREFLIGHT_NAME_SHOWN, elf->linker);
		preflight_hint(result, "use --ticks=kernel, or link it with glibc");
	} else if (elf->go) {
		preflight_judge(result, PREFLIGHT_NOT_PROFILED,
				"%s is a Go program, whose runtime takes every signal for itself",
				subject);
		preflight_hint(result, "use --ticks=kernel, or Go's own package runtime/pprof");
		result->keep_out = true;
	}
}

/* A privileged program gets no preload, whatever else it is. True when that was said. */
static bool judge_privilege(struct preflight *result, const char *subject, const char *path,
			    const struct stat *status)
{
	/* As root the ids of a file of root's change nothing, and capabilities neither. */
	static const struct {
		const char *reason, *hint;
	} texts[] = {
		[PREFLIGHT_PRIVILEGE_USER] = {"changes its user (set-id)",
					      "run profrun as root with --ticks=kernel"},
		[PREFLIGHT_PRIVILEGE_GROUP] = {"changes its group (set-id)",
					       "run profrun as root with --ticks=kernel"},
		[PREFLIGHT_PRIVILEGE_CAPABILITIES] = {"has file capabilities",
						      "run profrun as root"},
		[PREFLIGHT_PRIVILEGE_OURS] = {"is started by a user who is not the real one", ""},
	};
	enum preflight_privilege privilege = preflight_privilege_find(path, status);

	if (privilege == PREFLIGHT_PRIVILEGE_NONE)
		return false;
	preflight_judge(result, PREFLIGHT_NOT_PROFILED, "%s %s", subject, texts[privilege].reason);
	result->privileged = true;
	preflight_hint(result, "%s", texts[privilege].hint);
	return true;
}

void preflight_judge_elf(struct preflight *result, const char *subject, const char *path,
			 const struct stat *status, const struct preflight_elf *elf)
{
	if (elf->kind == PREFLIGHT_ELF_BROKEN) {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE,
				"%s is no complete executable ELF file", subject);
	} else if (elf->kind == PREFLIGHT_ELF_FOREIGN) {
		preflight_judge(result, PREFLIGHT_NOT_PROFILED, "%s is a %u-bit program for %s",
				subject, elf->bits, machine_name(elf->machine));
		preflight_hint(result, "use --ticks=kernel");
		result->keep_out = true;
	} else if (judge_privilege(result, subject, path, status)) {
		return;
	} else if (elf->kind == PREFLIGHT_ELF_STATIC) {
		judge_static(result, subject, elf->go);
	} else if (elf->kind == PREFLIGHT_ELF_DYNAMIC) {
		judge_dynamic(result, subject, elf);
	}
}
