/* SPDX-License-Identifier: MIT */
/*
 * The outermost message of a pprof file, field by field: a profile is a million small messages, and
 * only one of them at a time needs to be unpacked.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Numbers of struct Profile's fields that are read (cli/profile/pprof.proto). */
enum pprof_field_number {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING = 6,
	PPROF_TIME_NANOS = 9,
	PPROF_DURATION_NANOS = 10,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
};

struct pprof_field {
	uint32_t number;
	uint64_t value;	     /* of a number */
	const uint8_t *data; /* of anything else, NULL for a number */
	size_t size;
};

/* The field at *at, which is moved behind it: 1, 0 at @end, -EINVAL. */
int pprof_field_next(const uint8_t **at, const uint8_t *end, struct pprof_field *ret_field);

/*
 * The number at *at, or one of those that stand packed in @field (start *at at NULL): 1, 0 when
 * there are no more, -EINVAL. A field of repeated numbers comes in both forms.
 */
int pprof_field_number_next(const struct pprof_field *field, const uint8_t **at,
			    uint64_t *ret_number);
