/* SPDX-License-Identifier: MIT */
/*
 * Demangling by libiberty. Its generic entry never tries D and prefers schemes that nobody uses, so
 * each scheme is asked by its prefix. A symbol of a few hundred bytes can describe a name of
 * terabytes; the output goes through a callback that gives up by leaping out, since the demangler
 * keeps its state on the stack.
 */

#include "symbolize/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

static const struct {
	const char *suffix;
	bool needs_number; /* .0 follows; else it may or may not */
} clone_suffixes[] = {
	{".cold", false},    {".part", true},  {".constprop", true},   {".isra", true},
	{".lto_priv", true}, {".llvm", true},  {".__uniq", true},      {".localalias", false},
	{".clone", true},    {".warm", false}, {".specialized", true},
};

size_t demangle_clone_start(const char *name, size_t length, bool *ret_numbered)
{
	size_t end = length;
	bool numbered;

	while (end > 0 && isdigit((unsigned char)name[end - 1]))
		end--;
	numbered = end < length && end > 0 && name[end - 1] == '.';
	end = numbered ? end - 1 : length;
	for (size_t i = 0; i < ARRAY_SIZE(clone_suffixes); i++) {
		const char *suffix = clone_suffixes[i].suffix;
		size_t size = strlen(suffix);

		if (clone_suffixes[i].needs_number && !numbered)
			continue;
		if (end > size && memcmp(name + end - size, suffix, size) == 0) {
			*ret_numbered = numbered;
			return end - size;
		}
	}
	return length;
}

#ifdef HAVE_LIBIBERTY

#include <setjmp.h>

#include <libiberty/demangle.h>

/* What the demangler needs of the stack grows with the name; longer names stay raw. */
#define MANGLED_MAX 4096
/* Beyond this length libiberty thinks that it needs too much of the stack. */
#define MANGLED_MODEST 1000
#define DEMANGLED_MAX  (64 * 1024)

struct output {
	jmp_buf too_long;
	size_t size;
	char text[DEMANGLED_MAX];
};

typedef int demangle_function(const char *mangled, int options, demangle_callbackref callback,
			      void *opaque);

static void collect(const char *text, size_t size, void *opaque)
{
	struct output *output = opaque;

	if (size >= sizeof(output->text) - output->size)
		longjmp(output->too_long, 1);
	memcpy(output->text + output->size, text, size);
	output->size += size;
}

/* Everything that changes lives in *output: own locals would not survive the leap. */
static bool demangle_into(struct output *output, demangle_function *function, const char *name,
			  int options)
{
	output->size = 0;
	if (setjmp(output->too_long) != 0)
		return false;
	return function(name, options, collect, output) != 0;
}

static char *run_demangler(demangle_function *function, const char *name, int options)
{
	struct output output;

	if (strlen(name) > MANGLED_MAX || !demangle_into(&output, function, name, options))
		return NULL;
	return strndup(output.text, output.size);
}

static char *demangle_c_plus_plus(const char *name)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;

	return run_demangler(cplus_demangle_v3_callback, name,
			     strlen(name) > MANGLED_MODEST ? options | DMGL_NO_RECURSE_LIMIT
							   : options);
}

/* A name of Rust's can refer to itself, so that only the limit ends it. */
static char *demangle_rust(const char *name)
{
	return run_demangler(rust_demangle_callback, name, DMGL_PARAMS | DMGL_ANSI);
}

/* Rust's older names look like C++, but for the hash that they end with. */
static char *demangle_old_rust(const char *name)
{
	return strstr(name, "17h") ? demangle_rust(name) : NULL;
}

static char *demangle_d(const char *name)
{
	return strlen(name) > MANGLED_MODEST ? NULL : dlang_demangle(name, DMGL_PARAMS | DMGL_ANSI);
}

/* Tried in this order. */
static const struct {
	const char *prefix;
	char *(*demangle)(const char *name);
} schemes[] = {
	{"_R", demangle_rust},	      {"_ZN", demangle_old_rust},
	{"_Z", demangle_c_plus_plus}, {"_GLOBAL_", demangle_c_plus_plus},
	{"_D", demangle_d},
};

char *demangle(const char *name)
{
	if (name[0] != '_')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
		char *readable = NULL;

		if (strncmp(name, schemes[i].prefix, strlen(schemes[i].prefix)) == 0)
			readable = schemes[i].demangle(name);
		if (readable)
			return readable;
	}
	return NULL;
}

#else

char *demangle(const char *name)
{
	(void)name;
	return NULL;
}

#endif
