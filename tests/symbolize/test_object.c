/* SPDX-License-Identifier: MIT */
/* Opening objects and asking them, with the test itself as the object. */

#include "symbolize/symbolize.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"
#include "tests/symbolize/self.h"

#define SELF "/proc/self/exe"

/* Two neighbours of known sizes, then hand-written code without a size. */
__asm__(".pushsection .text.neighbours, \"ax\", %progbits\n"
	".globl first_neighbour, second_neighbour, hand_written\n"
	".type first_neighbour, %function\n"
	"first_neighbour: .skip 16\n"
	".size first_neighbour, . - first_neighbour\n"
	".skip 16\n"
	".type second_neighbour, %function\n"
	"second_neighbour: .skip 16\n"
	".size second_neighbour, . - second_neighbour\n"
	"hand_written: .skip 16\n"
	".popsection\n");

extern const char first_neighbour[], second_neighbour[], hand_written[];

static struct sym_object *open_self(void)
{
	struct sym_object *object;
	struct error err;

	cr_assert_eq(sym_object_open(SELF, NULL, &object, &err), 0, "%s", err.text);
	return object;
}

static const char *name_at(struct sym_object *object, uint64_t address, unsigned flags)
{
	struct sym_answer answer;
	struct error err;

	cr_assert_eq(sym_object_find(object, &address, 1, flags, &answer, &err), 0);
	return answer.frame_count ? answer.frames[answer.frame_count - 1].function : NULL;
}

Test(object, names_its_functions_and_nothing_between_them)
{
	const uint64_t first = self_address(first_neighbour);
	const uint64_t addresses[] = {first, first + 15, first + 16, first + 31, first + 32};
	struct sym_answer answers[5];
	struct sym_object *object = open_self();
	struct error err;

	cr_assert_eq(sym_object_find(object, addresses, 5, 0, answers, &err), 0);
	cr_assert_eq(answers[0].frame_count, 1);
	cr_expect_str_eq(answers[0].frames[0].function, "first_neighbour");
	cr_expect_eq(answers[0].symbol_address, first);
	cr_expect_str_eq(answers[1].frames[0].function, "first_neighbour");
	cr_expect_eq(answers[2].frame_count, 0);
	cr_expect_eq(answers[3].frame_count, 0);
	cr_expect_str_eq(answers[4].frames[0].function, "second_neighbour");
	cr_expect_str_eq(sym_object_source(object), ".symtab");
	sym_object_close(object);
}

Test(object, names_hand_written_code)
{
	struct sym_object *object = open_self();

	cr_expect_str_eq(name_at(object, self_address(hand_written) + 8, 0), "hand_written");
	sym_object_close(object);
}

Test(object, cuts_ranges_where_functions_begin_and_end)
{
	const uint64_t first = self_address(first_neighbour);
	const struct sym_range ranges[] = {{first, first + 4}, {first + 8, first + 40}};
	struct sym_object *object = open_self();
	struct error err;
	uint64_t *cuts;
	size_t count;

	cr_assert_eq(sym_object_cuts(object, ranges, 2, &cuts, &count, &err), 0);
	cr_assert_eq(count, 2);
	cr_expect_eq(cuts[0], first + 16);
	cr_expect_eq(cuts[1], first + 32);
	free(cuts);
	sym_object_close(object);
}

Test(object, is_refused_when_its_build_id_is_not_the_expected_one)
{
	const struct sym_build_id other = {.size = 20, .bytes = {1, 2, 3}};
	struct sym_object *object;
	struct error err;

	cr_expect_eq(sym_object_open(SELF, &other, &object, &err), -ESTALE);
	cr_expect(strstr(err.text, "not the file that ran"), "%s", err.text);
}

static void expect_refused(const char *path, int code, const char *why)
{
	struct sym_object *object;
	struct error err;

	cr_expect_eq(sym_object_open(path, NULL, &object, &err), code, "%s", path);
	cr_expect(strstr(err.text, why), "%s", err.text);
}

Test(object, is_refused_when_it_is_no_elf_file)
{
	char directory[] = "/tmp/test_object.XXXXXX";
	char path[64];
	int fd;

	cr_assert(mkdtemp(directory));
	expect_refused(directory, -EINVAL, "directory");
	snprintf(path, sizeof(path), "%s/file", directory);
	expect_refused(path, -ENOENT, "No such file");
	cr_assert_eq(mkfifo(path, 0600), 0);
	expect_refused(path, -EINVAL, "not a regular file");
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	expect_refused(path, -ENOEXEC, "empty");
	cr_assert_eq(write(fd, "#!/bin/sh\n", 10), 10);
	expect_refused(path, -ENOEXEC, "not an ELF file");
	close(fd);
	unlink(path);
	rmdir(directory);
}

static size_t vdso_size(const void *image)
{
	AUTO_FILE FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	char line[512];

	cr_assert(maps);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) == 2 &&
		    start == (uintptr_t)image)
			return end - start;
	return 0;
}

Test(object, in_memory_is_the_vdso)
{
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct sym_object *object;
	struct error err;
	uint64_t address;
	size_t size;

	if (!image)
		cr_skip("this kernel maps no vDSO");
	size = vdso_size(image);
	cr_assert_eq(sym_object_open_memory("[vdso]", image, size, &object, &err), 0, "%s",
		     err.text);
	for (address = 0; address < size; address += 16) {
		const char *name = name_at(object, address, 0);

		if (name && strstr(name, "clock_gettime"))
			break;
	}
	cr_expect_lt(address, size);
	sym_object_close(object);
}

#if defined(__x86_64__)
#define SYSCALL "syscall\n"
#else
#define SYSCALL "svc #0\n"
#endif

__asm__(".pushsection .text.entering, \"ax\", %progbits\n"
	".globl entering, entered\n"
	"entering: " SYSCALL "entered: .skip 16\n"
	".popsection\n");

extern const char entering[], entered[];

Test(object, tells_a_thread_in_the_kernel)
{
	struct sym_object *object = open_self();

	cr_expect(sym_object_at_syscall(object, self_address(entered)));
	cr_expect(sym_object_at_syscall(object, self_address(entering)));
	cr_expect_not(sym_object_at_syscall(object, self_address(entered) + 8));
	cr_expect_not(sym_object_at_syscall(object, 0));
	cr_expect_not(sym_object_at_syscall(object, UINT64_MAX));
	sym_object_close(object);
}
