/* SPDX-License-Identifier: MIT */
/*
 * A pool of strings: each distinct one is kept once, so that equal strings of one pool are equal
 * pointers, and all are freed together.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_pool;

struct string_pool *string_pool_new(void);
void string_pool_free(struct string_pool *pool);

/*
 * Distinct strings are numbered as they come, from 0: the number of @string, which is added when it
 * is new (*ret_new), or -ENOMEM.
 */
int64_t string_pool_number(struct string_pool *pool, const char *string, bool *ret_new);

/* The pool's copy of @string, or NULL when memory ran out. */
const char *string_pool_add(struct string_pool *pool, const char *string);

/* The order of two strings, soonest told of two of one pool; NULL stands where "" does. */
int string_pool_compare(const char *a, const char *b);
