/* SPDX-License-Identifier: MIT */
/* Several profiles as one. */
#pragma once

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/*
 * Adds all of @other to @profile: times and ticks are sums, objects are told apart by path and
 * build-id. -EINVAL with *err when a tick of one is not worth a tick of the other; @profile is then
 * as it was.
 */
int profile_merge(struct profile *profile, struct profile *other, struct error *err);
