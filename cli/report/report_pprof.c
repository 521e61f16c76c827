/* SPDX-License-Identifier: MIT */
/* The format pprof: what --save writes, so the whole profile and not the rows of a report. */

#include "cli/report/report_pprof.h"

#include <errno.h>

#include "cli/profile/pprof_write.h"
#include "cli/report/report.h"

int report_pprof_write(const struct report *report, FILE *stream)
{
	return pprof_write(report->profile, stream) == -ENOMEM ? -ENOMEM : 0;
}
