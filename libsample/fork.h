/* SPDX-License-Identifier: MIT */
/* Around fork(2): the tick signal is blocked, or the fork of a large process never finishes. */
#pragma once

/* Registers with the C library; @child is called in each child before it goes on. Once. */
void fork_install(void (*child)(void));
