/* SPDX-License-Identifier: MIT */
/* The file into which dwz(1) moved what several debug files have in common. */
#pragma once

#include "symbolize/dwarf_data.h"

/* The alternate DWARF of @dwarf, opened once; NULL when there is none, which is noted. */
struct dwarf *dwarf_alternate(struct dwarf *dwarf);
void dwarf_alternate_close(struct dwarf *dwarf);
