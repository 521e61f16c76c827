/* SPDX-License-Identifier: MIT */
/*
 * syscall(2), which a filter of system calls may be set by: see filter_interpose.c. In assembly,
 * because all others go on with registers and stack as they are: one that makes a thread returns on
 * another stack, and nobody should pay for what we look for.
 */

#ifdef __CET__
#include <cet.h>
#endif
#include <sys/syscall.h>

	.text
	.globl syscall
	.type syscall, %function
syscall:
#if defined(__x86_64__)
#ifdef __CET__
	_CET_ENDBR
#endif
	cmpl $SYS_seccomp, %edi
	je filter_make_call
	cmpl $SYS_prctl, %edi
	je filter_make_call
	jmp *filter_real_syscall(%rip)
#elif defined(__aarch64__)
	hint #34 /* bti c */
	cmp w0, #SYS_seccomp
	b.eq 1f
	cmp w0, #SYS_prctl
	b.eq 1f
	adrp x16, filter_real_syscall
	ldr x16, [x16, :lo12:filter_real_syscall]
	br x16
1:	b filter_make_call
#endif
	.size syscall, . - syscall

	.section .note.GNU-stack, "", %progbits
