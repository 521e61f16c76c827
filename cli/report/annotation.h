/* SPDX-License-Identifier: MIT */
/* What `annotate` shows of one function: its source lines, or its instructions, with their ticks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "cli/report/disassembly.h"
#include "cli/report/listing.h"
#include "cli/report/source_file.h"
#include "cli/report/terminal.h"
#include "symbolize/error.h"

struct annotation_row {
	unsigned line;	  /* of the function's source, 0: not known */
	uint64_t address; /* of an instruction */
	const char *text; /* of the line or instruction, NULL: what was inlined there */
	const struct profile_frame *inlined; /* whose ticks these are, NULL: the function's own */
	uint64_t millis;
};

struct annotation {
	const struct profile *profile;
	struct listing listing;
	struct source_file source;
	struct disassembly *part; /* where there is no source: of the pieces of the function */
	size_t part_count;
	char why[256];		    /* why there is no source, or neither of them, or "" */
	struct annotation_row *row; /* an inlined row follows its line's */
	size_t count, room;
};

/* Takes over @listing; annotation_done() in any case. */
int annotation_build(const struct profile *profile, struct listing *listing,
		     struct annotation *ret_annotation, struct error *err);
void annotation_done(struct annotation *annotation);

/* What the formats write; 0 or -ENOMEM. */
int annotation_write_text(const struct annotation *annotation, const struct options *options,
			  const struct terminal *terminal, FILE *stream);
int annotation_write_csv(const struct annotation *annotation, const struct options *options,
			 const struct terminal *terminal, FILE *stream);
int annotation_write_json(const struct annotation *annotation, const struct options *options,
			  const struct terminal *terminal, FILE *stream);
