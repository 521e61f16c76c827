/* SPDX-License-Identifier: MIT */
/* Naming real code: this test's own functions, the C library, the vDSO. */

#include "cli/report/places.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "cli/report/rows.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile;

static void make(void)
{
	profile = make_profile();
	profile->named = false;
}

static void drop(void)
{
	profile_free(profile);
}

TestSuite(places, .init = make, .fini = drop);

/* The object that @pc is in, and its link-time address there. */
static uint32_t find_object(const void *pc, uint64_t *ret_address)
{
	struct profile_object object = {.kind = OBJECT_FILE};
	struct link_map *map;
	char path[] = "/proc/self/exe";
	Dl_info info;

	cr_assert(dladdr1(pc, &info, (void **)&map, RTLD_DL_LINKMAP));
	*ret_address = (uintptr_t)pc - map->l_addr;
	object.path = *map->l_name ? map->l_name : path;
	object.name = strrchr(object.path, '/') + 1;
	return (uint32_t)profile_add_object(profile, &object);
}

static void name(unsigned flags)
{
	struct error err;

	cr_assert_eq(places_find(profile, flags, false, &err), 0);
}

static const char *name_at(uint32_t object, uint64_t address)
{
	size_t count;
	const struct profile_place *place =
		places_overlap(profile, object, address, address + 1, &count);

	if (count == 0)
		return "alignment";
	return place->frame_count ? profile->frames[place->frame].function : "unknown";
}

__attribute__((noinline)) static int spin(int turns)
{
	volatile int sum = 0;

	for (int i = 0; i < turns; i++)
		sum += i;
	return sum;
}

Test(places, buckets_get_the_name_of_their_function)
{
	uint64_t address;
	uint32_t object = find_object((const void *)spin, &address);

	cr_assert_eq(spin(3), 3);
	make_entry(profile, object, address & ~1ULL, 2, 1, 0);
	make_entry(profile, object, (address & ~1ULL) + 8, 2, 1, 0);
	name(0);
	cr_assert_str_eq(name_at(object, address), "spin");
	cr_assert_str_eq(name_at(object, (address & ~1ULL) + 8), "spin");
	cr_assert_eq(profile->place_count, 1);
}

Test(places, a_system_call_is_seen_by_the_bytes_before_it)
{
	const unsigned char *code = dlsym(RTLD_DEFAULT, "getppid");
	uint64_t address;
	uint32_t object = find_object(code, &address);
	size_t after = 0;

	for (size_t i = 0; i < 32 && !after; i++) {
		if (code[i] == 0x0f && code[i + 1] == 0x05)
			after = i + 2;
	}
	if (!after)
		cr_skip_test("no system call instruction in getppid");
	make_entry(profile, object, (address + after) & ~1ULL, 2, 7, 0);
	make_entry(profile, object, (address + after + 8) & ~1ULL, 2, 5, 0);
	name(0);
	cr_assert_str_eq(name_at(object, address + after), "getppid");
	cr_assert(profile->kernel_known);
	cr_assert_eq(profile->entries[0].kernel, 7);
	cr_assert_eq(profile->entries[1].kernel, 0);
}

Test(places, coarse_buckets_do_not_tell_the_kernel)
{
	uint64_t address;
	uint32_t object = find_object((const void *)spin, &address);

	make_entry(profile, object, address & ~63ULL, 64, 1, 0);
	name(0);
	cr_assert_not(profile->kernel_known);
}

Test(places, a_coarse_bucket_is_cut_where_functions_begin)
{
	uint64_t address;
	uint32_t object = find_object((const void *)spin, &address);

	make_entry(profile, object, address & ~4095ULL, 4096, 1000, 0);
	name(0);
	cr_assert_gt(profile->place_count, 3);
	cr_assert_str_eq(name_at(object, address), "spin");
	for (size_t i = 1; i < profile->place_count; i++)
		cr_assert_leq(profile->places[i - 1].end, profile->places[i].start);
}

Test(places, the_vdso_has_names)
{
	struct profile_object vdso = {.kind = OBJECT_VDSO, .name = "[vdso]"};
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	uint32_t object = (uint32_t)profile_add_object(profile, &vdso);
	const void *function;
	void *handle;

	if (!header)
		cr_skip_test("no vDSO");
	handle = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	function = handle ? dlsym(handle, "__vdso_clock_gettime") : NULL;
	if (!function)
		cr_skip_test("no clock_gettime in the vDSO");
	make_entry(profile, object, (uintptr_t)function - (uintptr_t)header, 2, 1, 0);
	name(0);
	cr_assert(
		strstr(name_at(object, (uintptr_t)function - (uintptr_t)header), "clock_gettime"));
}

Test(places, a_file_that_is_gone_leaves_a_note_and_unknown_code)
{
	struct profile_object gone = {.kind = OBJECT_FILE, .name = "gone", .path = "/none/gone"};
	uint32_t object = (uint32_t)profile_add_object(profile, &gone);

	make_entry(profile, object, 0x1000, 2, 1, 0);
	name(0);
	cr_assert_eq(profile->place_count, 0);
	cr_assert_eq(profile->note_count, 1);
	cr_assert_eq(strncmp(profile->notes[0], "no names for gone: ", 19), 0);
}

Test(places, a_file_that_was_replaced_gives_no_names)
{
	uint64_t address;
	uint32_t object = find_object((const void *)spin, &address);

	profile->objects[object].build_id.size = 20;
	make_entry(profile, object, address & ~1ULL, 2, 1, 0);
	name(0);
	cr_assert_eq(profile->place_count, 0);
	cr_assert_eq(profile->note_count, 1);
}

Test(places, names_that_are_there_are_not_looked_up_again)
{
	struct profile_object gone = {.kind = OBJECT_FILE, .name = "gone", .path = "/none/gone"};
	uint32_t object = (uint32_t)profile_add_object(profile, &gone);

	profile->named = true;
	make_entry(profile, object, 0x1000, 2, 1, 0);
	make_place(profile, object, 0x1000, 0x1100, "kept");
	name(0);
	cr_assert_eq(profile->note_count, 0);
	/* Asked in another way the object is opened again, and what was known stays. */
	name(SYM_CLONES);
	cr_assert_eq(profile->note_count, 1);
	cr_assert_str_eq(name_at(object, 0x1000), "kept");
}
