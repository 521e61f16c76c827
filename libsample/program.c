/* SPDX-License-Identifier: MIT */
/*
 * As the kernel goes: a script leads to its interpreter, an ELF file says in its headers which
 * machine and which dynamic linker it is for. Only the first kilobyte is read, where every linker
 * puts them.
 */

#include "libsample/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libsample/sys.h"

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#endif

#define HEAD_BYTES	 1024
#define INTERPRETERS_MAX 5 /* the kernel gives up after as many */
#define SEARCH_MAX	 4096

/* The start of a file, with a NUL behind it. */
struct head {
	size_t length;
	union {
		Elf64_Ehdr elf;
		char bytes[HEAD_BYTES + 1];
	};
};

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* glibc's own name for it; the preload is made for no other C library. */
static bool is_our_linker(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return starts_with(name, "ld-linux") || starts_with(name, "ld-lsb");
}

static const Elf64_Phdr *find_interpreter(const struct head *head)
{
	const Elf64_Ehdr *elf = &head->elf;

	if (elf->e_phentsize != sizeof(Elf64_Phdr) || elf->e_phoff % _Alignof(Elf64_Phdr) != 0)
		return NULL;
	for (size_t i = 0; i < elf->e_phnum; i++) {
		size_t at = elf->e_phoff + i * sizeof(Elf64_Phdr);
		const void *segment = head->bytes + at;

		if (at + sizeof(Elf64_Phdr) > head->length)
			return NULL;
		if (((const Elf64_Phdr *)segment)->p_type == PT_INTERP)
			return segment;
	}
	return NULL;
}

/* Does the whole table of segments lie in the head? Otherwise nothing is known. */
static bool has_segments(const struct head *head)
{
	return head->length >= sizeof(head->elf) && head->elf.e_phoff < head->length &&
	       head->length - head->elf.e_phoff >= (size_t)head->elf.e_phnum * sizeof(Elf64_Phdr);
}

static enum program_kind judge_elf(const struct head *head)
{
	const Elf64_Phdr *segment;

	if (head->length < EI_NIDENT + 4)
		return PROGRAM_OPEN;
	if (head->bytes[EI_CLASS] != ELFCLASS64 || head->elf.e_machine != OUR_MACHINE)
		return PROGRAM_FOREIGN;
	if (!has_segments(head))
		return PROGRAM_OPEN;
	segment = find_interpreter(head);
	if (!segment)
		return PROGRAM_CLOSED;
	if (segment->p_offset >= head->length)
		return PROGRAM_OPEN;
	return is_our_linker(head->bytes + segment->p_offset) ? PROGRAM_OPEN : PROGRAM_CLOSED;
}

/* Cuts the first line down to the interpreter's path. */
static char *parse_script(struct head *head)
{
	char *name = head->bytes + 2;

	name += strspn(name, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	return name;
}

/* The kernel's link to an open file, in the C library's place: snprintf(3) is not safe here. */
static void find_path(int fd, char path[ARENA_EXEC_PATH_MAX])
{
	char link[32] = "/proc/self/fd/", digits[12];
	size_t count = 0, at = strlen(link);
	long length;

	path[0] = '\0';
	if (fd < 0)
		return;
	do {
		digits[count++] = (char)('0' + fd % 10);
		fd /= 10;
	} while (fd > 0);
	while (count > 0)
		link[at++] = digits[--count];
	link[at] = '\0';
	length = sys_call(SYS_readlinkat, AT_FDCWD, link, path, ARENA_EXEC_PATH_MAX - 1);
	path[length > 0 ? length : 0] = '\0';
}

static bool read_head(int fd, struct head *head)
{
	long length = sys_call(SYS_pread64, fd, head->bytes, HEAD_BYTES, 0);

	if (length < 4)
		return false;
	head->length = (size_t)length;
	head->bytes[length] = '\0';
	return true;
}

static bool changes_rights(int fd)
{
	struct stat status;

	return sys_call(SYS_fstat, fd, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID));
}

/* True when @head is now a script, whose interpreter is to be looked at. */
static bool judge(int fd, struct head *head, struct program *program)
{
	if (!read_head(fd, head))
		return false;
	if (starts_with(head->bytes, "#!"))
		return true;
	if (!starts_with(head->bytes, ELFMAG))
		return false;
	program->kind = judge_elf(head);
	if (program->kind == PROGRAM_OPEN && changes_rights(fd))
		program->kind = PROGRAM_CLOSED;
	if (program->kind != PROGRAM_OPEN)
		find_path(fd, program->path);
	return false;
}

static int open_program(int directory, const char *path)
{
	return (int)sys_call(SYS_openat, directory, path,
			     O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
}

/* Whether what could not be opened may be executed nevertheless. */
static bool may_run(int error)
{
	return error == -EACCES || error == -EMFILE || error == -ENFILE;
}

void program_examine(int directory, const char *path, struct program *ret_program)
{
	struct head head;
	bool is_script;
	int fd;

	*ret_program->path = '\0';
	ret_program->kind = PROGRAM_OPEN;
	for (int depth = 0; depth <= INTERPRETERS_MAX; depth++) {
		fd = open_program(directory, path);
		if (fd < 0) {
			ret_program->kind = may_run(fd) ? PROGRAM_OPEN : PROGRAM_NONE;
			return;
		}
		is_script = judge(fd, &head, ret_program);
		sys_call(SYS_close, fd);
		if (!is_script)
			return;
		path = parse_script(&head);
		/* Then execvp(3) has a shell run it. */
		if (!*path)
			return;
	}
}

void program_examine_open(int fd, struct program *ret_program)
{
	struct head head;

	ret_program->kind = PROGRAM_OPEN;
	judge(fd, &head, ret_program);
	if (ret_program->kind == PROGRAM_OPEN)
		find_path(fd, ret_program->path);
}

/* Writes "FOLDER/FILE" and returns what follows the folder in the list, NULL at its end. */
static const char *next_candidate(const char *list, const char *file, char path[SEARCH_MAX])
{
	size_t length = strcspn(list, ":"), file_length = strlen(file);

	if (length + file_length + 2 > SEARCH_MAX) {
		path[0] = '\0';
	} else {
		memcpy(path, list, length);
		if (length > 0)
			path[length++] = '/';
		memcpy(path + length, file, file_length + 1);
	}
	list += strcspn(list, ":");
	return *list ? list + 1 : NULL;
}

void program_search(const char *file, struct program *ret_program)
{
	const char *list = getenv("PATH");
	char path[SEARCH_MAX];

	if (strchr(file, '/')) {
		program_examine(AT_FDCWD, file, ret_program);
		return;
	}
	*ret_program->path = '\0';
	ret_program->kind = PROGRAM_NONE;
	for (list = list ? list : "/bin:/usr/bin"; list;) {
		list = next_candidate(list, file, path);
		if (path[0] && sys_call(SYS_faccessat, AT_FDCWD, path, 1) == 0) {
			program_examine(AT_FDCWD, path, ret_program);
			return;
		}
	}
}
