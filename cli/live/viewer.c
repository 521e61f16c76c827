/* SPDX-License-Identifier: MIT */
/*
 * What the view costs, profrun's part included, is kept below one hundredth of a CPU: where a
 * refresh costs more than five milliseconds the next one comes later.
 */

#include "cli/live/viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/cpu_time.h"
#include "cli/live/known_names.h"
#include "cli/live/recent.h"
#include "cli/live/snapshot.h"
#include "cli/live/view.h"
#include "cli/live/wire.h"
#include "cli/monotonic.h"
#include "cli/progress.h"
#include "symbolize/util.h"

#define FIRST_SECONDS  0.3 /* programs that end sooner are not worth a view */
#define PERIOD_SECONDS 0.5
#define LATEST_SECONDS 5
#define COST_MAX       0.009 /* of a CPU */
#define COST_FREE      0.03  /* seconds that may be used ahead, for the first names */

struct viewer {
	struct screen *screen;
	const struct options *options;
	int wire;
	pid_t parent;
	struct view *view;
	struct known_names *names[2]; /* those of functions alone, and with lines */
	struct recent *recent;	      /* snapshots: the last one, and some before */
	bool asked;		      /* an answer is to come */
	bool hidden;		      /* by profrun's wish */
	bool drawn;
	double start, next; /* when the view began, when to ask; on the monotonic clock */
	/* Seconds of CPU time: what profrun's part has cost, what the user's keys have. */
	double answers, wishes;
};

/* When what the view has cost by now will be within its limit again. */
static double choose_next(const struct viewer *viewer, double now)
{
	double cost = viewer->answers + cpu_time_own() - viewer->wishes - COST_FREE;
	double paid = viewer->start + cost / COST_MAX;

	if (paid < now + PERIOD_SECONDS)
		return now + PERIOD_SECONDS;
	return paid > now + LATEST_SECONDS ? now + LATEST_SECONDS : paid;
}

static void examine(const struct viewer *viewer, size_t columns, struct terminal *ret_terminal)
{
	terminal_examine(screen_fd(viewer->screen), viewer->options->color, ret_terminal);
	ret_terminal->width = columns;
}

static void draw(struct viewer *viewer)
{
	struct terminal terminal;
	AUTO_FREE char *text = NULL;
	size_t columns, lines, spare;

	if (viewer->hidden || !viewer->drawn || !screen_show(viewer->screen) ||
	    !screen_size(viewer->screen, &columns, &lines))
		return;
	examine(viewer, columns, &terminal);
	spare = screen_spare_lines(viewer->screen);
	text = screen_is_line(viewer->screen) ? view_write_line(viewer->view, &terminal)
					      : view_write(viewer->view, &terminal, lines - spare,
							   screen_has_keys(viewer->screen));
	if (text)
		screen_draw(viewer->screen, text);
}

static void ask(struct viewer *viewer)
{
	const struct wire_message message = {.word = WIRE_ASK};

	if (!viewer->asked && wire_send(viewer->wire, &message, -1) == 0)
		viewer->asked = true;
}

/* The names that the view needs, which are made when they are needed first; NULL: no memory. */
static struct known_names *choose_names(struct viewer *viewer)
{
	unsigned flags = view_name_flags(viewer->view);
	struct known_names **names = &viewer->names[flags & SYM_LINES ? 1 : 0];

	if (!*names)
		*names = known_names_new(flags, viewer->parent);
	return *names;
}

/* Leaves in @profile what is as recent as the view wants it. */
static int choose_recent(const struct viewer *viewer, struct profile *profile)
{
	int fd = view_is_recent(viewer->view) ? recent_earlier(viewer->recent) : -1;
	struct profile *earlier;
	int r = fd < 0 ? 0 : snapshot_read(fd, &earlier);

	if (r < 0 || fd < 0)
		return r;
	r = recent_subtract(profile, earlier);
	profile_free(earlier);
	return r;
}

/* Shows @profile, which it takes over. */
static void show(struct viewer *viewer, struct profile *profile)
{
	struct known_names *names = choose_names(viewer);
	struct error err;

	if (!names || choose_recent(viewer, profile) < 0 ||
	    known_names_find(names, profile, &err) < 0) {
		profile_free(profile);
		return;
	}
	view_set_profile(viewer->view, profile);
	viewer->drawn = true;
	draw(viewer);
}

/* The last snapshot, as a key wants it to be seen, for which nothing else has to wait later. */
static void show_again(struct viewer *viewer)
{
	double before = cpu_time_own();
	struct profile *profile;

	if (recent_newest(viewer->recent) >= 0 &&
	    snapshot_read(recent_newest(viewer->recent), &profile) == 0)
		show(viewer, profile);
	viewer->wishes += cpu_time_own() - before;
}

static void take_answer(struct viewer *viewer, const struct wire_message *message, int fd)
{
	struct profile *profile;

	viewer->asked = false;
	viewer->answers += message->cost;
	if (fd >= 0 && snapshot_read(fd, &profile) == 0) {
		recent_keep(viewer->recent, fd, profile->elapsed_seconds);
		show(viewer, profile);
	} else if (fd >= 0) {
		close(fd);
	}
	viewer->next = choose_next(viewer, monotonic_seconds());
}

