/* SPDX-License-Identifier: MIT */
/* What became of the probes: judged, and counted in the image's histograms. */
#pragma once

#include "cli/collect/images.h"
#include "cli/ticks/signal_ticks.h"

/* Counts what the threads of @image have answered; adds to ticks->pending those that have not. */
void signal_answers_take(struct signal_ticks *ticks, struct image *image);

/* The image has ended: nobody will answer any more. */
void signal_answers_give_up(struct signal_ticks *ticks, struct image *image);
