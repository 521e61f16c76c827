/* SPDX-License-Identifier: MIT */
/* Where the other parts of this profrun are: in its build tree, or as it was installed. */
#pragma once

#include "symbolize/error.h"

/*
 * The absolute path of the preload module that belongs to the running profrun, fit to stand in
 * LD_PRELOAD. 0 and *ret_path (to be freed), or a negative errno with *err.
 */
int install_find_preload(char **ret_path, struct error *err);

/* Removes what install_find_preload() made, once no program can be started with it any more. */
void install_cleanup(void);
