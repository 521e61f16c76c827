/* SPDX-License-Identifier: MIT */
/* Marks what a shared object of ours exports; everything else is hidden. */
#pragma once

#define EXPORT __attribute__((visibility("default")))
