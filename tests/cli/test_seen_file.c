/* SPDX-License-Identifier: MIT */
/* Finding the files that a process, this one, has mapped. */

#include "cli/collect/seen_file.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/collect/mapped_object.h"
#include "symbolize/util.h"

static char executable[PATH_MAX];

static void find_executable(void)
{
	ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);

	cr_assert_gt(length, 0);
}

TestSuite(seen_file, .init = find_executable);

/* A copy of this program in a file of its own. */
static char *copy_executable(void)
{
	char *path = strdup("/tmp/test_seen_file.XXXXXX"), bytes[65536];
	AUTO_CLOSE int from = open(executable, O_RDONLY | O_CLOEXEC);
	AUTO_CLOSE int copy = mkostemp(path, O_CLOEXEC);
	ssize_t size;

	while ((size = read(from, bytes, sizeof(bytes))) > 0)
		cr_assert_eq(write(copy, bytes, (size_t)size), size);
	return path;
}

/* The beginning of the file, mapped as code. */
static void *map_code(const char *path)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	cr_assert_neq(code, MAP_FAILED);
	return code;
}

static struct sym_build_id own_id(void)
{
	AUTO_CLOSE int fd = open(executable, O_RDONLY | O_CLOEXEC);
	struct sym_build_id id;

	cr_assert_eq(sym_file_build_id(fd, &id), 0);
	return id;
}

static ino_t inode_of(const struct seen_file *file)
{
	struct stat status;

	cr_assert_eq(fstat(seen_file_fd(file), &status), 0);
	return status.st_ino;
}

Test(seen_file, an_executable_is_found_whatever_it_is_called)
{
	struct sighting sighting = {.pid = getpid(), .path = "/no/such", .is_main = true};
	struct seen_file *file = NULL;
	struct stat status;

	sighting.build_id = own_id();
	if (sighting.build_id.size == 0)
		cr_skip("built without a build-id");
	cr_assert_eq(seen_file_open(&sighting, &file), 0);
	cr_assert_eq(stat(executable, &status), 0);
	cr_expect_eq(inode_of(file), status.st_ino);
	seen_file_close(file);
}

Test(seen_file, another_build_is_not_the_one_that_ran)
{
	struct sighting sighting = {.pid = getpid(), .path = executable};
	struct seen_file *file;

	sighting.build_id = (struct sym_build_id){.size = 4, .bytes = "else"};
	cr_expect_eq(seen_file_open(&sighting, &file), -ESTALE);
}

Test(seen_file, a_file_in_the_place_of_a_mapped_one_is_not_it)
{
	AUTO_FREE char *path = copy_executable(), *other = copy_executable();
	void *code = map_code(path);
	struct sighting sighting = {.pid = getpid(), .path = path, .address = (uintptr_t)code};
	struct seen_file *file = NULL;
	struct stat mapped, now;
	int r;

	cr_assert_eq(stat(path, &mapped), 0);
	cr_assert_eq(rename(other, path), 0);
	cr_assert_eq(stat(path, &now), 0);
	r = seen_file_open(&sighting, &file);
	/* Who may follow /proc/PID/map_files gets the file itself. */
	if (r == 0)
		cr_expect_eq(inode_of(file), mapped.st_ino);
	else
		cr_expect_eq(r, -ESTALE);
	seen_file_close(file);
	unlink(path);
}

Test(seen_file, knows_that_it_was_written_to)
{
	AUTO_FREE char *path = copy_executable();
	struct sighting sighting = {.pid = getpid(), .path = path};
	struct seen_file *file;

	cr_assert_eq(seen_file_open(&sighting, &file), 0);
	cr_expect_not(seen_file_has_changed(file));
	cr_assert_eq(truncate(path, 4096), 0);
	cr_expect(seen_file_has_changed(file));
	seen_file_close(file);
	unlink(path);
}

Test(seen_file, memory_tells_the_build_and_the_address)
{
	AUTO_FREE char *path = copy_executable();
	void *code = map_code(path);
	const struct sym_build_id id = own_id();
	struct sym_build_id found = {0};
	const struct mapping *mapping;
	struct maps maps;
	uint64_t start = 1;

	unlink(path);
	cr_assert_eq(maps_load(getpid(), &maps), 0);
	mapping = maps_find(&maps, (uintptr_t)code);
	cr_assert(mapping);
	cr_expect(mapping->deleted);
	cr_expect_str_eq(mapping->path, path);
	cr_expect_eq(mapping->head, (uintptr_t)code);
	/* It shows no code of the program, only its beginning. */
	cr_expect_eq(seen_file_in_memory(getpid(), mapping, &start, &found), 0);
	cr_expect_eq(found.size, id.size);
	cr_expect_eq(memcmp(found.bytes, id.bytes, id.size), 0);
	maps_done(&maps);
}

/* What the dynamic linker says of this function must come out of its mapping. */
Test(seen_file, a_mapped_object_has_the_addresses_of_its_file)
{
	const uintptr_t pc = (uintptr_t)find_executable;
	struct profile *profile = profile_new();
	struct link_map *map;
	struct maps maps;
	const struct mapping *mapping;
	uint64_t start;
	int64_t index;
	Dl_info info;

	cr_assert(dladdr1((void *)pc, &info, (void **)&map, RTLD_DL_LINKMAP));
	cr_assert_eq(maps_load(getpid(), &maps), 0);
	mapping = maps_find(&maps, pc);
	cr_assert(mapping);
	index = mapped_object_add(profile, getpid(), mapping, &start);
	cr_assert_geq(index, 0);
	cr_expect_str_eq(profile->objects[index].path, executable);
	cr_expect(profile->objects[index].seen);
	cr_expect_eq(start + (pc - mapping->start), pc - map->l_addr);
	maps_done(&maps);
	profile_free(profile);
}

Test(seen_file, what_is_no_elf_file_is_no_object)
{
	char path[] = "/tmp/test_seen_file.XXXXXX", bytes[8192] = "#!";
	AUTO_CLOSE int fd = mkostemp(path, O_CLOEXEC);
	struct profile *profile = profile_new();
	struct maps maps;
	uint64_t start;
	void *code;

	cr_assert_eq(write(fd, bytes, sizeof(bytes)), (ssize_t)sizeof(bytes));
	code = map_code(path);
	cr_assert_eq(maps_load(getpid(), &maps), 0);
	cr_expect_eq(
		mapped_object_add(profile, getpid(), maps_find(&maps, (uintptr_t)code), &start),
		-ENOEXEC);
	cr_expect_eq(profile->object_count, 0);
	maps_done(&maps);
	profile_free(profile);
	unlink(path);
}
