/* SPDX-License-Identifier: MIT */
/* What rows and their like call what has ticks. */

#include "cli/report/labels.h"

#include <limits.h>
#include <stdio.h>

#include "cli/report/code.h"

/* "cc1 (1234)": programs of the same name are told apart by their pids. */
const char *label_process(const struct profile *profile, uint32_t index,
			  struct string_pool *strings)
{
	const struct profile_process *process = &profile->processes[index];
	char label[128];

	snprintf(label, sizeof(label), "%.100s (%d)", process->command ? process->command : "?",
		 process->pid);
	return string_pool_add(strings, label);
}

/* "worker (1235)" */
const char *label_thread(const struct profile *profile, uint32_t number,
			 struct string_pool *strings)
{
	const struct profile_thread *thread;
	char label[128];

	if (number == 0)
		return "[unknown]";
	thread = &profile->threads[number - 1];
	snprintf(label, sizeof(label), "%.100s (%d)", thread->name[0] ? thread->name : "?",
		 thread->tid);
	return string_pool_add(strings, label);
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
