/* SPDX-License-Identifier: MIT */
/*
 * What `profrun doctor` looks at: a table of checks of this machine, and one of checks of a
 * program. A check finds something out by trying it where that is possible.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/doctor/doctor_elf.h"
#include "cli/launch/preflight.h"

enum doctor_verdict {
	DOCTOR_NOTHING, /* not worth a line */
	DOCTOR_FINE,
	DOCTOR_LESS, /* works with a loss, which .text names */
	DOCTOR_FAILS,
};

struct doctor_finding {
	enum doctor_verdict verdict;
	char text[256];
	char hint[256]; /* what would help, or "" */
};

/* The program that is looked at; all of it is readable when a check is asked. */
struct doctor_program {
	const struct preflight *preflight;
	const char *path;      /* of what is executed in the end: a script's interpreter */
	struct doctor_elf elf; /* nothing is set if it cannot be read as one */
	bool readable;
};

struct doctor_check {
	const char *name;
	void (*look)(const struct doctor_program *program, struct doctor_finding *ret_finding);
};

/* The check at @index; NULL after the last. Those of the machine get no program. */
const struct doctor_check *doctor_machine_at(size_t index);
const struct doctor_check *doctor_program_at(size_t index);

/* Sets the verdict and the text. */
void doctor_find(struct doctor_finding *finding, enum doctor_verdict verdict, const char *format,
		 ...) __attribute__((format(printf, 3, 4)));
void doctor_hint(struct doctor_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
