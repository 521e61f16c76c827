/* SPDX-License-Identifier: MIT */
/* How far a share that was found by sampling may be from the truth. */
#pragma once

/*
 * Half the width of the 95 % interval (Wilson's) of @share, a fraction, that @effective independent
 * ticks showed; a fraction too. Wilson's interval stays honest at 0 and 1, where the textbook's
 * has no width. 1 when there were no ticks.
 */
double margin_of(double share, double effective);
