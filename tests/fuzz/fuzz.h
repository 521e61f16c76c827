/* SPDX-License-Identifier: MIT */
/* What a fuzz target defines; libFuzzer or tests/fuzz/replay.c calls it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Reads @data as hostile input: it must not crash, hang or leak. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
