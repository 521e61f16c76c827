/* SPDX-License-Identifier: MIT */
/* Sections that are inflated at the same time are what they are one by one. */

#include "symbolize/inflate_many.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CONTENT_SIZE ((size_t)2 << 20)
#define PACKED_SIZE  (CONTENT_SIZE + (CONTENT_SIZE >> 8))
#define WHOLE	     2

static uint8_t contents[WHOLE][CONTENT_SIZE];
static uint8_t image[(WHOLE + 1) * PACKED_SIZE];
static struct elf_section sections[WHOLE + 2];
static struct elf_file file = {
	.is_64 = true, .image = image, .size = sizeof(image), .sections = sections};

/* What hardly shrinks: a section is large by its compressed size. */
static void fill(uint8_t *bytes, uint64_t state)
{
	for (size_t i = 0; i < CONTENT_SIZE; i++) {
		state = state * UINT64_C(6364136223846793005) + 1;
		bytes[i] = (uint8_t)(state >> 56);
	}
}

static void add_section(const uint8_t *content)
{
	const uint64_t offset = file.section_count * PACKED_SIZE;
	const Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = CONTENT_SIZE};
	uLongf size = PACKED_SIZE - sizeof(header);

	memcpy(image + offset, &header, sizeof(header));
	cr_assert_eq(compress2(image + offset + sizeof(header), &size, content, CONTENT_SIZE, 1),
		     Z_OK);
	sections[file.section_count++] = (struct elf_section){
		.name = ".debug_info",
		.header = {.sh_type = SHT_PROGBITS,
			   .sh_flags = SHF_COMPRESSED,
			   .sh_offset = offset,
			   .sh_size = sizeof(header) + size},
	};
}

Test(inflate_many, large_sections_are_there_and_a_damaged_one_is_said_to_be)
{
	const struct elf_section *asked[] = {&sections[0], NULL, &sections[1], &sections[2]};

	for (size_t i = 0; i < WHOLE; i++) {
		fill(contents[i], i + 1);
		add_section(contents[i]);
	}
	add_section(contents[0]);
	image[sections[WHOLE].header.sh_offset + PACKED_SIZE / 2] ^= 0xff;

	inflate_many(&file, asked, sizeof(asked) / sizeof(asked[0]));
	for (size_t i = 0; i < WHOLE; i++) {
		cr_assert_not_null(sections[i].inflated.data);
		cr_expect_eq(elf_file_contents(&file, &sections[i]).data,
			     sections[i].inflated.data);
		cr_assert_eq(sections[i].inflated.size, CONTENT_SIZE);
		cr_expect_eq(memcmp(sections[i].inflated.data, contents[i], CONTENT_SIZE), 0);
		free((void *)sections[i].inflated.data);
	}
	cr_expect_eq(sections[WHOLE].inflate_error, -EBADMSG);
	cr_expect_null(elf_file_contents(&file, &sections[WHOLE]).data);
}
