/* SPDX-License-Identifier: MIT */
/*
 * Pairs of profiles as repeated runs would give them, drawn from a saved one, and compared: how
 * often does diff see a change?
 *
 *     diff_driver FILE TICKS PAIRS [FUNCTION FACTOR [MACHINE]]
 *
 * In the newer one of each pair FUNCTION takes FACTOR times its time, and everything MACHINE times.
 * Prints how many pairs showed any change, and in how many it was FUNCTION that became slower.
 */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/pprof_read.h"
#include "cli/report/diff.h"
#include "cli/report/places.h"
#include "symbolize/util.h"

struct draw {
	const char *path;
	double ticks;
	const char *function; /* whose time is another in the newer profile, or "" */
	double factor;
	double machine;
	uint64_t random;
	size_t any, right; /* how often there was a change, and how often the right one */
};

/* Uniform in [0, 1). */
static double draw_uniform(struct draw *draw)
{
	draw->random ^= draw->random << 13;
	draw->random ^= draw->random >> 7;
	draw->random ^= draw->random << 17;
	return (double)(draw->random >> 11) * 0x1p-53;
}

static bool is_function(const struct profile *profile, const struct profile_entry *entry,
			const char *function)
{
	size_t count;
	const struct profile_place *place =
		places_overlap(profile, entry->object, entry->address, entry->address + 1, &count);

	return count && place->frame_count &&
	       strcmp(profile->frames[place->frame + place->frame_count - 1].function, function) ==
		       0;
}

/* Replaces the ticks of @profile by as many as the run would have had, drawn one by one. */
static void resample(struct draw *draw, struct profile *profile, bool newer)
{
	AUTO_FREE double *sums = calloc(profile->entry_count + 1, sizeof(*sums));
	double before = (double)profile->ticks, after = 0;
	uint64_t ticks;

	if (!sums)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < profile->entry_count; i++) {
		struct profile_entry *entry = &profile->entries[i];
		bool slower = newer && is_function(profile, entry, draw->function);

		after += (double)entry->ticks * (slower ? draw->factor : 1);
		sums[i] = after;
		entry->ticks = entry->kernel = 0;
	}
	ticks = (uint64_t)(draw->ticks * after / before * (newer ? draw->machine : 1));
	for (uint64_t i = 0; i < ticks; i++) {
		double point = draw_uniform(draw) * after;
		size_t low = 0, high = profile->entry_count - 1;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (sums[middle] <= point)
				low = middle + 1;
			else
				high = middle;
		}
		profile->entries[low].ticks++;
	}
	profile->ticks = ticks;
	profile->effective_ticks = (double)ticks;
}

static struct profile *make(struct draw *draw, bool newer)
{
	struct profile *profile;
	struct error err;

	if (pprof_read_file(draw->path, &profile, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(EXIT_FAILURE);
	}
	resample(draw, profile, newer);
	return profile;
}

static void compare(struct draw *draw, const struct options *options)
{
	struct profile *old = make(draw, false), *new = make(draw, true);
	struct diff diff;
	struct error err;
	bool right = false;

	if (diff_build(old, new, options, &diff, &err) < 0)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < diff.count; i++)
		right = right || (diff.row[i].changed &&
				  diff.row[i].seconds[DIFF_NEW] > diff.row[i].seconds[DIFF_OLD] &&
				  strcmp(diff.row[i].row.function, draw->function) == 0);
	draw->any += diff.changed > 0;
	draw->right += right;
	diff_done(&diff);
	profile_free(old);
	profile_free(new);
}

int main(int argc, char **argv)
{
	char *words[] = {argv[0], argv[0], NULL};
	struct draw draw = {.function = "", .factor = 1, .machine = 1, .random = 88172645463325252};
	struct options options;
	struct error err;

	if (argc < 4 || options_parse(words, NULL, &options, &err) < 0)
		return EXIT_FAILURE;
	draw.path = argv[1];
	draw.ticks = atof(argv[2]);
	if (argc > 5) {
		draw.function = argv[4];
		draw.factor = atof(argv[5]);
	}
	if (argc > 6)
		draw.machine = atof(argv[6]);
	for (int i = 0; i < atoi(argv[3]); i++)
		compare(&draw, &options);
	options_done(&options);
	printf("%zu %zu\n", draw.any, draw.right);
	return EXIT_SUCCESS;
}
