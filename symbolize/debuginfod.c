/* SPDX-License-Identifier: MIT */
/*
 * Fetching with a time budget: the library calls us back at least once a second, also while it
 * waits for a server that does not answer, and stops when it is told to.
 */

#include "symbolize/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct debuginfod_client; /* the library's */

static struct {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find)(struct debuginfod_client *client, const unsigned char *id, int id_size,
		    char **ret_path);
	void (*set_progress)(struct debuginfod_client *client,
			     int (*progress)(struct debuginfod_client *client, long a, long b));
} library;

static double seconds_left;
static double deadline;
static volatile sig_atomic_t stopped;
static void (*watch)(const char *path, long received);
static const char *watched; /* the object whose file is being fetched */
static char failure[128];   /* "": none yet */

void sym_allow_fetching(double seconds)
{
	seconds_left = seconds;
}

void sym_stop_fetching(void)
{
	stopped = 1;
}

void sym_watch_fetching(void (*new_watch)(const char *path, long received))
{
	watch = new_watch;
}

const char *sym_fetching_failure(void)
{
	return failure[0] ? failure : NULL;
}

static void fail(struct notes *notes, const char *what, const char *why)
{
	snprintf(failure, sizeof(failure), "%s: %s", what, why);
	notes_add(notes, "%s", failure);
}

static void tell(const char *path, long received)
{
	if (watch)
		watch(path, received);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int look_up(struct debuginfod_client *unused, long received, long total)
{
	(void)unused;
	tell(watched, total > 0 ? received : 0);
	return stopped || now() >= deadline;
}

/* The objects of a process share one copy of the library, which is never unloaded. */
static bool load_library(void)
{
	void *handle;

	if (library.begin)
		return true;
	handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return false;
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
	*(void **)&library.find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.set_progress = dlsym(handle, "debuginfod_set_progressfn");
	if (library.end && library.find && library.set_progress)
		*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	if (!library.begin)
		dlclose(handle);
	return library.begin;
}

static char *find(const struct sym_build_id *id, int *ret_code)
{
	struct debuginfod_client *client = library.begin();
	char *path = NULL;

	*ret_code = -ENOMEM;
	if (!client)
		return NULL;
	library.set_progress(client, look_up);
	*ret_code = library.find(client, id->bytes, (int)id->size, &path);
	library.end(client);
	if (*ret_code >= 0)
		close(*ret_code);
	return path;
}

static char *fetch(const char *object_path, const struct sym_build_id *id, struct notes *notes)
{
	const double start = now();
	char *path;
	int code;

	if (seconds_left <= 0 || stopped || id->size == 0)
		return NULL;
	if (!load_library()) {
		fail(notes, "nothing is fetched", "libdebuginfod is not installed");
		return NULL;
	}
	deadline = start + seconds_left;
	watched = object_path;
	tell(object_path, 0);
	path = find(id, &code);
	tell(NULL, 0);
	seconds_left -= now() - start;
	if (stopped)
		fail(notes, "not all debug files are fetched", "interrupted");
	else if (seconds_left <= 0)
		fail(notes, "not all debug files are fetched", "the time for it is over");
	else if (code == -ENOSYS)
		fail(notes, "nothing is fetched", "DEBUGINFOD_URLS names no server");
	else if (code < 0 && code != -ENOENT)
		fail(notes, "debug files are not fetched", strerror(-code));
	return path;
}

/* Objects of several threads share the budget. */
char *debuginfod_fetch(const char *object_path, const struct sym_build_id *id, struct notes *notes)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char *path;

	pthread_mutex_lock(&lock);
	path = fetch(object_path, id, notes);
	pthread_mutex_unlock(&lock);
	return path;
}
