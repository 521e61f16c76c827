/* SPDX-License-Identifier: MIT */
/* .debug_aranges: a table beside the units that tells which of them covers which addresses. */
#pragma once

#include "symbolize/dwarf_units.h"

typedef int dwarf_aranges_visitor(void *data, struct dwarf_unit *unit,
				  const struct sym_range *range);

/* Calls @visit until it returns something else than 0, which is then returned. */
int dwarf_aranges_each(struct dwarf *dwarf, dwarf_aranges_visitor *visit, void *data);
