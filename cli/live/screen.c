/* SPDX-License-Identifier: MIT */
/*
 * Control sequences that every terminal since the VT220 has, and the alternate screen of xterm. The
 * terminal is opened anew, so that not to block is nobody else's affair: a user's Ctrl-S must stop
 * neither profrun nor its program.
 */

#include "cli/live/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "symbolize/util.h"

#define LINES_MIN   3
#define COLUMNS_MIN 20
#define SPARE_LINES 4	/* of the alternate screen, for stderr */
#define SPARE_FROM  16	/* lines of the terminal */
#define PATIENCE_MS 200 /* with a terminal that takes nothing */

/* Of both processes. */
struct shared {
	atomic_bool shown;
	bool changed;		     /* the terminal's modes were, too */
	struct termios before, keys; /* how they were, and how they became */
};

struct screen {
	int fd;
	bool is_line, has_keys;
	bool stderr_here; /* what the program says there appears on the view's terminal */
	size_t lines;	  /* as of the last drawing */
	struct shared *shared;
};

static const char leave_line[] = "\0337\033[r\033[999;1H\033[K\0338";
static const char leave_whole[] = "\033[r\033[?7h\033[?25h\033[?1049l";

/* The terminal behind @fd, which /dev/tty is only another name of; 0: it is none. */
static unsigned terminal_number(int fd)
{
	unsigned number = 0;

	return isatty(fd) && ioctl(fd, TIOCGDEV, &number) == 0 ? number : 0;
}

static int open_terminal(void)
{
	const int flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	int fd = isatty(STDERR_FILENO) ? open("/proc/self/fd/2", flags) : -1;

	return fd >= 0 ? fd : open("/dev/tty", flags);
}

static int refuse(struct error *err)
{
	const char *term = getenv("TERM");

	if (term && *term && strcmp(term, "dumb") != 0)
		return 0;
	return error_set(err, -ENOTSUP, "the terminal (TERM=%.40s) cannot show it",
			 term ? term : "");
}

