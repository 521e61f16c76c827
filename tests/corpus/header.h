/* SPDX-License-Identifier: MIT */
/* A function that is inlined from another file. */
#pragma once

#include "mark.h"

INLINED int in_header(int x)
{
	sink ^= x;
	MARK("in_header;middle@header;outer@middle;host@outer");
	return x * 5;
}
