/* SPDX-License-Identifier: MIT */
/* Hand-written code: without sizes, overlapping, with odd names, with data in between. */
#define M(frames) 771: nop; \
	.pushsection .marks,""; .8byte 771b; .4byte 0; .asciz frames; .popsection
#define FUNCTION(name, frames) .globl name; .type name, @function; name: ; nop; M(frames); \
	ret; .size name, .-name; .p2align 4
	.text
	.globl sized
	.type sized, @function
sized:
	nop
label_inside:
	M("sized")
.Lhidden_label:
	M("sized")
	ret
	.size sized, .-sized
	.p2align 4
	.globl without_size
	.type without_size, @function
without_size:
	nop
	M("without_size")
	ret
	.p2align 4
	.globl without_type
without_type:
	nop
	M("without_type")
	ret
	.p2align 4
	.globl around
	.type around, @function
around:
	nop
	M("around")
	.globl within
	.type within, @function
within:
	nop
	M("within")
	.size within, .-within
	nop
	M("around")
	ret
	.size around, .-around
	.p2align 6
	M("?")
	.fill 63, 1, 0x90
	.globl behind_the_gap
	.type behind_the_gap, @function
behind_the_gap:
	M("behind_the_gap")
	ret
	.size behind_the_gap, .-behind_the_gap
	FUNCTION("a,b", "a,b")
	FUNCTION("sp ace", "sp ace")
	FUNCTION("quote\"d", "quote\"d")
	FUNCTION("ünïcode", "ünïcode")
	FUNCTION("two\nlines", "two\\nlines")
	FUNCTION("=formula()", "=formula()")
	FUNCTION("$dollar", "$dollar")
	.globl table
	.type table, @object
table:
	.quad 0
	M("table")
	.size table, .-table
	.section "odd section", "ax", @progbits
	FUNCTION(in_odd_section, "in_odd_section")
	.text
	FUNCTION(main, "main")
	.section .note.GNU-stack, "", @progbits