int screen_open(struct screen **ret_screen, struct error *err)
{
	struct screen *screen;
	void *shared;
	unsigned number;
	int fd = open_terminal();

	if (fd < 0)
		return error_set(err, -ENOTTY, "there is no terminal to show it on");
	if (refuse(err) < 0) {
		close(fd);
		return -ENOTSUP;
	}
	screen = calloc(1, sizeof(*screen));
	shared = mmap(NULL, sizeof(*screen->shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!screen || shared == MAP_FAILED) {
		close(fd);
		free(screen);
		return error_set(err, -ENOMEM, "out of memory");
	}
	number = terminal_number(fd);
	screen->fd = fd;
	screen->shared = shared;
	screen->is_line = terminal_number(STDOUT_FILENO) == number;
	screen->has_keys = !screen->is_line && terminal_number(STDIN_FILENO) != number;
	screen->stderr_here = terminal_number(STDERR_FILENO) == number;
	*ret_screen = screen;
	return 0;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	screen_hide_at_last(screen);
	munmap(screen->shared, sizeof(*screen->shared));
	close(screen->fd);
	free(screen);
}

int screen_fd(const struct screen *screen)
{
	return screen->fd;
}

bool screen_is_line(const struct screen *screen)
{
	return screen->is_line;
}

bool screen_has_keys(const struct screen *screen)
{
	return screen->has_keys;
}

bool screen_size(const struct screen *screen, size_t *ret_columns, size_t *ret_lines)
{
	struct winsize size;

	if (ioctl(screen->fd, TIOCGWINSZ, &size) < 0 || size.ws_row < LINES_MIN ||
	    size.ws_col < COLUMNS_MIN)
		return false;
	*ret_columns = size.ws_col;
	*ret_lines = size.ws_row;
	return true;
}

size_t screen_spare_lines(const struct screen *screen)
{
	size_t columns, lines;

	if (screen->is_line || !screen->stderr_here || !screen_size(screen, &columns, &lines))
		return 0;
	return lines >= SPARE_FROM ? SPARE_LINES : 0;
}

/* False: the terminal is stopped, and has not taken all of it. */
static bool put(const struct screen *screen, const char *text, size_t size)
{
	struct pollfd writable = {.fd = screen->fd, .events = POLLOUT};

	while (size > 0) {
		ssize_t written = write(screen->fd, text, size);

		if (written < 0 && errno == EAGAIN && poll(&writable, 1, PATIENCE_MS) > 0)
			continue;
		if (written < 0 && errno != EINTR)
			return errno != EAGAIN;
		text += written > 0 ? written : 0;
		size -= written > 0 ? (size_t)written : 0;
	}
	return true;
}

/* A terminal that is not ours to control has no jobs that could have it. */
static bool is_ours(const struct screen *screen)
{
	pid_t group = tcgetpgrp(screen->fd);

	return group == getpgrp() || (group < 0 && errno == ENOTTY);
}

int screen_keys_fd(const struct screen *screen)
{
	return screen->has_keys && screen->shared->shown && is_ours(screen) ? screen->fd : -1;
}

/* Editors, and shells at their prompt, take letters as they are typed. */
static bool is_drawn_on(const struct screen *screen)
{
	struct termios modes;

	if (screen->shared->shown && screen->shared->changed)
		return false;
	return tcgetattr(screen->fd, &modes) == 0 && !(modes.c_lflag & ICANON);
}

/* Letters as they are typed; Ctrl-C and its kin stay signals. */
static void read_keys(struct screen *screen)
{
	struct termios modes;

	screen->shared->changed = false;
	if (!screen->has_keys || tcgetattr(screen->fd, &modes) < 0)
		return;
	screen->shared->before = modes;
	screen->shared->changed = true;
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	screen->shared->keys = modes;
	tcsetattr(screen->fd, TCSANOW, &modes);
}

/* Modes that somebody else has set meanwhile, a shell, are not touched. */
static void restore_modes(const struct screen *screen)
{
	const struct termios *keys = &screen->shared->keys;
	struct termios now;

	if (screen->shared->changed && tcgetattr(screen->fd, &now) == 0 &&
	    now.c_lflag == keys->c_lflag && now.c_iflag == keys->c_iflag &&
	    now.c_oflag == keys->c_oflag)
		tcsetattr(screen->fd, TCSANOW, &screen->shared->before);
}

static void enter(struct screen *screen)
{
	/* One line down, where the screen may have to scroll, and up again in the same column. */
	static const char line[] = "\033D\033[A";
	static const char whole[] = "\033[?1049h\033[?25l\033[2J";

	screen->lines = 0;
	put(screen, screen->is_line ? line : whole, strlen(screen->is_line ? line : whole));
}

bool screen_show(struct screen *screen)
{
	size_t columns, lines;

	if (!is_ours(screen) || is_drawn_on(screen) || !screen_size(screen, &columns, &lines)) {
		screen_hide(screen);
		return false;
	}
	if (screen->shared->shown)
		return true;
	read_keys(screen);
	screen->shared->shown = true;
	enter(screen);
	return true;
}

void screen_hide(struct screen *screen)
{
	const char *leave = screen->is_line ? leave_line : leave_whole;
	int error = errno;

	if (atomic_exchange(&screen->shared->shown, false)) {
		/* A stopped terminal is left for another time. */
		if (!put(screen, leave, strlen(leave)))
			screen->shared->shown = true;
		restore_modes(screen);
	}
	errno = error;
}

void screen_hide_at_last(struct screen *screen)
{
	/* From here on profrun may wait for the terminal: it waits to write its report, too. */
	fcntl(screen->fd, F_SETFL, O_RDWR);
	screen_hide(screen);
}

/* In one piece with the cursor's way there and back: the program may write any time. */
static void write_line(struct screen *screen, const char *text, size_t lines, FILE *stream)
{
	fputs("\0337", stream);
	if (screen->lines > 0 && screen->lines < lines)
		fprintf(stream, "\033[%zu;1H\033[K", screen->lines);
	fprintf(stream, "\033[1;%zur\033[%zu;1H%s\033[K\0338", lines - 1, lines, text);
}

static void write_whole(struct screen *screen, const char *text, size_t lines, FILE *stream)
{
	size_t spare = screen_spare_lines(screen), shown = lines - spare;

	if (screen->lines != lines) {
		fputs("\033[r\033[2J", stream);
		if (spare)
			fprintf(stream, "\033[%zu;%zur\033[%zu;1H", shown + 1, lines, shown + 1);
	}
	fputs("\0337\033[?7l\033[H", stream);
	for (size_t line = 1; line <= shown; line++) {
		size_t length = strcspn(text, "\n");

		fprintf(stream, "\033[%zu;1H%.*s\033[K", line, (int)length, text);
		text += length + (text[length] == '\n');
	}
	fputs("\033[?7h\0338", stream);
}

void screen_draw(struct screen *screen, const char *text)
{
	AUTO_FREE char *bytes = NULL;
	size_t columns, lines, size;
	FILE *stream;

	if (!screen->shared->shown || !screen_size(screen, &columns, &lines))
		return;
	stream = open_memstream(&bytes, &size);
	if (!stream)
		return;
	if (screen->is_line)
		write_line(screen, text, lines, stream);
	else
		write_whole(screen, text, lines, stream);
	screen->lines = lines;
	if (fclose(stream) == 0)
		put(screen, bytes, size);
}
