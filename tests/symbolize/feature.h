/* SPDX-License-Identifier: MIT */
/* What tests need to know of how the library was built. */
#pragma once

#include <string.h>

#include "symbolize/symbolize.h"

static inline bool feature_is_built_in(const char *name)
{
	const char *feature;
	bool built_in;

	for (size_t i = 0; (feature = sym_feature(i, &built_in)); i++)
		if (strcmp(feature, name) == 0)
			return built_in;
	return false;
}
