/* SPDX-License-Identifier: MIT */
/* Running line number programs. */

#include "symbolize/dwarf_lines.h"

#include <dwarf.h>

#include "symbolize/rank.h"

struct row {
	uint64_t address, file, line;
	uint64_t operation; /* of a machine whose instructions hold several */
};

struct run {
	struct line_header *header;
	struct reader reader;
	const uint64_t *addresses;
	size_t count;
	struct line_hit *hits;
	struct row row;
	struct row last; /* the row before, whose code the next one ends */
	bool has_last;
	bool dead;	 /* this sequence's code is not in the program */
	size_t next_hit; /* the first address not below .last's */
};

static struct row first_row(void)
{
	return (struct row){.file = 1, .line = 1};
}

/* Code that the linker dropped keeps its lines, at addresses where no code is. */
static bool is_dead(const struct run *run)
{
	return !elf_file_is_code(run->header->unit->dwarf->file, run->row.address);
}

static void give_hits_to_last(struct run *run)
{
	for (; run->next_hit < run->count && run->addresses[run->next_hit] < run->row.address;
	     run->next_hit++) {
		struct line_hit *hit = &run->hits[run->next_hit];

		if (!hit->found)
			*hit = (struct line_hit){true, run->last.file, run->last.line};
	}
}

static void add_row(struct run *run)
{
	if (!run->has_last) {
		run->dead = is_dead(run);
		run->next_hit =
			run->dead ? run->count
				  : rank_lower_bound(run->addresses, run->count, run->row.address);
	} else if (run->row.address >= run->last.address) {
		give_hits_to_last(run);
	} else if (!run->dead) {
		run->next_hit = rank_lower_bound(run->addresses, run->count, run->row.address);
	}
	run->last = run->row;
	run->has_last = true;
}

static void end_sequence(struct run *run)
{
	add_row(run);
	run->row = first_row();
	run->has_last = false;
}

static void advance(struct run *run, uint64_t operations)
{
	const struct line_header *header = run->header;

	if (header->operations <= 1) {
		run->row.address += operations * header->minimum_length;
		return;
	}
	operations += run->row.operation;
	run->row.address += operations / header->operations * header->minimum_length;
	run->row.operation = operations % header->operations;
}

static void run_extended(struct run *run)
{
	const uint64_t length = reader_uleb(&run->reader);
	struct reader body = run->reader;

	reader_skip(&run->reader, length);
	if (run->reader.failed || length == 0)
		return;
	body.end = run->reader.at;
	switch (reader_u8(&body)) {
	case DW_LNE_end_sequence:
		end_sequence(run);
		break;
	case DW_LNE_set_address:
		run->row.address = reader_unsigned(&body, (unsigned)(length - 1));
		run->row.operation = 0;
		break;
	default:
		break;
	}
}

static void run_standard(struct run *run, uint8_t opcode)
{
	const struct line_header *header = run->header;
	struct reader *reader = &run->reader;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(run);
		return;
	case DW_LNS_advance_pc:
		advance(run, reader_uleb(reader));
		return;
	case DW_LNS_advance_line:
		run->row.line += (uint64_t)reader_sleb(reader);
		return;
	case DW_LNS_set_file:
		run->row.file = reader_uleb(reader);
		return;
	case DW_LNS_const_add_pc:
		advance(run, (255u - header->opcode_base) / header->line_range);
		return;
	case DW_LNS_fixed_advance_pc:
		run->row.address += reader_u16(reader);
		run->row.operation = 0;
		return;
	default:
		for (uint8_t i = 0; i < header->lengths[opcode]; i++)
			reader_uleb(reader);
	}
}

void lines_find(struct line_header *header, const uint64_t *addresses, size_t count,
		struct line_hit *hits)
{
	struct run run = {
		.header = header,
		.reader = header->program,
		.addresses = addresses,
		.count = count,
		.hits = hits,
		.row = first_row(),
	};

	while (reader_left(&run.reader)) {
		const uint8_t opcode = reader_u8(&run.reader);

		if (opcode >= header->opcode_base) {
			const unsigned adjusted = opcode - header->opcode_base;

			advance(&run, adjusted / header->line_range);
			run.row.line += (uint64_t)(int64_t)(header->line_base +
							    (int)(adjusted % header->line_range));
			add_row(&run);
		} else if (opcode == 0) {
			run_extended(&run);
		} else {
			run_standard(&run, opcode);
		}
	}
}
