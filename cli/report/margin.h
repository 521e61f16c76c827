/* SPDX-License-Identifier: MIT */
/* What numbers that were found by sampling can tell. */
#pragma once

/*
 * Half the width of the 95 % interval (Wilson's) of @share, a fraction, that @effective independent
 * ticks showed; a fraction too. Wilson's interval stays honest at 0 and 1, where the textbook's
 * has no width. 1 when there were no ticks.
 */
double margin_of(double share, double effective);

/* Decimals of seconds in which a tick of @period_seconds can be seen; 2 at least. */
int margin_decimals(double period_seconds);
