/* SPDX-License-Identifier: MIT */
/* Long names of C++ and Rust made short for a terminal. */
#pragma once

/*
 * Replaces what stands within outermost <...> and (...) of @name by @mark, in place:
 * "std::map<int, long>::at(int const&) const" becomes "std::map<…>::at(…) const". Operators, what
 * is empty and "(anonymous namespace)" stay; a name whose brackets do not match stays as it is.
 */
void shorten_name(char *name, const char *mark);
