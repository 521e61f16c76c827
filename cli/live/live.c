/* SPDX-License-Identifier: MIT */
/* profrun's side of --live. It never waits long for the viewer, which may be naming something. */

#include "cli/live/live.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cpu_time.h"
#include "cli/live/screen.h"
#include "cli/live/viewer.h"
#include "cli/live/wire.h"
#include "symbolize/util.h"

#define PATIENCE_MS 300

struct live {
	struct screen *screen;
	pid_t viewer;
	int wire;
	bool hidden;
};

/* Signals that come before the viewer is ready for them would end it, or the program's run. */
static pid_t fork_viewer(const struct options *options, struct screen *screen, const int ends[2])
{
	pid_t profrun = getpid(), pid;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		viewer_run(screen, options, ends[1], profrun);
	}
	if (pid < 0)
		pid = -errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static int start_viewer(struct live *live, const struct options *options, struct error *err)
{
	int ends[2], r = wire_open(ends);

	if (r < 0)
		return error_set(err, r, "cannot reach another process: ");
	live->wire = ends[0];
	live->viewer = fork_viewer(options, live->screen, ends);
	close(ends[1]);
	return live->viewer < 0 ? error_set(err, live->viewer, "cannot start a process: ") : 0;
}

int live_start(const struct options *options, int poll_fd, struct live **ret_live,
	       struct error *err)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct live *live = calloc(1, sizeof(*live));
	int r;

	if (!live)
		return error_set(err, -ENOMEM, "out of memory");
	live->wire = -1;
	r = screen_open(&live->screen, err);
	if (r == 0)
		r = start_viewer(live, options, err);
	if (r < 0) {
		live_stop(live);
		return r;
	}
	epoll_ctl(poll_fd, EPOLL_CTL_ADD, live->wire, &event);
	*ret_live = live;
	return 0;
}

/* Whether the viewer has closed its end in time. */
static bool has_ended(const struct live *live)
{
	struct pollfd end = {.fd = live->wire, .events = POLLRDHUP};

	return poll(&end, 1, PATIENCE_MS) > 0;
}

void live_stop(struct live *live)
{
	if (!live)
		return;
	if (live->viewer > 0) {
		shutdown(live->wire, SHUT_WR);
		if (!has_ended(live))
			kill(live->viewer, SIGKILL);
		waitpid(live->viewer, NULL, 0);
	}
	if (live->wire >= 0)
		close(live->wire);
	screen_close(live->screen);
	free(live);
}

static void say(const struct live *live, enum wire_word word)
{
	const struct wire_message message = {.word = word};

	wire_send(live->wire, &message, -1);
}

/* How the viewer ended, whose end of the wire is closed. */
static enum live_need find_end(struct live *live)
{
	int status = 0;

	waitpid(live->viewer, &status, 0);
	live->viewer = 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? LIVE_OVER : LIVE_DEAD;
}

enum live_need live_look(struct live *live)
{
	enum live_need need = LIVE_CONTENT;
	struct wire_message message;
	int fd, r;

	if (live->hidden)
		say(live, WIRE_SHOW);
	live->hidden = false;
	while ((r = wire_receive(live->wire, &message, &fd)) > 0) {
		if (fd >= 0)
			close(fd);
		if (message.word == WIRE_ASK)
			need = LIVE_ASKS;
	}
	return r < 0 ? find_end(live) : need;
}

/* Takes the snapshot to @file. False: there is none. */
static bool take_snapshot(int (*take)(void *data, int fd), void *data, int file, double *ret_cost)
{
	double before = cpu_time_own();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(take(data, file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return false;
	*ret_cost = cpu_time_seconds(usage.ru_utime) + cpu_time_seconds(usage.ru_stime) +
		    cpu_time_own() - before;
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

void live_answer(struct live *live, int (*take)(void *data, int fd), void *data)
{
	AUTO_CLOSE int file = memfd_create("snapshot", MFD_CLOEXEC);
	struct wire_message message = {.word = WIRE_GIVE};

	if (file >= 0 && take_snapshot(take, data, file, &message.cost))
		wire_send(live->wire, &message, file);
	else
		say(live, WIRE_NOTHING);
}

/* Other words may be on their way when the viewer is told. */
static bool is_hidden(const struct live *live)
{
	struct pollfd wire = {.fd = live->wire, .events = POLLIN};
	struct wire_message message = {.word = WIRE_ASK};
	int fd;

	while (poll(&wire, 1, PATIENCE_MS) > 0) {
		if (wire_receive(live->wire, &message, &fd) < 0 || message.word == WIRE_HIDDEN)
			return true;
	}
	return false;
}

void live_hide(struct live *live)
{
	live->hidden = true;
	say(live, WIRE_HIDE);
	if (!is_hidden(live))
		screen_hide(live->screen);
}
