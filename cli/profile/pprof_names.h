/* SPDX-License-Identifier: MIT */
/* The words that the saved format uses, where writing and reading must agree. */
#pragma once

/* Types and units of values. The first value of a sample is the ticks, the second their time. */
#define PPROF_TICKS "samples"
#define PPROF_COUNT "count"
#define PPROF_CPU   "cpu"
#define PPROF_NANOS "nanoseconds"

/* Labels of samples: numbers, but for the name of the thread. */
#define PPROF_LABEL_ADDRESS "bucket_address" /* where it is not its location's */
#define PPROF_LABEL_BYTES   "bucket_bytes"
#define PPROF_LABEL_KERNEL  "kernel_ticks"
#define PPROF_LABEL_PROCESS "process" /* index in the facts' list; 0 without the label */
#define PPROF_LABEL_PID	    "pid"
#define PPROF_LABEL_TID	    "tid"
#define PPROF_LABEL_THREAD  "thread"
