/* SPDX-License-Identifier: MIT */
/*
 * The exec family. The image says which program it is about to become, so that one which the
 * preload cannot enter (a static program) is named; a profil(3) of the C library is stopped,
 * because its timer would kill the new image; and a thread that believes it blocks our signal
 * really does, since the mask is inherited.
 *
 * These functions may run in the child of vfork(2), which shares the parent's memory: nothing is
 * written there, no lock taken, nothing allocated.
 */

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "libsample/exec.h"
#include "libsample/export.h"
#include "libsample/image.h"
#include "libsample/mask.h"
#include "libsample/sys.h"
#include "libsample/ticks_libc.h"

static struct {
	int (*execv)(const char *, char *const[]);
	int (*execve)(const char *, char *const[], char *const[]);
	int (*execvp)(const char *, char *const[]);
	int (*execvpe)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	int (*execveat)(int, const char *, char *const[], char *const[], int);
} real;

void exec_resolve(void)
{
	*(void **)&real.execv = dlsym(RTLD_NEXT, "execv");
	*(void **)&real.execve = dlsym(RTLD_NEXT, "execve");
	*(void **)&real.execvp = dlsym(RTLD_NEXT, "execvp");
	*(void **)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
	*(void **)&real.fexecve = dlsym(RTLD_NEXT, "fexecve");
	*(void **)&real.execveat = dlsym(RTLD_NEXT, "execveat");
}

struct attempt {
	struct arena_image *image; /* NULL: not profiled, or the child of a vfork */
	bool blocks;
};

static struct attempt before(const char *path)
{
	struct attempt attempt = {.blocks = mask_thread_blocks()};
	size_t length = strlen(path);

	if (!real.execve)
		exec_resolve();
	if (image_is_own())
		attempt.image = image_current();
	if (attempt.blocks)
		mask_block();
	if (!attempt.image)
		return attempt;
	if (length >= sizeof(attempt.image->exec_path))
		length = sizeof(attempt.image->exec_path) - 1;
	memcpy(attempt.image->exec_path, path, length);
	attempt.image->exec_path[length] = '\0';
	atomic_store(&attempt.image->executing_cpu, image_cpu());
	atomic_store(&attempt.image->executing, 1);
	ticks_libc_pause();
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
	if (attempt->blocks)
		mask_restore(false);
	errno = error;
	return -1;
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
	struct attempt attempt = before(path);

	real.execve(path, arguments, environment);
	return after(&attempt);
}

EXPORT int execv(const char *path, char *const arguments[])
{
	struct attempt attempt = before(path);

	real.execv(path, arguments);
	return after(&attempt);
}

EXPORT int execvp(const char *file, char *const arguments[])
{
	struct attempt attempt = before(file);

	real.execvp(file, arguments);
	return after(&attempt);
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	struct attempt attempt = before(file);

	real.execvpe(file, arguments, environment);
	return after(&attempt);
}

EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
	struct attempt attempt = before("");

	real.fexecve(fd, arguments, environment);
	return after(&attempt);
}

EXPORT int execveat(int directory, const char *path, char *const arguments[],
		    char *const environment[], int flags)
{
	struct attempt attempt = before(path);

	real.execveat(directory, path, arguments, environment, flags);
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
