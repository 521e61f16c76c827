/* SPDX-License-Identifier: MIT */
/* Compressed sections that are whole, damaged, or claim to be larger than they can be. */

#include "symbolize/inflate.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const struct elf_file file = {.is_64 = true};
static const struct elf_section section = {.name = ".debug_info",
					   .header = {.sh_flags = SHF_COMPRESSED}};

struct packed {
	Elf64_Chdr header;
	uint8_t data[256];
	size_t size; /* of .data */
};

static struct packed pack(const char *text, uint64_t claimed)
{
	struct packed packed = {.header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = claimed}};
	uLongf size = sizeof(packed.data);

	cr_assert_eq(compress(packed.data, &size, (const Bytef *)text, strlen(text)), Z_OK);
	packed.size = size;
	return packed;
}

static int inflate_packed(const struct packed *packed, struct bytes *ret_contents)
{
	const struct bytes bytes = {(const uint8_t *)packed, sizeof(packed->header) + packed->size};

	return inflate_section(&file, &section, bytes, ret_contents);
}

Test(inflate, gives_what_was_packed)
{
	const struct packed packed = pack("debug information", 17);
	struct bytes contents;

	cr_assert_eq(inflate_packed(&packed, &contents), 0);
	cr_assert_eq(contents.size, 17);
	cr_expect_eq(memcmp(contents.data, "debug information", 17), 0);
	free((void *)contents.data);
}

Test(inflate, refuses_sizes_that_are_not_true)
{
	static const uint64_t claims[] = {0, 1, 18, 1000, UINT64_C(1) << 42, UINT64_MAX};
	struct bytes contents;

	for (size_t i = 1; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct packed packed = pack("debug information", claims[i]);

		if (claims[i] < 17)
			continue;
		cr_expect_eq(inflate_packed(&packed, &contents), -EBADMSG, "%zu",
			     (size_t)claims[i]);
	}
}

Test(inflate, refuses_damage)
{
	struct packed packed = pack("debug information", 17);
	struct bytes contents;

	packed.size -= 8;
	cr_expect_eq(inflate_packed(&packed, &contents), -EBADMSG);
	packed = pack("debug information", 17);
	packed.data[0] ^= 0xff;
	cr_expect_eq(inflate_packed(&packed, &contents), -EBADMSG);
	cr_expect_eq(inflate_section(&file, &section, (struct bytes){packed.data, 4}, &contents),
		     -EBADMSG);
}

Test(inflate, says_which_compression_it_does_not_know)
{
	struct packed packed = pack("debug information", 17);
	struct bytes contents;

	packed.header.ch_type = 77;
	cr_expect_eq(inflate_packed(&packed, &contents), -ENOTSUP);
}

Test(inflate, an_xz_file_must_be_one)
{
	struct bytes contents;

	cr_expect_lt(inflate_xz((struct bytes){(const uint8_t *)"nothing", 7}, &contents), 0);
}
