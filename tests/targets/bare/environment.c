/* SPDX-License-Identifier: MIT */
/* Programs that change their environment, or that of their children. */

#include "tests/targets/bare/bare.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OTHERS "env -0 | tr '\\0' '\\n' | grep -v -e ^LD_PRELOAD= -e ^PROFRUN_ARENA="

static char *const show[] = {(char *)"sh", (char *)"-c", (char *)OTHERS, NULL};

static void show_others(void)
{
	fflush(stdout);
	bare_show("status", WEXITSTATUS(system(OTHERS)));
}

static void cleared(void)
{
	clearenv();
	bare_burn(5);
	show_others();
	bare_show("still empty", !environ || !*environ);
}

static void no_array(void)
{
	environ = NULL;
	show_others();
	bare_show("still none", environ == NULL);
	bare_show("getenv", getenv("PATH") != NULL);
}

static void one_variable(void)
{
	char *environment[] = {(char[]){"ONE=1"}, NULL};

	fflush(stdout);
	execve("/bin/sh", show, environment);
}

static void null_for_exec(void)
{
	fflush(stdout);
	execve("/bin/sh", show, NULL);
}

static bool is_ours(const char *line)
{
	return strncmp(line, "LD_PRELOAD=", strlen("LD_PRELOAD=")) == 0 ||
	       strncmp(line, "PROFRUN_ARENA=", strlen("PROFRUN_ARENA=")) == 0;
}

/* A shell would drop some of them. */
static void entries_without_a_name(void)
{
	char *environment[] = {(char[]){"=x"},	(char[]){"novalue"}, (char[]){""},
			       (char[]){"A=1"}, (char[]){"A=2"},     NULL};
	char line[256];
	FILE *stream;
	int fds[2];

	if (pipe(fds) < 0)
		return;
	fflush(stdout);
	if (fork() == 0) {
		dup2(fds[1], 1);
		execve("/usr/bin/env", (char *[]){(char[]){"env"}, NULL}, environment);
		_exit(127);
	}
	close(fds[1]);
	stream = fdopen(fds[0], "r");
	while (fgets(line, sizeof(line), stream))
		if (!is_ours(line))
			fputs(line, stdout);
	fclose(stream);
	wait(NULL);
}

static void changed(void)
{
	setenv("NEW", "1", 1);
	setenv("PATH", "/usr/bin:/bin", 1);
	putenv((char[]){"PUT=2"});
	unsetenv("HOME");
	bare_burn(5);
	show_others();
}

static void many_entries(void)
{
	char name[16];

	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		setenv(name, "x", 1);
	}
	fflush(stdout);
	bare_show("status", WEXITSTATUS(system(OTHERS " | wc -l")));
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		unsetenv(name);
	}
}

static void own_preload(void)
{
	setenv("LD_PRELOAD", "libm.so.6", 1);
	fflush(stdout);
	bare_show("status",
		  WEXITSTATUS(system("grep -c libm.so /proc/self/maps | grep -vx 0 >/dev/null")));
	unsetenv("LD_PRELOAD");
}

static void emptied_by_env(void)
{
	fflush(stdout);
	bare_show("status", WEXITSTATUS(system("env -i A=1 sh -c \"" OTHERS "\"")));
}

static void read_from_a_command(void)
{
	char line[256];
	FILE *stream;

	clearenv();
	stream = popen(OTHERS, "r");
	while (fgets(line, sizeof(line), stream))
		fputs(line, stdout);
	bare_show("status", WEXITSTATUS(pclose(stream)));
	bare_show("still empty", !environ || !*environ);
}

static void secure_look_up(void)
{
	bare_show("PATH", secure_getenv("PATH") != NULL);
	bare_show("none", secure_getenv("NO_SUCH_VARIABLE") != NULL);
}

static const struct bare_case cases[] = {
	{"cleared", cleared},
	{"no array", no_array},
	{"one variable", one_variable},
	{"NULL for exec", null_for_exec},
	{"entries without a name", entries_without_a_name},
	{"changed", changed},
	{"many entries", many_entries},
	{"own preload", own_preload},
	{"emptied by env", emptied_by_env},
	{"read from a command", read_from_a_command},
	{"secure look-up", secure_look_up},
};

BARE_MAIN(cases)
