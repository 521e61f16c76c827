/* SPDX-License-Identifier: MIT */
/*
 * Two profiles compared row by row. Rows are those of a report by the same keys; they are the same
 * where their texts agree, whatever the addresses. What is left over is paired by the function's
 * name alone where that is unique, so that a renamed program has its rows too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "cli/report/rows.h"
#include "cli/report/terminal.h"
#include "symbolize/error.h"

enum diff_side {
	DIFF_OLD,
	DIFF_NEW,
	DIFF_SIDES,
};

struct diff_row {
	struct row row; /* what it is called; its numbers are of no meaning */
	uint64_t millis[DIFF_SIDES];
	double seconds[DIFF_SIDES];
	double percent[DIFF_SIDES];
	double seconds_margin; /* half the 95 % interval of the change */
	double percent_margin;
	double chance; /* of such a change in seconds where there is none */
	bool changed;  /* beyond chance, and beyond what slows or speeds up everything alike */
};

struct diff {
	const struct profile *profile[DIFF_SIDES];
	struct diff_row *row; /* the largest change in seconds first */
	size_t count;
	size_t changed;	    /* how many are */
	size_t comparisons; /* how many could have changed at all */
	uint64_t millis[DIFF_SIDES];
	double effective[DIFF_SIDES];
	double period[DIFF_SIDES];
	struct string_pool *strings;
};

/* Both profiles must be named, and outlive the result; diff_done() in any case. */
int diff_build(const struct profile *old, const struct profile *new, const struct options *options,
	       struct diff *ret_diff, struct error *err);
void diff_done(struct diff *diff);

/* CPU time of one of the two: the kernel's, or what the ticks of another tool say. */
double diff_cpu_seconds(const struct diff *diff, enum diff_side side);

/* Fills what the rows say of chance; the rows are then sorted. */
void diff_judge(struct diff *diff);

/* The change in seconds that four of five comparisons show, of a row of @part of the old run. */
double diff_visible_change(const struct diff *diff, double part);

/* Half the interval of the change in share that holds for all rows together. */
double diff_family_margin(const struct diff *diff, const struct diff_row *row);

/* What the formats write; 0 or -ENOMEM. */
int diff_write_text(const struct diff *diff, const struct options *options,
		    const struct terminal *terminal, FILE *stream);
int diff_write_csv(const struct diff *diff, const struct options *options,
		   const struct terminal *terminal, FILE *stream);
int diff_write_json(const struct diff *diff, const struct options *options,
		    const struct terminal *terminal, FILE *stream);