static void hide(struct viewer *viewer)
{
	const struct wire_message message = {.word = WIRE_HIDDEN};

	viewer->hidden = true;
	screen_hide(viewer->screen);
	wire_send(viewer->wire, &message, -1);
}

static _Noreturn void end(struct viewer *viewer)
{
	screen_hide(viewer->screen);
	/* Somebody has to wait for a stopped terminal: profrun, if it is there. */
	if (getppid() != viewer->parent)
		screen_hide_at_last(viewer->screen);
	_exit(EXIT_SUCCESS);
}

/* All that profrun has said. */
static void listen(struct viewer *viewer)
{
	struct wire_message message;
	int fd, r;

	while ((r = wire_receive(viewer->wire, &message, &fd)) > 0) {
		if (message.word == WIRE_HIDE)
			hide(viewer);
		else if (message.word != WIRE_SHOW)
			take_answer(viewer, &message, fd);
		else
			viewer->hidden = viewer->asked = false;
	}
	if (r < 0)
		end(viewer);
}

static void read_keys(struct viewer *viewer)
{
	char text[64];
	ssize_t size = read(screen_fd(viewer->screen), text, sizeof(text));
	enum view_wish wish;

	wish = size > 0 ? view_press(viewer->view, text, (size_t)size) : VIEW_NOTHING;
	if (wish == VIEW_QUIT)
		end(viewer);
	if (wish == VIEW_NAMES)
		show_again(viewer);
	else if (wish != VIEW_NOTHING)
		draw(viewer);
}

static struct timespec time_until(double when)
{
	double seconds = when - monotonic_seconds();

	seconds = seconds > 0 ? seconds : 0;
	return (struct timespec){
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};
}

/* One of the moments at which a view is due. */
static void refresh(struct viewer *viewer)
{
	viewer->next = monotonic_seconds() + PERIOD_SECONDS;
	if (viewer->hidden)
		return;
	/* Another job may have the terminal. */
	if (viewer->drawn && !screen_show(viewer->screen))
		return;
	if (!view_is_paused(viewer->view))
		ask(viewer);
}

static void watch(struct viewer *viewer, const sigset_t *signals)
{
	struct timespec wait = time_until(viewer->next);
	struct pollfd fds[] = {
		{.fd = viewer->wire, .events = POLLIN},
		{.fd = screen_keys_fd(viewer->screen), .events = POLLIN},
	};

	/* The size of the window has changed. */
	if (ppoll(fds, ARRAY_SIZE(fds), &wait, signals) < 0) {
		draw(viewer);
		return;
	}
	if (fds[0].revents)
		listen(viewer);
	/* The terminal is gone. */
	if (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL))
		end(viewer);
	if (fds[1].revents)
		read_keys(viewer);
	if (monotonic_seconds() >= viewer->next)
		refresh(viewer);
}

static struct screen *screen_of_handler;

static void give_back(int number)
{
	(void)number;
	screen_hide_at_last(screen_of_handler);
	_exit(EXIT_SUCCESS);
}

static void do_nothing(int number)
{
	(void)number;
}

/* Of all signals only those that tell of profrun's end and of another size mean the viewer. */
static void prepare_signals(struct screen *screen, sigset_t *ret_waiting)
{
	struct sigaction hangup = {.sa_handler = give_back};
	struct sigaction resize = {.sa_handler = do_nothing};
	sigset_t blocked;

	screen_of_handler = screen;
	sigfillset(&hangup.sa_mask);
	sigaction(SIGHUP, &hangup, NULL);
	sigaction(SIGWINCH, &resize, NULL);
	sigfillset(&blocked);
	sigdelset(&blocked, SIGHUP);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	*ret_waiting = blocked;
	sigdelset(ret_waiting, SIGWINCH);
}

/* The program's files are not the viewer's, whose end others would wait for. */
static void close_others(int keep, int keep_too)
{
	int low = keep < keep_too ? keep : keep_too, high = keep < keep_too ? keep_too : keep;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	syscall(SYS_close_range, 3, low - 1, 0);
	syscall(SYS_close_range, low + 1, high - 1, 0);
	syscall(SYS_close_range, high + 1, ~0U, 0);
}

void viewer_run(struct screen *screen, const struct options *options, int wire, pid_t parent)
{
	struct viewer viewer = {
		.screen = screen,
		.options = options,
		.wire = wire,
		.parent = parent,
		.view = view_new(options),
		.recent = recent_new(),
		.start = monotonic_seconds(),
	};
	sigset_t waiting;

	prctl(PR_SET_NAME, "live-view", 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGHUP, 0, 0, 0);
	prepare_signals(screen, &waiting);
	close_others(screen_fd(screen), wire);
	progress_silence();
	/* What servers have is asked for once, when the program has ended. */
	sym_allow_fetching(0);
	viewer.next = viewer.start + FIRST_SECONDS;
	/* Its death may have come first. */
	while (viewer.view && viewer.recent && getppid() == parent)
		watch(&viewer, &waiting);
	end(&viewer);
}
