/* SPDX-License-Identifier: MIT */
/* UTF-8 in names. */

#include "cli/report/utf8.h"

#include "symbolize/util.h"

size_t utf8_decode(const char *text, uint32_t *ret_character)
{
	/* By length: what the first byte's high bits are, and the least character worth it. */
	static const struct {
		unsigned char mask, bits;
		uint32_t least;
	} forms[] = {
		{0x80, 0x00, 0},
		{0xe0, 0xc0, 0x80},
		{0xf0, 0xe0, 0x800},
		{0xf8, 0xf0, 0x10000},
	};
	const unsigned char *byte = (const unsigned char *)text;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		uint32_t character = byte[0] & (unsigned char)~forms[i].mask;

		if ((byte[0] & forms[i].mask) != forms[i].bits)
			continue;
		for (size_t j = 1; j <= i; j++) {
			if ((byte[j] & 0xc0) != 0x80)
				return 0;
			character = character << 6 | (byte[j] & 0x3f);
		}
		if (character < forms[i].least || character > 0x10ffff ||
		    (character >= 0xd800 && character <= 0xdfff))
			return 0;
		*ret_character = character;
		return i + 1;
	}
	return 0;
}

size_t utf8_length(const char *text)
{
	uint32_t character;

	return utf8_decode(text, &character);
}

size_t utf8_shown_length(const char *text)
{
	/* Control characters, and those that set or turn the direction of what is beside them. */
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x00, 0x1f},	  {0x7f, 0x9f},	    {0x61c, 0x61c},
		{0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
	};
	uint32_t character;
	size_t length = utf8_decode(text, &character);

	for (size_t i = 0; i < ARRAY_SIZE(ranges) && length; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return 0;
	}
	return length;
}

size_t utf8_span(const char *text, char stop)
{
	const char *at = text;

	while (*at && *at != stop) {
		size_t length = (unsigned char)*at < 0x80 ? 1 : utf8_length(at);

		if (length == 0)
			break;
		at += length;
	}
	return (size_t)(at - text);
}
