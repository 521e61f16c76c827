/* SPDX-License-Identifier: MIT */
/* What was built in. */

#include "symbolize/symbolize.h"
#include "symbolize/util.h"

static const struct {
	const char *name;
	bool built_in;
} features[] = {
#ifdef HAVE_LIBIBERTY
	{"demangle", true},
#else
	{"demangle", false},
#endif
#ifdef HAVE_ZSTD
	{"zstd", true},
#else
	{"zstd", false},
#endif
#ifdef HAVE_LZMA
	{"lzma", true},
#else
	{"lzma", false},
#endif
	{"debuginfod", true},
};

const char *sym_feature(size_t index, bool *ret_built_in)
{
	if (index >= ARRAY_SIZE(features))
		return NULL;
	*ret_built_in = features[index].built_in;
	return features[index].name;
}
