/* SPDX-License-Identifier: MIT */
/*
 * The format gmon: gmon.out as gprof reads it, histograms without a call graph. It knows of one
 * object only: the program, or the one that --focus lets through.
 *
 * A bin is two bytes of text. Ticks that lie far apart have histograms of their own, so that a
 * large program makes no large file; what does not fit a bin of 16 bits comes in another histogram
 * of the same range, and gprof adds them up.
 */

#include "cli/report/report_gmon.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/labels.h"
#include "cli/report/report.h"
#include "symbolize/util.h"

#define VERSION	  1
#define SPARE	  12
#define HISTOGRAM 0 /* the tag of a record */
#define UNIT	  15
#define BIN	  2	       /* bytes of text */
#define APART	  (64UL << 10) /* bytes of text between histograms */

struct text {
	const struct profile *profile;
	const struct profile_entry **entry; /* of the object, by address */
	size_t count;
	FILE *stream;
};

/* The program that was run: the object called as the first process, else the one with most ticks.
 */
static uint32_t find_object(const struct profile *profile, const struct options *options,
			    uint64_t *ret_ticks)
{
	AUTO_FREE uint64_t *ticks = calloc(profile->object_count + 1, sizeof(*ticks));
	const char *command = profile->process_count ? profile->processes[0].command : NULL;
	uint32_t best = UINT32_MAX;

	for (size_t i = 0; ticks && i < profile->entry_count; i++)
		ticks[profile->entries[i].object] += profile->entries[i].ticks;
	for (uint32_t i = 0; ticks && i < profile->object_count; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind != OBJECT_FILE || ticks[i] == 0 ||
		    (options->focus && !label_in_focus(options, "", object->name)))
			continue;
		if (best == UINT32_MAX || ticks[i] > ticks[best])
			best = i;
		if (!options->focus && command && strcmp(object->name, command) == 0) {
			best = i;
			break;
		}
	}
	*ret_ticks = best == UINT32_MAX ? 0 : ticks[best];
	return best;
}

int report_gmon_remark(const struct report *report, char *line, size_t size)
{
	uint64_t ticks;
	uint32_t object = find_object(report->profile, report->options, &ticks);

	if (!report->profile->ticks || ticks == report->profile->ticks)
		return 0;
	if (object == UINT32_MAX)
		snprintf(line, size, "gmon holds one object, and none has ticks");
	else
		snprintf(line, size,
			 "gmon holds one object: %.100s with %.1f%% of the ticks; --focus=NAME "
			 "chooses another",
			 report->profile->objects[object].name,
			 100 * (double)ticks / (double)report->profile->ticks);
	return 1;
}

static int compare_entries(const void *left, const void *right)
{
	const struct profile_entry *a = *(const struct profile_entry *const *)left;
	const struct profile_entry *b = *(const struct profile_entry *const *)right;

	return (a->address > b->address) - (a->address < b->address);
}

static int take_entries(struct text *text, uint32_t object)
{
	text->entry = calloc(text->profile->entry_count + 1, sizeof(struct profile_entry *));
	if (!text->entry)
		return -ENOMEM;
	for (size_t i = 0; i < text->profile->entry_count; i++) {
		if (text->profile->entries[i].object == object)
			text->entry[text->count++] = &text->profile->entries[i];
	}
	qsort(text->entry, text->count, sizeof(struct profile_entry *), compare_entries);
	return 0;
}

static uint64_t start_of(const struct profile_entry *entry)
{
	return entry->address & ~(uint64_t)(BIN - 1);
}

/* What reaches to the end of all addresses ends a bin before. */
static uint64_t end_of(const struct profile_entry *entry)
{
	const uint64_t last = UINT64_MAX - (BIN - 1);

	if (entry->address >= last || entry->size >= last - entry->address)
		return last;
	return (entry->address + entry->size + BIN - 1) & ~(uint64_t)(BIN - 1);
}

/* Spreads the ticks of a bucket evenly over its bins. */
static void add_entry(uint64_t *bins, uint64_t low, const struct profile_entry *entry)
{
	uint64_t first = (start_of(entry) - low) / BIN;
	uint64_t count = (end_of(entry) - start_of(entry)) / BIN;

	if (count == 1) {
		bins[first] += entry->ticks;
		return;
	}
	for (uint64_t i = 0; i < count; i++)
		bins[first + i] += entry->ticks * (i + 1) / count - entry->ticks * i / count;
}

static void put_histogram_head(const struct text *text, uint64_t low, uint64_t high)
{
	const uint64_t addresses[] = {low, high};
	const int32_t numbers[] = {(int32_t)((high - low) / BIN),
				   text->profile->rate_hz ? (int32_t)text->profile->rate_hz : 1};
	const char unit[UNIT] = "seconds";

	putc(HISTOGRAM, text->stream);
	fwrite(addresses, sizeof(addresses), 1, text->stream);
	fwrite(numbers, sizeof(numbers), 1, text->stream);
	fwrite(unit, sizeof(unit), 1, text->stream);
	putc('s', text->stream);
}

/* Writes as much of the bins as fits, and takes it from them; whether anything is left. */
static bool put_bins(const struct text *text, uint64_t *bins, size_t count)
{
	bool left = false;

	for (size_t i = 0; i < count; i++) {
		uint16_t bin = bins[i] > UINT16_MAX ? UINT16_MAX : (uint16_t)bins[i];

		fwrite(&bin, sizeof(bin), 1, text->stream);
		bins[i] -= bin;
		left = left || bins[i];
	}
	return left;
}

/* The histogram of the entries from @first to before @last. */
static int put_histogram(const struct text *text, size_t first, size_t last)
{
	uint64_t low = start_of(text->entry[first]), high = low;
	AUTO_FREE uint64_t *bins = NULL;
	bool left;

	for (size_t i = first; i < last; i++)
		high = end_of(text->entry[i]) > high ? end_of(text->entry[i]) : high;
	bins = calloc((high - low) / BIN, sizeof(*bins));
	if (!bins)
		return -ENOMEM;
	for (size_t i = first; i < last; i++)
		add_entry(bins, low, text->entry[i]);
	do {
		put_histogram_head(text, low, high);
		left = put_bins(text, bins, (high - low) / BIN);
	} while (left);
	return 0;
}

static bool are_near(const struct profile_entry *entry, const struct profile_entry *next)
{
	uint64_t end = end_of(entry), start = start_of(next);

	return start <= end || start - end < APART;
}

static int put_histograms(const struct text *text)
{
	size_t first = 0;
	int code = 0;

	for (size_t i = 1; i <= text->count && code == 0; i++) {
		if (i < text->count && are_near(text->entry[i - 1], text->entry[i]))
			continue;
		code = put_histogram(text, first, i);
		first = i;
	}
	return code;
}

int report_gmon_write(const struct report *report, FILE *stream)
{
	const int32_t version = VERSION;
	const char spare[SPARE] = "";
	struct text text = {.profile = report->profile, .stream = stream};
	uint64_t ticks;
	uint32_t object = find_object(report->profile, report->options, &ticks);
	int code = ticks ? take_entries(&text, object) : 0;

	fwrite("gmon", 4, 1, stream);
	fwrite(&version, sizeof(version), 1, stream);
	fwrite(spare, sizeof(spare), 1, stream);
	if (code == 0 && text.count)
		code = put_histograms(&text);
	free(text.entry);
	return code;
}
