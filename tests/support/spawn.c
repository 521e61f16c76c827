/* SPDX-License-Identifier: MIT */
/* Child processes of tests. Streams are kept in memory files, so that no pipe can fill up. */

#include "tests/support/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/util.h"

int spawn_start(char *const argv[], char *const environment[], pid_t *ret_pid)
{
	return -posix_spawnp(ret_pid, argv[0], NULL, NULL, argv,
			     environment ? environment : environ);
}

static int spawn_captured(char *const argv[], char *const environment[], int output, int errors,
			  pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int r;

	r = posix_spawn_file_actions_init(&actions);
	if (r)
		return -r;
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	r = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv,
			 environment ? environment : environ);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int read_whole(int fd, char **ret_text, size_t *ret_size)
{
	AUTO_FREE char *text = NULL;
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	text = malloc((size_t)status.st_size + 1);
	if (!text)
		return -ENOMEM;
	if (pread(fd, text, (size_t)status.st_size, 0) != status.st_size)
		return -EIO;
	text[status.st_size] = '\0';
	*ret_size = (size_t)status.st_size;
	*ret_text = steal_ptr(text);
	return 0;
}

static int wait_for(pid_t pid, int *ret_status)
{
	while (waitpid(pid, ret_status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int spawn_run(char *const argv[], char *const environment[], struct spawn_result *ret_result)
{
	AUTO_CLOSE int output = memfd_create("stdout", MFD_CLOEXEC);
	AUTO_CLOSE int errors = memfd_create("stderr", MFD_CLOEXEC);
	struct spawn_result result = {0};
	pid_t pid;
	int r;

	if (output < 0 || errors < 0)
		return -errno;
	r = spawn_captured(argv, environment, output, errors, &pid);
	if (r < 0)
		return r;
	r = wait_for(pid, &result.wait_status);
	if (r == 0)
		r = read_whole(output, &result.output, &result.output_size);
	if (r == 0)
		r = read_whole(errors, &result.errors, &result.errors_size);
	if (r < 0) {
		spawn_done(&result);
		return r;
	}
	*ret_result = result;
	return 0;
}

void spawn_done(struct spawn_result *result)
{
	free(result->output);
	free(result->errors);
	*result = (struct spawn_result){0};
}
