/* SPDX-License-Identifier: MIT */
/* What mask.c and the interposed functions of mask_interpose.c share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The kernel's signal set is one word: bit N - 1 for signal N. */
#define MASK_BIT(signal) (UINT64_C(1) << ((signal)-1))

extern _Thread_local bool mask_believed __attribute__((tls_model("initial-exec")));
