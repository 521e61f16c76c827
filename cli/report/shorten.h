/* SPDX-License-Identifier: MIT */
/* Long names of C++ and Rust made short for a terminal. */
#pragma once

/*
 * Replaces what stands within outermost <...> and (...) of @name by @mark, in place:
 * "std::map<int, long>::at(int const&) const" becomes "std::map<…>::at(…) const". Operators, what
 * is empty and "(anonymous namespace)" stay; a name whose brackets do not match stays as it is.
 */
void shorten_name(char *name, const char *mark);

/*
 * Behind the first "::" of @name that is in no brackets: the name without what it is in; NULL when
 * there is none.
 */
const char *shorten_next_part(const char *name);
