/* SPDX-License-Identifier: MIT */
/*
 * The child shares profrun's memory until it executes the target: copying the page tables of a
 * process that has loaded a dozen libraries takes a quarter of the time that execution takes
 * anyway. profrun goes on meanwhile, so the child calls nothing that could set errno.
 *
 * One socket carries "go" to the child and, when the target cannot be executed, the reason back;
 * it closes when it can.
 */

#include "cli/launch/launch_child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/launch/raw_syscall.h"
#include "symbolize/util.h"

#define STACK_SIZE (64 * 1024)

struct child_failure {
	int code; /* negative errno */
	bool by_hook;
};

/* Returns the status to exit with; _exit(2) would let sanitizers look for profrun's stack. */
static int fail(const struct launch_child *child, int code, bool by_hook)
{
	struct child_failure failure = {.code = code, .by_hook = by_hook};

	raw_syscall(SYS_write, child->own_fd, (long)&failure, sizeof(failure), 0);
	return 127;
}

/* One of another machine, say: a shell would only complain about its letters. */
static bool is_elf(const char *path)
{
	long fd = raw_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
	char magic[SELFMAG];
	long length = raw_syscall(SYS_read, fd, (long)magic, sizeof(magic), 0);

	raw_syscall(SYS_close, fd, 0, 0, 0);
	return length == (long)sizeof(magic) && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

static int execute(const char *path, char **argv, char **environment)
{
	return (int)raw_syscall(SYS_execve, (long)path, (long)argv, (long)environment, 0);
}

static int become_target(void *data)
{
	const struct launch_child *child = data;
	const struct launch_target *target = child->target;
	int code = 0;
	char go;

	raw_syscall(SYS_close, child->fd, 0, 0, 0);
	if (raw_syscall(SYS_read, child->own_fd, (long)&go, 1, 0) != 1)
		return 127;
	if (child->hooks->child)
		code = child->hooks->child(child->hooks->data);
	if (code < 0)
		return fail(child, code, true);
	launch_signals_restore(child->signals);
	code = execute(target->path, target->argv, target->environment);
	if (code == -ENOEXEC && !is_elf(target->path))
		code = execute(child->shell_argv[0], child->shell_argv, target->environment);
	return fail(child, code, false);
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

static int connect_child(struct launch_child *child)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	child->fd = fds[0];
	child->own_fd = fds[1];
	return 0;
}

int launch_child_start(struct launch_child *child, const struct launch_target *target,
		       const struct launch_hooks *hooks, const struct launch_signals *signals)
{
	int code;

	*child = (struct launch_child){
		.target = target,
		.hooks = hooks,
		.signals = signals,
		.fd = -1,
		.stack = MAP_FAILED,
	};
	child->shell_argv = make_shell_argv(target);
	child->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (!child->shell_argv || child->stack == MAP_FAILED)
		return -ENOMEM;
	code = connect_child(child);
	if (code < 0)
		return code;
	child->pid =
		clone(become_target, (char *)child->stack + STACK_SIZE, CLONE_VM | SIGCHLD, child);
	code = child->pid < 0 ? -errno : 0;
	close(child->own_fd);
	return code;
}

void launch_child_go(struct launch_child *child)
{
	send(child->fd, "", 1, MSG_NOSIGNAL);
}

int launch_child_failure(struct launch_child *child, struct error *err)
{
	const char *path = child->target->path;
	struct child_failure failure;
	ssize_t length;

	length = recv(child->fd, &failure, sizeof(failure), MSG_DONTWAIT);
	if (length != (ssize_t)sizeof(failure))
		return 0;
	if (failure.by_hook)
		return error_set(err, failure.code, "cannot prepare '%s': ", path);
	if (failure.code == -ENOENT && access(path, F_OK) == 0)
		return error_set(err, failure.code,
				 "cannot run '%s': the interpreter that it names does not exist",
				 path);
	if (failure.code == -ELOOP && access(path, F_OK) == 0)
		return error_set(err, failure.code,
				 "cannot run '%s': its interpreter is a script in its turn, and so "
				 "on; let the first line name a program",
				 path);
	return error_set(err, failure.code, "cannot run '%s': ", path);
}

void launch_child_done(struct launch_child *child)
{
	if (child->fd >= 0)
		close(child->fd);
	if (child->stack != MAP_FAILED)
		munmap(child->stack, STACK_SIZE);
	free(child->shell_argv);
}
