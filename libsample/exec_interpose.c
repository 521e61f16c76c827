/* SPDX-License-Identifier: MIT */
/*
 * The exec family. The next image gets an environment that lets the preload in, or keeps it out
 * where it would do harm; one that it cannot enter is noted, so that profrun can name it; a
 * profil(3) of the C library is stopped, because its timer would kill the new image; and a thread
 * that believes it blocks our signal really does, since the mask is inherited.
 *
 * These functions may run in the child of vfork(2), which shares the parent's memory: nothing is
 * written there, no lock taken, nothing allocated.
 */

#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "libsample/exec.h"
#include "libsample/export.h"
#include "libsample/follow.h"
#include "libsample/image.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/probe.h"
#include "libsample/program.h"
#include "libsample/ticks_libc.h"

static struct {
	int (*execve)(const char *, char *const[], char *const[]);
	int (*execvpe)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	int (*execveat)(int, const char *, char *const[], char *const[], int);
} real;

void exec_resolve(void)
{
	*(void **)&real.execve = next_find("execve");
	*(void **)&real.execvpe = next_find("execvpe");
	*(void **)&real.fexecve = next_find("fexecve");
	*(void **)&real.execveat = next_find("execveat");
}

struct attempt {
	struct arena_image *image; /* NULL: not profiled, or the child of a vfork */
	struct arena_unentered *unentered;
	bool blocks, enters;
	size_t room; /* bytes for the environment */
};

/* What this image was before it became what profrun finds at its end. */
static void note_exec(struct arena_image *image, const char *path)
{
	size_t length = strlen(path);

	if (length >= sizeof(image->exec_path))
		length = sizeof(image->exec_path) - 1;
	memcpy(image->exec_path, path, length);
	image->exec_path[length] = '\0';
	atomic_store(&image->executing_cpu, image_cpu());
	atomic_store(&image->executing, 1);
	ticks_libc_pause();
}

/* Without anything to do, nothing is looked at. */
static void examine(int directory, const char *path, struct program *program)
{
	*program = (struct program){.kind = PROGRAM_OPEN};
	if (follow_is_on() || image_current())
		program_examine(directory, path, program);
}

static void examine_search(const char *file, struct program *program)
{
	*program = (struct program){.kind = PROGRAM_OPEN};
	if (follow_is_on() || image_current())
		program_search(file, program);
}

static void examine_open(int fd, struct program *program)
{
	*program = (struct program){.kind = PROGRAM_OPEN};
	if (follow_is_on() || image_current())
		program_examine_open(fd, program);
}

static struct attempt before(const char *path, const struct program *program,
			     char *const environment[])
{
	struct attempt attempt = {.enters = program->kind != PROGRAM_FOREIGN && follow_can_load()};

	if (!real.execve)
		exec_resolve();
	/* Neither can the path be counted on to be one. */
	if (program->kind == PROGRAM_NONE)
		return attempt;
	attempt.blocks = mask_thread_blocks();
	attempt.room = follow_room(environment, attempt.enters);
	if (image_is_own()) {
		attempt.image = image_current();
		note_exec(attempt.image, *program->path ? program->path : path);
		/* A probe that is on its way would meet the next image without a handler. */
		attempt.blocks |= !probe_settle();
	} else if (program->kind == PROGRAM_CLOSED || program->kind == PROGRAM_FOREIGN) {
		attempt.unentered = image_unentered(program->path);
	}
	if (attempt.blocks)
		mask_block();
	return attempt;
}

/* The exec failed: everything is as before; errno is the exec's. */
static int after(const struct attempt *attempt)
{
	int error = errno;

	if (attempt->image) {
		atomic_store(&attempt->image->executing, 0);
		ticks_libc_resume();
	}
	if (attempt->unentered)
		atomic_fetch_sub(&attempt->unentered->times, 1);
	if (attempt->blocks)
		mask_restore(false);
	errno = error;
	return -1;
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
	struct attempt attempt;
	struct program program;
	void *room;

	examine(AT_FDCWD, path, &program);
	attempt = before(path, &program, environment);
	room = alloca(attempt.room);
	real.execve(path, arguments, follow_fit(environment, attempt.enters, room, attempt.room));
	return after(&attempt);
}

EXPORT int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, __environ);
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	struct attempt attempt;
	struct program program;
	void *room;

	examine_search(file, &program);
	attempt = before(file, &program, environment);
	room = alloca(attempt.room);
	real.execvpe(file, arguments, follow_fit(environment, attempt.enters, room, attempt.room));
	return after(&attempt);
}

EXPORT int execvp(const char *file, char *const arguments[])
{
	return execvpe(file, arguments, __environ);
}

EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
	struct attempt attempt;
	struct program program;
	void *room;

	examine_open(fd, &program);
	attempt = before("", &program, environment);
	room = alloca(attempt.room);
	real.fexecve(fd, arguments, follow_fit(environment, attempt.enters, room, attempt.room));
	return after(&attempt);
}

EXPORT int execveat(int directory, const char *path, char *const arguments[],
		    char *const environment[], int flags)
{
	struct attempt attempt;
	struct program program;
	void *room;

	examine(directory, path, &program);
	if (program.kind == PROGRAM_NONE && (flags & AT_EMPTY_PATH))
		examine_open(directory, &program);
	attempt = before(path, &program, environment);
	room = alloca(attempt.room);
	real.execveat(directory, path, arguments,
		      follow_fit(environment, attempt.enters, room, attempt.room), flags);
	return after(&attempt);
}

static size_t count_arguments(va_list list)
{
	size_t count = 1;

	while (va_arg(list, char *))
		count++;
	return count;
}

/* The list's arguments, @first before them, the NULL behind them. */
static void take_arguments(const char *first, va_list *list, char **arguments, size_t count)
{
	arguments[0] = (char *)(uintptr_t)first;
	for (size_t i = 1; i <= count; i++)
		arguments[i] = va_arg(*list, char *);
}

/* In the caller's frame, since it lives on the stack until the exec. */
#define ARGUMENTS_FROM_LIST(first, arguments, list)                        \
	do {                                                               \
		size_t count_;                                             \
		va_start(list, first);                                     \
		count_ = count_arguments(list);                            \
		va_end(list);                                              \
		(arguments) = alloca((count_ + 1) * sizeof(*(arguments))); \
		va_start(list, first);                                     \
		take_arguments(first, &(list), arguments, count_);         \
	} while (0)

EXPORT int execl(const char *path, const char *argument, ...)
{
	char **arguments;
	va_list list;

	ARGUMENTS_FROM_LIST(argument, arguments, list);
	va_end(list);
	return execv(path, arguments);
}

EXPORT int execlp(const char *file, const char *argument, ...)
{
	char **arguments;
	va_list list;

	ARGUMENTS_FROM_LIST(argument, arguments, list);
	va_end(list);
	return execvp(file, arguments);
}

EXPORT int execle(const char *path, const char *argument, ...)
{
	char **arguments, **environment;
	va_list list;

	ARGUMENTS_FROM_LIST(argument, arguments, list);
	environment = va_arg(list, char **);
	va_end(list);
	return execve(path, arguments, environment);
}
