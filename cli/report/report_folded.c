/* SPDX-License-Identifier: MIT */
/*
 * The format folded: "object;file;function;inlined;... ticks", a line for each chain, as
 * flame-graph tools take them. What is not known is left out. Readers such as speedscope skip lines
 * whose count is not whole: where buckets were divided, parts of ticks are rounded so that the sum
 * stays what it is.
 */

#include "cli/report/report_folded.h"

#include <inttypes.h>

#include "cli/report/escape.h"
#include "cli/report/report.h"
#include "cli/report/shares.h"
#include "cli/report/stacks.h"

static void put_part(const char *text, const char **separator, FILE *stream)
{
	if (!text || !*text)
		return;
	fputs(*separator, stream);
	escape_write(text, ";", stream);
	*separator = ";";
}

static void put_stack(const struct stack *stack, uint64_t ticks, FILE *stream)
{
	const char *separator = "";

	put_part(stack->process, &separator, stream);
	put_part(stack->thread, &separator, stream);
	put_part(stack->object, &separator, stream);
	if (stack->frame_count)
		put_part(stack->frames[stack->frame_count - 1].file, &separator, stream);
	else
		put_part(stack->label, &separator, stream);
	for (uint32_t i = stack->frame_count; i-- > 0;)
		put_part(stack->frames[i].function, &separator, stream);
	fprintf(stream, " %" PRIu64 "\n", ticks);
}

static uint64_t whole_ticks(uint64_t millis)
{
	return (millis + MILLIS / 2) / MILLIS;
}

int report_folded_write(const struct report *report, FILE *stream)
{
	struct stacks stacks;
	uint64_t millis = 0; /* up to here */
	int code = stacks_build(report->profile, report->options, false, &stacks);

	for (size_t i = 0; i < stacks.count && code == 0; i++) {
		uint64_t before = whole_ticks(millis);

		millis += stacks.stack[i].millis;
		if (whole_ticks(millis) > before)
			put_stack(&stacks.stack[i], whole_ticks(millis) - before, stream);
	}
	stacks_done(&stacks);
	return code;
}
