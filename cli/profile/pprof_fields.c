/* SPDX-License-Identifier: MIT */
/* The outermost message of a pprof file, field by field. */

#include "cli/profile/pprof_fields.h"

#include <errno.h>

enum wire {
	WIRE_VARINT = 0,
	WIRE_64_BITS = 1,
	WIRE_BYTES = 2,
	WIRE_32_BITS = 5,
};

static int take_varint(const uint8_t **at, const uint8_t *end, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		uint8_t byte = *(*at)++;

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret_number = number;
			return 0;
		}
	}
	return -EINVAL;
}

static int take_bytes(const uint8_t **at, const uint8_t *end, uint64_t size,
		      struct pprof_field *field)
{
	if (size > (uint64_t)(end - *at))
		return -EINVAL;
	field->data = *at;
	field->size = (size_t)size;
	*at += size;
	return 1;
}

int pprof_field_next(const uint8_t **at, const uint8_t *end, struct pprof_field *ret_field)
{
	struct pprof_field field = {.data = NULL};
	uint64_t tag, size;
	int code;

	if (*at == end)
		return 0;
	if (take_varint(at, end, &tag) < 0 || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
		return -EINVAL;
	field.number = (uint32_t)(tag >> 3);
	switch ((enum wire)(tag & 7)) {
	case WIRE_VARINT:
		code = take_varint(at, end, &field.value) < 0 ? -EINVAL : 1;
		break;
	case WIRE_BYTES:
		code = take_varint(at, end, &size);
		code = code < 0 ? code : take_bytes(at, end, size, &field);
		break;
	case WIRE_64_BITS:
		code = take_bytes(at, end, 8, &field);
		break;
	case WIRE_32_BITS:
		code = take_bytes(at, end, 4, &field);
		break;
	default:
		code = -EINVAL;
	}
	if (code > 0)
		*ret_field = field;
	return code;
}

int pprof_field_number_next(const struct pprof_field *field, const uint8_t **at,
			    uint64_t *ret_number)
{
	static const uint8_t done;

	if (!field->data) {
		if (*at == &done)
			return 0;
		*at = &done;
		*ret_number = field->value;
		return 1;
	}
	if (!*at)
		*at = field->data;
	if (*at == field->data + field->size)
		return 0;
	return take_varint(at, field->data + field->size, ret_number) < 0 ? -EINVAL : 1;
}
