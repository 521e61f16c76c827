/* SPDX-License-Identifier: MIT */
/*
 * Places in code that know what they are: MARK() leaves its address, its line and, innermost first,
 * the function that is there and those that it was inlined into, each with the tag of the line that
 * calls ("inner;outer@tag"), in a section that is no part of the program. A tag is a comment in
 * that line.
 */
#pragma once

#define TEXT_(x) #x
#define TEXT(x)	 TEXT_(x)

#if __SIZEOF_POINTER__ == 8
#define POINTER ".8byte "
#else
#define POINTER ".4byte "
#endif

#define MARK(frames)                                                             \
	__asm__ volatile("771: nop\n\t.pushsection .marks,\"\"\n\t" POINTER      \
			 "771b\n\t.4byte " TEXT(__LINE__) "\n\t.asciz \"" frames \
							  "\"\n\t.popsection")

#define INLINED static inline __attribute__((always_inline))
#define OUTLINE __attribute__((noinline))

extern volatile int sink;
