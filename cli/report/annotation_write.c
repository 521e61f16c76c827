/* SPDX-License-Identifier: MIT */
/* An annotated function for programs to read: csv and json have the same columns. */

#include "cli/report/annotation.h"

#include <inttypes.h>
#include <json-c/json.h>

#include "cli/report/csv_text.h"
#include "cli/report/json_text.h"
#include "cli/report/margin.h"
#include "cli/report/shares.h"

#define SCHEMA 1

static double part_of(const struct annotation *annotation, uint64_t millis)
{
	uint64_t all = annotation->profile->ticks * MILLIS;

	return all ? (double)millis / (double)all : 0;
}

static void put_millis(uint64_t millis, FILE *stream)
{
	fprintf(stream, "%" PRIu64, millis / MILLIS);
	if (millis % MILLIS)
		fprintf(stream, ".%03" PRIu64, millis % MILLIS);
}

static void write_csv_row(const struct annotation *annotation, const struct annotation_row *row,
			  FILE *stream)
{
	const struct profile *profile = annotation->profile;
	double part = part_of(annotation, row->millis);

	csv_text_write(annotation->listing.of.file ? annotation->listing.of.file : "", stream);
	putc(',', stream);
	if (row->line)
		fprintf(stream, "%u", row->line);
	putc(',', stream);
	if (row->address)
		fprintf(stream, "0x%" PRIx64, row->address);
	putc(',', stream);
	csv_text_write(row->inlined ? row->inlined->function : "", stream);
	putc(',', stream);
	put_millis(row->millis, stream);
	fprintf(stream, ",%.3f,%.3f,%.3f,", (double)row->millis / MILLIS * profile->period_seconds,
		100 * part, 100 * margin_of(part, profile->effective_ticks));
	csv_text_write(row->text ? row->text : "", stream);
	putc('\n', stream);
}

int annotation_write_csv(const struct annotation *annotation, const struct options *options,
			 const struct terminal *terminal, FILE *stream)
{
	(void)options;
	(void)terminal;
	fputs("file,line,address,inlined,ticks,seconds,percent,margin,text\n", stream);
	for (size_t i = 0; i < annotation->count; i++)
		write_csv_row(annotation, &annotation->row[i], stream);
	return 0;
}

static void put_text_or_null(const char *text, FILE *stream)
{
	if (text)
		json_text_write(text, stream);
	else
		fputs("null", stream);
}

static void write_json_row(const struct annotation *annotation, const struct annotation_row *row,
			   FILE *stream)
{
	const struct profile *profile = annotation->profile;
	double part = part_of(annotation, row->millis);

	fputs("{\"line\": ", stream);
	fprintf(stream, row->line ? "%u" : "null", row->line);
	if (row->address)
		fprintf(stream, ", \"address\": \"0x%" PRIx64 "\"", row->address);
	fputs(", \"inlined\": ", stream);
	put_text_or_null(row->inlined ? row->inlined->function : NULL, stream);
	fputs(", \"ticks\": ", stream);
	put_millis(row->millis, stream);
	fprintf(stream, ", \"seconds\": %.3f, \"percent\": %.3f, \"margin\": %.3f, \"text\": ",
		(double)row->millis / MILLIS * profile->period_seconds, 100 * part,
		100 * margin_of(part, profile->effective_ticks));
	put_text_or_null(row->text, stream);
	putc('}', stream);
}

int annotation_write_json(const struct annotation *annotation, const struct options *options,
			  const struct terminal *terminal, FILE *stream)
{
	const struct listing_candidate *of = &annotation->listing.of;

	(void)options;
	(void)terminal;
	fprintf(stream, "{\"schema\": %d,\n\"function\": ", SCHEMA);
	json_text_write(of->function, stream);
	fputs(",\n\"object\": ", stream);
	json_text_write(annotation->profile->objects[of->object].name, stream);
	fputs(",\n\"file\": ", stream);
	put_text_or_null(of->file, stream);
	fputs(",\n\"ticks\": ", stream);
	put_millis(of->millis, stream);
	fputs(",\n\"note\": ", stream);
	put_text_or_null(annotation->why[0] ? annotation->why : NULL, stream);
	fputs(",\n\"rows\": [", stream);
	for (size_t i = 0; i < annotation->count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		write_json_row(annotation, &annotation->row[i], stream);
	}
	fputs("]}\n", stream);
	return 0;
}
