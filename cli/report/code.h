/* SPDX-License-Identifier: MIT */
/* Opens the code of a profile's object for symbolize, whatever kind of object it is. */
#pragma once

#include "cli/profile/profile.h"
#include "symbolize/error.h"
#include "symbolize/symbolize.h"

/* Whether the object has code that could be named at all. */
bool code_exists(const struct profile_object *object);

/* "[object+0xoff]": what code is called that nothing names. */
void code_unknown_label(const struct profile_object *object, uint64_t address, char *label,
			size_t size);

/* 0, or a negative errno with *err; sym_object_close() closes it. */
int code_open(const struct profile_object *object, struct sym_object **ret_code, struct error *err);
