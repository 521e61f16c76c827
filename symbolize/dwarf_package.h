/* SPDX-License-Identifier: MIT */
/* Packages of split DWARF (.dwp): an index tells which part of each section is whose. */
#pragma once

#include "symbolize/dwarf_data.h"

/*
 * Narrows the sections of @dwarf, which is a package, to those of the compilation @id. False when
 * it is not in there, or the index is damaged.
 */
bool package_select(struct dwarf *dwarf, uint64_t id);
