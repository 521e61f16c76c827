/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */

#include "cli/grow.h"

#include <stdlib.h>
#include <string.h>

bool grow_bytes(void *array, size_t need, size_t item_size, size_t *room)
{
	size_t new_room = *room ? *room * 2 : 16;
	void *items;

	if (need <= *room)
		return true;
	if (new_room < need)
		new_room = need;
	/* The caller's pointer has a type of its own: it is read and written as bytes. */
	memcpy(&items, array, sizeof(items));
	items = reallocarray(items, new_room, item_size);
	if (!items)
		return false;
	memcpy(array, &items, sizeof(items));
	*room = new_room;
	return true;
}
