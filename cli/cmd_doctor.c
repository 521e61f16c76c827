/* SPDX-License-Identifier: MIT */
/* `profrun doctor [PROGRAM]`: what works here, for this program, and what would help. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/message.h"
#include "cli/report/terminal.h"
#include "symbolize/util.h"

#define NAME_COLUMNS 14

void doctor_find(struct doctor_finding *finding, enum doctor_verdict verdict, const char *format,
		 ...)
{
	va_list arguments;

	finding->verdict = verdict;
	va_start(arguments, format);
	vsnprintf(finding->text, sizeof(finding->text), format, arguments);
	va_end(arguments);
}

void doctor_hint(struct doctor_finding *finding, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding->hint, sizeof(finding->hint), format, arguments);
	va_end(arguments);
}

static void print_text(const struct terminal *terminal, const char *start, const char *text)
{
	AUTO_FREE char *shown = terminal_text(terminal, text, 0);

	printf("%s%s\n", start, shown ? shown : "?");
}

static void print_finding(const struct terminal *terminal, const char *name,
			  const struct doctor_finding *finding)
{
	static const char *const words[] = {
		[DOCTOR_FINE] = "ok",
		[DOCTOR_LESS] = "less",
		[DOCTOR_FAILS] = "no",
	};
	enum style style = finding->verdict == DOCTOR_FINE ? STYLE_FAINT : STYLE_HOT;

	printf("%s%-4s%s  %-*s  ", terminal_style(terminal, style), words[finding->verdict],
	       terminal_style(terminal, STYLE_PLAIN), NAME_COLUMNS, name);
	print_text(terminal, "", finding->text);
	if (finding->hint[0]) {
		printf("%*s", NAME_COLUMNS + 8, "");
		print_text(terminal, "try: ", finding->hint);
	}
}

/* Prints all findings; returns the worst verdict. */
static enum doctor_verdict print_all(const struct terminal *terminal,
				     const struct doctor_check *(*check_at)(size_t),
				     const struct doctor_program *program)
{
	enum doctor_verdict worst = DOCTOR_FINE;
	const struct doctor_check *check;

	for (size_t i = 0; (check = check_at(i)); i++) {
		struct doctor_finding finding = {.verdict = DOCTOR_NOTHING};

		check->look(program, &finding);
		if (finding.verdict == DOCTOR_NOTHING)
			continue;
		print_finding(terminal, check->name, &finding);
		if (finding.verdict > worst)
			worst = finding.verdict;
	}
	return worst;
}

static void print_machine(const struct terminal *terminal)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname system = {0};

	uname(&system);
	printf("profrun " PROFRUN_VERSION " on %s, %s %s, %s, %ld CPU%s\n", system.nodename,
	       system.sysname, system.release, system.machine, cpus, cpus == 1 ? "" : "s");
	print_all(terminal, doctor_machine_at, NULL);
}

/* 0: it can be profiled here; 1: not, or its own code is not seen. */
static int print_program(const struct terminal *terminal, const char *name)
{
	struct preflight preflight;
	struct doctor_program program = {.preflight = &preflight};
	int status = EXIT_SUCCESS;

	preflight_examine(name, &preflight);
	program.path = preflight.interpreter ? preflight.interpreter : preflight.path;
	program.readable = program.path && doctor_elf_read(program.path, &program.elf);
	if (preflight.verdict == PREFLIGHT_NOT_FOUND) {
		message_print("%s%s%s", preflight.reason, preflight.hint[0] ? "; " : "",
			      preflight.hint);
		status = EXIT_NOT_FOUND;
	} else {
		print_text(terminal, "\n", preflight.path ? preflight.path : name);
		if (print_all(terminal, doctor_program_at, &program) == DOCTOR_FAILS)
			status = EXIT_FAILURE;
	}
	preflight_done(&preflight);
	return status;
}

int cmd_doctor(const struct options *options)
{
	struct terminal terminal;
	int status = EXIT_SUCCESS;

	if (options->argv[0] && options->argv[1]) {
		message_print("doctor looks at one program, without arguments: 'profrun doctor "
			      "%.60s'",
			      options->argv[0]);
		return EXIT_PROFRUN;
	}
	terminal_examine(STDOUT_FILENO, options->color, &terminal);
	print_machine(&terminal);
	if (options->argv[0])
		status = print_program(&terminal, options->argv[0]);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	message_print("cannot write to stdout: %m");
	return EXIT_PROFRUN;
}
