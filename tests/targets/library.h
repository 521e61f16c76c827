/* SPDX-License-Identifier: MIT */
/* What the shared objects of the targets contain: one function each. */
#pragma once

#include <stdint.h>

/* In libalpha and libbeta, which `libraries` is linked with. */
void alpha(uint64_t turns);
void beta(uint64_t turns);

/* In the module that `plugin_host` opens. */
void plugin(uint64_t turns);
