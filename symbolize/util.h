/* SPDX-License-Identifier: MIT */
/* Ownership in declarations: a variable that frees or closes itself when its scope is left. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void util_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void util_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void util_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define AUTO_FREE  __attribute__((cleanup(util_free)))
#define AUTO_CLOSE __attribute__((cleanup(util_close)))
#define AUTO_FILE  __attribute__((cleanup(util_fclose)))

/* Hands over what an AUTO_FREE variable owns. */
#define steal_ptr(pointer)                               \
	({                                               \
		__typeof__(pointer) stolen_ = (pointer); \
		(pointer) = NULL;                        \
		stolen_;                                 \
	})

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
