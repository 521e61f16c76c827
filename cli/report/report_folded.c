/* SPDX-License-Identifier: MIT */
/*
 * The format folded: "object;file;function;inlined;... ticks", a line for each chain, as
 * flame-graph tools take them. What is not known is left out.
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

static void put_stack(const struct stack *stack, FILE *stream)
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
	fprintf(stream, " %" PRIu64, stack->millis / MILLIS);
	if (stack->millis % MILLIS)
		fprintf(stream, ".%03" PRIu64, stack->millis % MILLIS);
	putc('\n', stream);
}

int report_folded_write(const struct report *report, FILE *stream)
{
	struct stacks stacks;
	int code = stacks_build(report->profile, report->options, false, &stacks);

	for (size_t i = 0; i < stacks.count && code == 0; i++)
		put_stack(&stacks.stack[i], stream);
	stacks_done(&stacks);
	return code;
}
