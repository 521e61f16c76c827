/* SPDX-License-Identifier: MIT */
/* What rows and their like call what has ticks. */

#include "cli/report/labels.h"

#include <limits.h>
#include <stdio.h>

#include "cli/report/code.h"
#include "symbolize/util.h"

/* "cc1 (1234)" */
static const char *add_numbered(const char *name, pid_t number, struct string_pool *strings)
{
	AUTO_FREE char *label = NULL;

	if (asprintf(&label, "%s (%d)", name && *name ? name : "?", number) < 0) {
		label = NULL;
		return NULL;
	}
	return string_pool_add(strings, label);
}

/* "cc1 (1234)": programs of the same name are told apart by their pids. */
const char *label_process(const struct profile *profile, uint32_t index,
			  struct string_pool *strings)
{
	const struct profile_process *process = &profile->processes[index];

	return add_numbered(process->command, process->pid, strings);
}

/* "worker (1235)" */
const char *label_thread(const struct profile *profile, uint32_t number,
			 struct string_pool *strings)
{
	const struct profile_thread *thread;

	if (number == 0)
		return "[unknown]";
	thread = &profile->threads[number - 1];
	return add_numbered(thread->name, thread->tid, strings);
}

/* Of code that was made at run time only what has a name is known to be that. */
const char *label_object(const struct profile_object *object, const struct share *share)
{
	return object->kind == OBJECT_JIT && !share->frame ? "[anon]" : object->name;
}

const char *label_function(const struct profile_object *object, const struct share *share,
			   struct string_pool *strings)
{
	char label[NAME_MAX + 32];

	if (share->frame)
		return share->frame->function;
	if (object->kind == OBJECT_JIT)
		return "[anon]";
	if (!code_exists(object))
		return object->name;
	code_unknown_label(object, share->address, label, sizeof(label));
	return string_pool_add(strings, label);
}

bool label_in_focus(const struct options *options, const char *function, const char *object)
{
	const regex_t *focus = options->focus;

	return !focus || regexec(focus, function, 0, NULL, 0) == 0 ||
	       regexec(focus, object, 0, NULL, 0) == 0;
}
