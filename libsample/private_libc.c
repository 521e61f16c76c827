/* SPDX-License-Identifier: MIT */
/*
 * What the preload uses of the C library under names that programs give to functions of their own:
 * those would be called instead of the library's, since a program's names come first. These are
 * hidden. As much is here as is called; texts and sets are short, and nothing has to be fast. The
 * compiler makes calls of the first ones by itself.
 *
 * Names that begin with an underscore belong to the C library; everything else is found by
 * next_find(). A lint test sees to it.
 */

#undef _FORTIFY_SOURCE

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libsample/sets.h"

/* Or the compiler makes a call of the function itself of its loop. */
#define KEEP_LOOP() __asm__ volatile("")

#define USED __attribute__((used))

USED void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		((char *)to)[i] = ((const char *)from)[i];
		KEEP_LOOP();
	}
	return to;
}

USED void *memmove(void *to, const void *from, size_t size)
{
	if ((uintptr_t)to - (uintptr_t)from >= size)
		return memcpy(to, from, size);
	while (size-- > 0) {
		((char *)to)[size] = ((const char *)from)[size];
		KEEP_LOOP();
	}
	return to;
}

USED void *memset(void *to, int byte, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		((char *)to)[i] = (char)byte;
		KEEP_LOOP();
	}
	return to;
}

USED int memcmp(const void *one, const void *other, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		int difference = ((const uint8_t *)one)[i] - ((const uint8_t *)other)[i];

		if (difference != 0)
			return difference;
	}
	return 0;
}

/* clang's way to ask whether there is any difference. */
USED int bcmp(const void *one, const void *other, size_t size)
{
	return memcmp(one, other, size);
}

USED size_t strlen(const char *text)
{
	size_t length = 0;

	for (; text[length]; length++)
		KEEP_LOOP();
	return length;
}

USED int strncmp(const char *one, const char *other, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		int difference = (unsigned char)one[i] - (unsigned char)other[i];

		if (difference != 0 || !one[i])
			return difference;
	}
	return 0;
}

USED int strcmp(const char *one, const char *other)
{
	return strncmp(one, other, PTRDIFF_MAX);
}

USED char *strchr(const char *text, int wanted)
{
	for (; *text != (char)wanted; text++)
		if (!*text)
			return NULL;
	return (char *)(uintptr_t)text;
}

USED char *strrchr(const char *text, int wanted)
{
	const char *found = NULL;

	for (;; text++) {
		if (*text == (char)wanted)
			found = text;
		if (!*text)
			return (char *)(uintptr_t)found;
	}
}

/* The length of the start of @text that has characters of @set alone, or none of them. */
static size_t span(const char *text, const char *set, int of_set)
{
	size_t length = 0;

	while (text[length] && (strchr(set, text[length]) != NULL) == of_set)
		length++;
	return length;
}

USED size_t strspn(const char *text, const char *set)
{
	return span(text, set, 1);
}

USED size_t strcspn(const char *text, const char *set)
{
	return span(text, set, 0);
}

USED char *stpcpy(char *restrict to, const char *restrict from)
{
	size_t length = strlen(from);

	memcpy(to, from, length + 1);
	return to + length;
}

USED char *strcpy(char *restrict to, const char *restrict from)
{
	memcpy(to, from, strlen(from) + 1);
	return to;
}

USED char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}

/* Decimal, without a sign. */
USED unsigned long strtoul(const char *restrict text, char **restrict ret_end, int base)
{
	unsigned long value = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		value = value * (unsigned long)base + (unsigned long)(*text - '0');
	if (ret_end)
		*ret_end = (char *)(uintptr_t)text;
	return value;
}

USED char *getenv(const char *name)
{
	size_t length = strlen(name);

	for (char **entry = __environ; entry && *entry; entry++)
		if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

unsigned long __getauxval(unsigned long type);

USED unsigned long getauxval(unsigned long type)
{
	return __getauxval(type);
}

USED int sigemptyset(sigset_t *set)
{
	*set = (sigset_t){0};
	return 0;
}

USED int sigfillset(sigset_t *set)
{
	sigemptyset(set);
	set_from_bits(set, ~SET_LIBRARY);
	return 0;
}

USED int sigaddset(sigset_t *set, int signal)
{
	if (signal <= 0 || signal > 64 || SET_BIT(signal) & SET_LIBRARY) {
		errno = EINVAL;
		return -1;
	}
	set_from_bits(set, set_bits(set) | SET_BIT(signal));
	return 0;
}

USED int sigismember(const sigset_t *set, int signal)
{
	return (set_bits(set) & SET_BIT(signal)) != 0;
}
