/* SPDX-License-Identifier: MIT */
/* Rows found again by what identifies them. */

#include "cli/report/row_table.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/grow.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ (hash >> 29);
}

static size_t hash_row(const struct row *row)
{
	uint64_t hash = mix(0, (uintptr_t)row->function);

	hash = mix(hash, (uintptr_t)row->object);
	hash = mix(hash, (uintptr_t)row->file + row->line);
	hash = mix(hash, (uintptr_t)row->process);
	hash = mix(hash, (uintptr_t)row->thread);
	hash = mix(hash, (uintptr_t)row->run);
	return (size_t)mix(hash, row->address);
}

static bool same_row(const struct row *a, const struct row *b)
{
	return a->function == b->function && a->object == b->object && a->process == b->process &&
	       a->address == b->address && a->file == b->file && a->line == b->line &&
	       a->thread == b->thread && a->run == b->run;
}

static uint32_t *find_slot(const struct row_table *table, const struct row *row)
{
	for (size_t at = hash_row(row);; at++) {
		uint32_t *slot = &table->slots[at & (table->slot_count - 1)];

		if (!*slot || same_row(&table->row[*slot - 1], row))
			return slot;
	}
}

static bool make_room(struct row_table *table)
{
	size_t slot_count = table->slot_count ? table->slot_count * 2 : 64;
	uint32_t *slots;

	if ((table->count + 1) * 2 <= table->slot_count)
		return true;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return false;
	free(table->slots);
	table->slots = slots;
	table->slot_count = slot_count;
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, &table->row[i]) = (uint32_t)i + 1;
	return true;
}

void row_add(struct row *row, const struct row *other)
{
	row->millis += other->millis;
	row->kernel_millis += other->kernel_millis;
	row->estimated = row->estimated || other->estimated;
}

int row_table_add(struct row_table *table, const struct row *row)
{
	uint32_t *slot;

	if (!make_room(table))
		return -ENOMEM;
	slot = find_slot(table, row);
	if (*slot) {
		row_add(&table->row[*slot - 1], row);
		return 0;
	}
	if (!grow(&table->row, table->count + 1, &table->room))
		return -ENOMEM;
	table->row[table->count++] = *row;
	*slot = (uint32_t)table->count;
	return 0;
}
