/* SPDX-License-Identifier: MIT */
/* The lock of profil_r() across fork. */
#pragma once

/* In the child of a fork: nobody holds the lock. */
void profil_fork_child(void);
