/* SPDX-License-Identifier: MIT */
/* The icicle of an HTML report. */

#include "cli/report/html_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/html_text.h"
#include "cli/report/shares.h"
#include "symbolize/util.h"

#define VISIBLE 0.0005 /* of all ticks: what is smaller is no pixel wide */

struct node {
	const char *name; /* NULL: the line .line */
	unsigned line;
	uint32_t parent; /* by index, the root is 0 */
	bool is_file;
	uint64_t millis;
	uint32_t child, next; /* the first child and the next sibling; 0: none */
};

struct tree {
	struct node *node;
	size_t count, room;
	uint32_t *slots; /* index of a node; 0: free */
	size_t slot_count;
	uint64_t least;
	FILE *stream;
};

static size_t hash_node(const struct node *node)
{
	uint64_t hash = (uintptr_t)node->name * 0x9e3779b97f4a7c15;

	hash = (hash ^ (hash >> 29) ^ node->line) * 0xbf58476d1ce4e5b9;
	hash = (hash ^ (hash >> 32) ^ node->parent) * 0x94d049bb133111eb;
	return (size_t)(hash ^ (hash >> 31));
}

static bool same_node(const struct node *a, const struct node *b)
{
	return a->name == b->name && a->line == b->line && a->parent == b->parent &&
	       a->is_file == b->is_file;
}

static uint32_t *find_slot(const struct tree *tree, const struct node *node)
{
	for (size_t at = hash_node(node);; at++) {
		uint32_t *slot = &tree->slots[at & (tree->slot_count - 1)];

		if (!*slot || same_node(&tree->node[*slot], node))
			return slot;
	}
}

static bool make_room(struct tree *tree)
{
	size_t slot_count = tree->slot_count ? tree->slot_count * 2 : 256;
	uint32_t *slots;

	if ((tree->count + 1) * 2 <= tree->slot_count)
		return true;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return false;
	free(tree->slots);
	tree->slots = slots;
	tree->slot_count = slot_count;
	for (size_t i = 1; i < tree->count; i++)
		*find_slot(tree, &tree->node[i]) = (uint32_t)i;
	return true;
}

/* Adds ticks to the node like @added, which has none; its index, or 0: out of memory. */
static uint32_t add_node(struct tree *tree, const struct node *added, uint64_t millis)
{
	struct node *parent;
	uint32_t *slot;

	if (!make_room(tree) || !grow(&tree->node, tree->count + 1, &tree->room))
		return 0;
	slot = find_slot(tree, added);
	if (!*slot) {
		parent = &tree->node[added->parent];
		tree->node[tree->count] = *added;
		tree->node[tree->count].next = parent->child;
		parent->child = (uint32_t)tree->count;
		*slot = (uint32_t)tree->count++;
	}
	tree->node[*slot].millis += millis;
	return *slot;
}

/* The same, which becomes the parent *@at of what comes next. */
static int add_below(struct tree *tree, uint32_t *at, struct node node, uint64_t millis)
{
	node.parent = *at;
	*at = add_node(tree, &node, millis);
	return *at ? 0 : -ENOMEM;
}

static int add_stack(struct tree *tree, const struct stack *stack)
{
	const struct profile_frame *inner = stack->frame_count ? &stack->frames[0] : NULL;
	const struct profile_frame *outer = inner ? &inner[stack->frame_count - 1] : NULL;
	const uint64_t millis = stack->millis;
	uint32_t at = 0, depth = stack->frame_count;
	int code = 0;

	if (*stack->process)
		code = add_below(tree, &at, (struct node){.name = stack->process}, millis);
	if (code == 0 && *stack->thread)
		code = add_below(tree, &at, (struct node){.name = stack->thread}, millis);
	if (code == 0 && *stack->object)
		code = add_below(tree, &at, (struct node){.name = stack->object}, millis);
	if (code == 0 && outer && outer->file)
		code = add_below(tree, &at, (struct node){.name = outer->file, .is_file = true},
				 millis);
	while (code == 0 && depth-- > 0)
		code = add_below(tree, &at, (struct node){.name = inner[depth].function}, millis);
	if (code == 0 && !inner)
		code = add_below(tree, &at, (struct node){.name = stack->label}, millis);
	if (code == 0 && inner && inner->line)
		code = add_below(tree, &at, (struct node){.line = inner->line}, millis);
	return code;
}

struct by_size {
	uint64_t millis;
	uint32_t index;
};

static int compare_sizes(const void *left, const void *right)
{
	const struct by_size *a = left, *b = right;

	if (a->millis != b->millis)
		return a->millis > b->millis ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static int put_node(const struct tree *tree, uint32_t index);

/* The children that can be seen, the largest first. */
static int put_children(const struct tree *tree, uint32_t index)
{
	AUTO_FREE struct by_size *children = NULL;
	size_t count = 0, room = 0;
	int code = 0;

	for (uint32_t i = tree->node[index].child; i; i = tree->node[i].next) {
		if (tree->node[i].millis < tree->least)
			continue;
		if (!grow(&children, count + 1, &room))
			return -ENOMEM;
		children[count++] = (struct by_size){tree->node[i].millis, i};
	}
	if (count)
		qsort(children, count, sizeof(*children), compare_sizes);
	for (size_t i = 0; i < count && code == 0; i++) {
		fputs(i ? "," : "", tree->stream);
		code = put_node(tree, children[i].index);
	}
	return code;
}

/* As deep as code can be inlined: a few dozen levels. */
static int put_node(const struct tree *tree, uint32_t index)
{
	const struct node *node = &tree->node[index];
	int code;

	putc('[', tree->stream);
	if (node->name)
		html_json_write(node->name, tree->stream);
	else
		fprintf(tree->stream, "\"line %u\"", node->line);
	fprintf(tree->stream, ",%.10g,[", (double)node->millis / MILLIS);
	code = put_children(tree, index);
	fputs(node->is_file ? "],1]" : "]]", tree->stream);
	return code;
}

int html_tree_write(const struct stacks *stacks, FILE *stream)
{
	struct tree tree = {
		.count = 1,
		.least = (uint64_t)(VISIBLE * (double)stacks->millis),
		.stream = stream,
	};
	int code = grow(&tree.node, 1, &tree.room) ? 0 : -ENOMEM;

	if (code == 0)
		tree.node[0] = (struct node){.name = "everything", .millis = stacks->millis};
	for (size_t i = 0; i < stacks->count && code == 0; i++)
		code = add_stack(&tree, &stacks->stack[i]);
	if (code == 0)
		code = put_node(&tree, 0);
	free(tree.node);
	free(tree.slots);
	return code;
}
