/* SPDX-License-Identifier: MIT */
/* The source of the hottest functions in an HTML report. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli/report/report.h"
#include "cli/report/rows.h"

struct html_source; /* of one function */

struct html_sources {
	struct rows lines; /* the same profile by source lines, those of a function together */
	struct html_source *source;
	size_t count, room;
};

/* Finds the functions whose source can be shown. 0 or -ENOMEM; html_sources_done() in any case. */
int html_sources_build(const struct report *report, struct html_sources *ret_sources);
void html_sources_done(struct html_sources *sources);

/* The number of the source that @row's function has, from 1; 0: none is shown. */
size_t html_sources_find(const struct html_sources *sources, const struct row *row);

void html_sources_write(const struct html_sources *sources, FILE *stream);
