/* SPDX-License-Identifier: MIT */
/* names_only OBJECT: writes the functions of addresses from stdin, as reports ask for them. */

#include <stdio.h>
#include <stdlib.h>

#include "symbolize/symbolize.h"
#include "symbolize/util.h"

/* Sorted, unique addresses. */
static uint64_t *read_addresses(size_t *ret_count)
{
	uint64_t *addresses = NULL;
	size_t count = 0, room = 0;
	char line[64];

	while (fgets_unlocked(line, sizeof(line), stdin)) {
		if (count == room) {
			room = room ? 2 * room : 1024;
			addresses = reallocarray(addresses, room, sizeof(*addresses));
			if (!addresses)
				exit(EXIT_FAILURE);
		}
		addresses[count++] = strtoull(line, NULL, 16);
	}
	*ret_count = count;
	return addresses;
}

int main(int argc, char **argv)
{
	static char buffer[64 * 1024];
	size_t count = 0;
	AUTO_FREE uint64_t *addresses = read_addresses(&count);
	AUTO_FREE struct sym_answer *answers = calloc(count + 1, sizeof(*answers));
	struct sym_object *object;
	struct error err = {.code = 0};

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (argc != 2 || !answers || sym_object_open(argv[1], NULL, &object, &err) < 0 ||
	    sym_object_find(object, addresses, count, 0, answers, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < count; i++) {
		fputs_unlocked(answers[i].frame_count ? answers[i].frames[0].function : "?",
			       stdout);
		putc_unlocked('\n', stdout);
	}
	sym_object_close(object);
	return EXIT_SUCCESS;
}
