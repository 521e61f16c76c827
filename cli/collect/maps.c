/* SPDX-License-Identifier: MIT */
/* Reads /proc/PID/maps, whose lines are "start-end perms offset major:minor inode path". */

#include "cli/collect/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/map_name.h"
#include "cli/grow.h"
#include "symbolize/util.h"

static void take_path(struct mapping *mapping, const char *path)
{
	size_t length = map_name_length(path);

	mapping->is_vdso = strcmp(path, "[vdso]") == 0;
	if (!map_name_is_file(path))
		return;
	mapping->deleted = path[length] != '\0';
	mapping->path = strndup(path, length);
}

/*
 * Whether @line describes an executable mapping; *ret_mapping owns its path then. *head is the last
 * mapping before that showed the beginning of a file, of which only place and file are known.
 */
static bool parse(char *line, struct mapping *head, struct mapping *ret_mapping)
{
	struct mapping mapping = {0};
	char permissions[5];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &mapping.start, &mapping.end, permissions, &mapping.offset, &mapping.major,
		   &mapping.minor, &mapping.inode, &path) < 7 ||
	    path == 0)
		return false;
	if (mapping.offset == 0)
		*head = mapping;
	if (permissions[2] != 'x')
		return false;
	if (mapping.inode == head->inode && mapping.major == head->major &&
	    mapping.minor == head->minor)
		mapping.head = head->start;
	line[strcspn(line, "\n")] = '\0';
	take_path(&mapping, line + path);
	*ret_mapping = mapping;
	return true;
}

int maps_load(pid_t pid, struct maps *ret_maps)
{
	struct maps maps = {0};
	struct mapping head = {0};
	AUTO_FREE char *line = NULL;
	size_t line_size = 0, room = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (getline(&line, &line_size, file) > 0) {
		struct mapping mapping;

		if (!parse(line, &head, &mapping))
			continue;
		if (!grow(&maps.mappings, maps.count + 1, &room)) {
			free(mapping.path);
			break;
		}
		maps.mappings[maps.count++] = mapping;
	}
	fclose(file);
	*ret_maps = maps;
	return 0;
}

void maps_done(struct maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		free(maps->mappings[i].path);
	free(maps->mappings);
	*maps = (struct maps){0};
}

const struct mapping *maps_find(const struct maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mapping *mapping = &maps->mappings[middle];

		if (address < mapping->start)
			high = middle;
		else if (address >= mapping->end)
			low = middle + 1;
		else
			return mapping;
	}
	return NULL;
}
