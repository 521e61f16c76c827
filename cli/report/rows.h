/* SPDX-License-Identifier: MIT */
/*
 * The rows of a report: the profile's buckets, divided among functions, grouped by keys, sorted,
 * and what --focus, --min and --top hide summed in a last row. Every format writes the same rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "symbolize/error.h"

/* Strings are never NULL, but "" where the keys do not tell, or nobody knows. */
struct row {
	const char *process;
	const char *thread;
	const char *run;
	const char *function;
	const char *object;
	const char *file;
	unsigned line; /* 0: not known */
	uint64_t address;
	uint64_t millis; /* thousandths of ticks */
	uint64_t kernel_millis;
	bool estimated; /* a bucket straddled functions that have different rows */
};

struct rows {
	struct row *row; /* sorted */
	size_t count;
	bool has_other;	 /* the last row sums what --focus, --min and --top hide */
	size_t hidden;	 /* how many rows --min and --top hid */
	uint64_t millis; /* of all ticks of the run */
	double period_seconds;
	double effective_ticks;
	bool kernel_known;
	struct string_pool *strings; /* those that are made up for rows */
};

/*
 * The rows by @options; the profile must be named, and outlive the rows, which borrow its strings.
 * rows_done() in any case.
 */
int rows_build(const struct profile *profile, const struct options *options, struct rows *ret_rows,
	       struct error *err);
void rows_done(struct rows *rows);

/* The columns that are computed. Percentages are of all ticks of the run. */
double row_seconds(const struct rows *rows, const struct row *row);
double row_percent(const struct rows *rows, const struct row *row);
double row_margin(const struct rows *rows, const struct row *row);
double row_kernel_percent(const struct row *row);
