/* SPDX-License-Identifier: MIT */
/* Compressed sections: zlib (old and new style) and zstd; and the xz file in .gnu_debugdata. */
#pragma once

#include "symbolize/elf_file.h"

/* Whether the section's bytes are compressed. */
bool inflate_is_needed(const struct elf_section *section);

/*
 * The contents of a compressed section, from the bytes in the file. 0 with memory that the caller
 * frees, -ENOTSUP for a compression that this build does not know, -EBADMSG for damaged bytes, or
 * -ENOMEM.
 */
int inflate_section(const struct elf_file *file, const struct elf_section *section,
		    struct bytes packed, struct bytes *ret_contents);

/* The contents of an xz file; errors as above. */
int inflate_xz(struct bytes packed, struct bytes *ret_contents);
