/* SPDX-License-Identifier: MIT */
/* What the user sees and can do while symbolize waits for servers. */

#include "cli/fetching.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/symbolize.h"

static struct sigaction earlier;

static void stop(int number)
{
	(void)number;
	sym_stop_fetching();
}

/* One line that is written over and over, and gone at the end. */
static void show(const char *path, long received)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (!path)
		fputs("\r\033[K", stderr);
	else
		fprintf(stderr,
			"\r\033[Kprofrun: fetching debug info of %.60s: %.1f MB (Ctrl-C: go on "
			"without)",
			slash ? slash + 1 : path, (double)received / 1e6);
	fflush(stderr);
}

void fetching_begin(const struct options *options)
{
	const struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};

	if (options->fetch_seconds <= 0)
		return;
	sigaction(SIGINT, &action, &earlier);
	if (isatty(STDERR_FILENO) && !options->quiet)
		sym_watch_fetching(show);
}

void fetching_end(const struct options *options)
{
	if (options->fetch_seconds <= 0)
		return;
	sym_watch_fetching(NULL);
	sigaction(SIGINT, &earlier, NULL);
}
