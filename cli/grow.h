/* SPDX-License-Identifier: MIT */
/* Arrays that grow: room doubles, so that adding one at a time costs the same each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes room for @need items of @item_size bytes in the array at *(void **)array. */
bool grow_bytes(void *array, size_t need, size_t item_size, size_t *room);

/* grow(&items, count + 1, &room): false when memory ran out; items stay as they were then. */
#define grow(array, need, room) grow_bytes(array, need, sizeof(**(array)), room)
