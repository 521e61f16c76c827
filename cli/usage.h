/* SPDX-License-Identifier: MIT */
/* What --help and --version print, made from the tables of commands and options. */
#pragma once

#include <stdio.h>

/* Both to stdout. */
void usage_help(void);
void usage_version(void);

/* The few lines for somebody who called profrun without a program. */
void usage_short(FILE *stream);
