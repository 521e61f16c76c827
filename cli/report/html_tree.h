/* SPDX-License-Identifier: MIT */
/* The icicle of an HTML report: object, file, function, what was inlined, line; above these the
 * process and the thread, where keys tell them. */
#pragma once

#include <stdio.h>

#include "cli/report/stacks.h"

/*
 * Writes the tree as JSON: a node is [name, ticks, [nodes...]], with a 1 behind these when it is a
 * file; the largest first, without those that nobody could see. 0 or -ENOMEM.
 */
int html_tree_write(const struct stacks *stacks, FILE *stream);
