/* SPDX-License-Identifier: MIT */
/* The table of an HTML report: the rows as any browser shows them, also without scripts. */
#pragma once

#include <stdio.h>

#include "cli/report/html_source.h"
#include "cli/report/report.h"

/* Rows whose function has its source among @sources are links to it. */
void html_table_write(const struct report *report, const struct html_sources *sources,
		      FILE *stream);
