/* SPDX-License-Identifier: MIT */
/*
 * signal_log SECONDS [SIGNAL...]: says "ready", then the name of each of the signals that comes
 * (with the value, when one was queued along), a line each, until the time is over.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char lines[128][16];

static void log_signal(int number, siginfo_t *info, void *context)
{
	char line[sizeof(lines[0]) + 8];
	int before = errno;
	size_t length = strlen(lines[number]);

	(void)context;
	memcpy(line, lines[number], length);
	if (info->si_code == SI_QUEUE)
		line[length++] = (char)('0' + info->si_value.sival_int % 10);
	line[length++] = '\n';
	if (write(STDOUT_FILENO, line, length) < 0)
		_exit(1);
	errno = before;
}

static int find_signal(const char *name)
{
	for (int number = 1; number < SIGRTMIN; number++)
		if (sigabbrev_np(number) && strcmp(sigabbrev_np(number), name) == 0)
			return number;
	return strncmp(name, "RT", 2) == 0 ? SIGRTMIN + atoi(name + 2) : 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = log_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct timespec end;

	for (int i = 2; i < argc; i++) {
		int number = find_signal(argv[i]);

		snprintf(lines[number], sizeof(lines[number]), "%s", argv[i]);
		if (sigaction(number, &action, NULL) < 0)
			return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += argc > 1 ? atoi(argv[1]) : 0;
	if (write(STDOUT_FILENO, "ready\n", 6) < 0)
		return 1;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
	return 0;
}
