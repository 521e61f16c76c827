/* SPDX-License-Identifier: MIT */
/*
 * Children that the C library makes itself: it executes without our wrappers of exec. posix_spawn
 * takes an environment; system and popen take the program's own, which is lent to them with our
 * entries where the program had removed them.
 */

#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libsample/exec.h"
#include "libsample/export.h"
#include "libsample/follow.h"
#include "libsample/image.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/program.h"

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const[], char *const[]);

static struct {
	spawn_function *posix_spawn, *posix_spawnp;
	int (*system)(const char *);
	FILE *(*popen)(const char *, const char *);
} real;

void spawn_resolve(void)
{
	*(void **)&real.posix_spawnp = next_find("posix_spawnp");
	*(void **)&real.system = next_find("system");
	*(void **)&real.popen = next_find("popen");
	*(void **)&real.posix_spawn = next_find("posix_spawn");
}

/* A constructor that ran before ours may come here first. */
static void ensure_resolved(void)
{
	if (!real.posix_spawn)
		spawn_resolve();
}

struct call {
	pid_t *ret_pid;
	const char *path;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
	char *const *arguments, *const *environment;
};

static int spawn(spawn_function *function, const struct call *call, const struct program *program)
{
	bool enters = program->kind != PROGRAM_FOREIGN && follow_can_load();
	bool blocks = mask_thread_blocks();
	size_t size = follow_room(call->environment, enters);
	char **environment = follow_fit(call->environment, enters, alloca(size), size);
	struct arena_unentered *unentered = *program->path ? image_unentered(program->path) : NULL;
	int r;

	/* The child inherits what the caller believes of our signal. */
	if (blocks)
		mask_block();
	r = function(call->ret_pid, call->path, call->actions, call->attributes, call->arguments,
		     environment);
	if (blocks)
		mask_restore(false);
	if (r != 0 && unentered)
		atomic_fetch_sub(&unentered->times, 1);
	return r;
}

EXPORT int posix_spawn(pid_t *ret_pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const arguments[],
		       char *const environment[])
{
	const struct call call = {ret_pid, path, actions, attributes, arguments, environment};
	struct program program = {.kind = PROGRAM_OPEN};

	ensure_resolved();
	if (follow_is_on())
		program_examine(AT_FDCWD, path, &program);
	return spawn(real.posix_spawn, &call, &program);
}

EXPORT int posix_spawnp(pid_t *ret_pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const arguments[],
			char *const environment[])
{
	const struct call call = {ret_pid, file, actions, attributes, arguments, environment};
	struct program program = {.kind = PROGRAM_OPEN};

	ensure_resolved();
	if (follow_is_on())
		program_search(file, &program);
	return spawn(real.posix_spawnp, &call, &program);
}

/* The program's environment while a function reads it. */
struct loan {
	char **own, **fitted;
};

static void end_loan(void *data)
{
	const struct loan *loan = data;

	/* Another thread may have made itself a new one meanwhile. */
	if (__environ == loan->fitted)
		__environ = loan->own;
}

EXPORT int system(const char *command)
{
	bool enters = follow_can_load();
	size_t size = follow_room(__environ, enters);
	struct loan loan = {.own = __environ};
	int r;

	ensure_resolved();
	if (size == 0)
		return real.system(command);
	loan.fitted = follow_fit(__environ, enters, alloca(size), size);
	__environ = loan.fitted;
	pthread_cleanup_push(end_loan, &loan);
	r = real.system(command);
	pthread_cleanup_pop(1);
	return r;
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	bool enters = follow_can_load();
	size_t size = follow_room(__environ, enters);
	struct loan loan = {.own = __environ};
	FILE *stream;

	ensure_resolved();
	if (size == 0)
		return real.popen(command, mode);
	loan.fitted = follow_fit(__environ, enters, alloca(size), size);
	__environ = loan.fitted;
	stream = real.popen(command, mode);
	end_loan(&loan);
	return stream;
}
