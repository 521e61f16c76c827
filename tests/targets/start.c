/* SPDX-License-Identifier: MIT */
/*
 * Starts the program that the second argument names, in the way of the first, and ends with its
 * status; a third argument, "cleared", empties the environment before.
 */

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static int by_exec(char **arguments)
{
	return execv(arguments[0], arguments);
}

static int by_execvp(char **arguments)
{
	return execvp(arguments[0], arguments);
}

static int by_execl(char **arguments)
{
	return execl(arguments[0], arguments[0], (char *)NULL);
}

static int by_execle(char **arguments)
{
	return execle(arguments[0], arguments[0], (char *)NULL, environ);
}

static int by_fexecve(char **arguments)
{
	return fexecve(open(arguments[0], O_RDONLY | O_CLOEXEC), arguments, environ);
}

static int by_execveat(char **arguments)
{
	return execveat(open(arguments[0], O_PATH | O_CLOEXEC), "", arguments, environ,
			AT_EMPTY_PATH);
}

static int by_fork(char **arguments)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(execve(arguments[0], arguments, environ));
	return wait_for(pid);
}

static int by_vfork(char **arguments)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve(arguments[0], arguments, environ);
		_exit(127);
	}
	return wait_for(pid);
}

static int by_posix_spawn(char **arguments)
{
	pid_t pid;

	if (posix_spawn(&pid, arguments[0], NULL, NULL, arguments, environ) != 0)
		return -1;
	return wait_for(pid);
}

static int by_posix_spawnp(char **arguments)
{
	pid_t pid;

	if (posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ) != 0)
		return -1;
	return wait_for(pid);
}

static int by_system(char **arguments)
{
	return system(arguments[0]);
}

static int by_popen(char **arguments)
{
	FILE *stream = popen(arguments[0], "w");

	return stream ? pclose(stream) : -1;
}

static const struct {
	const char *name;
	int (*start)(char **arguments);
} ways[] = {
	{"exec", by_exec},
	{"execvp", by_execvp},
	{"execl", by_execl},
	{"execle", by_execle},
	{"fexecve", by_fexecve},
	{"execveat", by_execveat},
	{"fork", by_fork},
	{"vfork", by_vfork},
	{"posix_spawn", by_posix_spawn},
	{"posix_spawnp", by_posix_spawnp},
	{"system", by_system},
	{"popen", by_popen},
};

int main(int argc, char **argv)
{
	int status;

	if (argc < 3)
		return 125;
	if (argc > 3 && strcmp(argv[3], "cleared") == 0)
		clearenv();
	argv[3] = NULL;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name) != 0)
			continue;
		status = ways[i].start(argv + 2);
		return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
	}
	return 125;
}
