/* SPDX-License-Identifier: MIT */
/*
 * The parameters of C++ functions for which no linkage name was written, in the demangler's words:
 * the same function must not have two names.
 */
#pragma once

#include "symbolize/dwarf_attr.h"

#define DWARF_PARAMETERS_MAX 1024

struct dwarf_text {
	char text[DWARF_PARAMETERS_MAX]; /* terminated */
	size_t length;
	bool failed; /* too long, or of a kind that is not put into words */
};

/* "(int, char*) const" of the declaration @function; false when it cannot be told. */
bool dwarf_parameters(struct dwarf_die function, struct dwarf_text *ret_text);
