/* SPDX-License-Identifier: MIT */
/*
 * Debug files from servers, by libdebuginfod. Loaded only when it is to be used: linked, it would
 * make every start slower by milliseconds.
 */
#pragma once

#include "symbolize/notes.h"
#include "symbolize/symbolize.h"

/*
 * The path of the debug file with that build-id in the local cache, fetched if need be within the
 * seconds that sym_allow_fetching() left; NULL when there is none. To be freed.
 */
char *debuginfod_fetch(const char *object_path, const struct sym_build_id *id, struct notes *notes);
