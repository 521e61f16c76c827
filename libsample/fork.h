/* SPDX-License-Identifier: MIT */
/* Around fork(2): the tick signal is blocked, or the fork of a large process never finishes. */
#pragma once

/*
 * Registers with the C library; @before is called before each fork, unless it is NULL, and @child
 * in each child before it goes on. Once.
 */
void fork_install(void (*before)(void), void (*child)(void));

/* From now on @before and @child are not called: the system calls that they make may kill. */
void fork_leave_alone(void);

/* What is done in a child, for one of _Fork(3), which fork_install() does not see. */
void fork_child(void);
