/* SPDX-License-Identifier: MIT */
/*
 * A plain fork: measured against a child that shares profrun's memory it costs a tenth of the
 * time that execution takes anyway, and the caller's code in the child may be ordinary code. One
 * socket carries "go" to the child and, when the target cannot be executed, the reason back; it
 * closes when it can.
 */

#include "cli/launch_child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "symbolize/util.h"

struct child_failure {
	int code; /* negative errno */
	bool by_hook;
};

static _Noreturn void fail(int fd, int code, bool by_hook)
{
	struct child_failure failure = {.code = code, .by_hook = by_hook};

	send(fd, &failure, sizeof(failure), MSG_NOSIGNAL);
	_exit(127);
}

/* One of another machine, say: a shell would only complain about its letters. */
static bool is_elf(const char *path)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[SELFMAG];

	return read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

static _Noreturn void become_target(const struct launch_child *child,
				    const struct launch_target *target,
				    const struct launch_hooks *hooks,
				    const struct launch_signals *signals)
{
	int code = 0;
	char go;

	if (recv(child->fd, &go, 1, 0) != 1)
		_exit(127);
	if (hooks->child)
		code = hooks->child(hooks->data);
	if (code < 0)
		fail(child->fd, code, true);
	launch_signals_restore(signals);
	execve(target->path, target->argv, target->environment);
	code = -errno;
	if (code == -ENOEXEC && !is_elf(target->path)) {
		execve(child->shell_argv[0], child->shell_argv, target->environment);
		code = -errno;
	}
	fail(child->fd, code, false);
}

/* { "/bin/sh", path, argv[1], ..., NULL } */
static char **make_shell_argv(const struct launch_target *target)
{
	size_t count = 0;
	char **argv;

	while (target->argv[count])
		count++;
	argv = calloc(count + 3, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = (char *)"/bin/sh";
	argv[1] = (char *)target->path;
	for (size_t i = 1; i < count; i++)
		argv[i + 1] = target->argv[i];
	return argv;
}

int launch_child_start(struct launch_child *child, const struct launch_target *target,
		       const struct launch_hooks *hooks, const struct launch_signals *signals)
{
	int fds[2];

	child->fd = -1;
	child->shell_argv = make_shell_argv(target);
	if (!child->shell_argv)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	child->pid = fork();
	if (child->pid == 0) {
		close(fds[0]);
		child->fd = fds[1];
		become_target(child, target, hooks, signals);
	}
	close(fds[1]);
	child->fd = fds[0];
	return child->pid < 0 ? -errno : 0;
}

void launch_child_go(struct launch_child *child)
{
	send(child->fd, "", 1, MSG_NOSIGNAL);
}

int launch_child_failure(struct launch_child *child, const struct launch_target *target,
			 struct error *err)
{
	struct child_failure failure;
	ssize_t length;

	length = recv(child->fd, &failure, sizeof(failure), MSG_DONTWAIT);
	if (length != (ssize_t)sizeof(failure))
		return 0;
	if (failure.by_hook)
		return error_set(err, failure.code, "cannot prepare '%s': ", target->path);
	if (failure.code == -ENOENT && access(target->path, F_OK) == 0)
		return error_set(err, failure.code,
				 "cannot run '%s': the interpreter that it names does not exist",
				 target->path);
	return error_set(err, failure.code, "cannot run '%s': ", target->path);
}

void launch_child_done(struct launch_child *child)
{
	if (child->fd >= 0)
		close(child->fd);
	free(child->shell_argv);
}
