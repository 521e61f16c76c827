/* SPDX-License-Identifier: MIT */
/* The summary lines of a run. */

#include "cli/report/summary.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/hint.h"
#include "symbolize/util.h"

/* CPU time below this part of the elapsed time is worth a word: a profile shows none of the rest.
 */
#define WAITING 0.5
#define SHORT	0.1 /* seconds below which it is not */

/* Below this part of it, what is not known of the queue for CPUs cannot be the reason. */
#define LITTLE 0.1

#define FEW_TICKS 3   /* that chance may leave out */
#define TICKS_MIN 20  /* of which one can say how they came */
#define GROUP_MIN 1.5 /* at a time */
#define UNCOVERED 0.1 /* of the CPU time */

#define SLOWEST_HZ 100 /* of the kernel's timers */

static void put_lines_start(const struct terminal *terminal, FILE *stream)
{
	fputs(terminal_style(terminal, STYLE_FAINT), stream);
}

static void put_line_end(const struct terminal *terminal, FILE *stream)
{
	fprintf(stream, "%s\n", terminal_style(terminal, STYLE_PLAIN));
}

/* A word as a shell would have to be given it. */
static void put_word(const char *word, FILE *stream)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";

	if (*word && strspn(word, plain) == strlen(word)) {
		fputs(word, stream);
		return;
	}
	putc('\'', stream);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", stream);
		putc(*word, stream);
	}
	putc('\'', stream);
}

char *summary_command(const struct profile *profile)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; profile->command && profile->command[i]; i++) {
		if (i)
			putc(' ', stream);
		put_word(profile->command[i], stream);
	}
	fclose(stream);
	return text;
}

static void put_command(const struct profile *profile, const struct terminal *terminal,
			FILE *stream)
{
	AUTO_FREE char *command = summary_command(profile);
	AUTO_FREE char *shown = command ? terminal_text(terminal, command, terminal->width) : NULL;

	if (shown && *shown)
		fprintf(stream, "%s%s%s\n", terminal_style(terminal, STYLE_HEAD), shown,
			terminal_style(terminal, STYLE_PLAIN));
}

/* What waits for a CPU that others have does not wait for anything that the program could change.
 */
static bool tell_waiting(const struct profile *profile, char *line, size_t size)
{
	double cpu = profile_cpu_seconds(profile), elapsed = profile->elapsed_seconds;
	double off = elapsed - cpu, queued = profile->queued_seconds;

	if (profile->foreign || elapsed < SHORT || cpu >= WAITING * elapsed)
		return false;
	if (queued > off)
		queued = off;
	if (queued < 0 && cpu >= LITTLE * elapsed)
		snprintf(line, size,
			 "mostly waited, or others had the CPU: off it for %.2f s of %.2f s", off,
			 elapsed);
	else if (queued >= WAITING * off)
		snprintf(line, size, "others had the CPU for about %.2f s of %.2f s", queued,
			 elapsed);
	else
		snprintf(line, size, "mostly waited: off the CPU for %.2f s of %.2f s",
			 queued < 0 ? off : off - queued, elapsed);
	return true;
}

/* What the ticks of each source have missed, and which of them stand for several. */
struct source_words {
	const char *source, *missed, *grouped;
};

static const struct source_words *find_words(const struct profile *profile)
{
	static const struct source_words rows[] = {
		{"kernel", "the kernel's clock did not see it", "those after records were lost"},
		{"libc",
		 "the C library's profil() sees the program's own text alone, neither libraries "
		 "nor child processes",
		 "those that blocked signals delay"},
		{"signal",
		 "signals did not reach it in time on a busy machine, nor what the preload did not "
		 "enter",
		 "those of a machine that let profrun wait, or of long system calls"},
		{"ptrace", "of what ended before profrun found it",
		 "those of a machine that let profrun wait"},
	};
	static const struct source_words timers = {
		.missed = "bursts that end before the scheduler's next tick (--ticks=kernel sees "
			  "them), the start of each process, and what the preload did not enter",
		.grouped = "those that blocked signals delay",
	};

	for (size_t i = 0; profile->tick_source && i < ARRAY_SIZE(rows); i++) {
		if (strcmp(profile->tick_source, rows[i].source) == 0)
			return &rows[i];
	}
	return &timers;
}

/*
 * Timers of the kernel expire with its own tick, 100 times a second at least: above that rate
 * several come as one. At or below it they only do when their signal was blocked.
 */
static bool tell_groups(const struct profile *profile, char *line, size_t size)
{
	const struct source_words *words = find_words(profile);
	double group;

	if (profile->foreign || profile->ticks < TICKS_MIN || profile->effective_ticks <= 0)
		return false;
	group = (double)profile->ticks / profile->effective_ticks;
	if (group < GROUP_MIN)
		return false;
	snprintf(line, size, "ticks came %.1f at a time, as %s do; margins are those of %.0f ticks",
		 group,
		 words->source || profile->rate_hz <= SLOWEST_HZ
			 ? words->grouped
			 : "those above the rate of the kernel's timers",
		 profile->effective_ticks);
	return true;
}

/* The kernel's clock is a CPU's: which of those who share it are met by its ticks is chance. */
static double ticks_of_others(const struct profile *profile)
{
	double cpu = profile_cpu_seconds(profile), queued = profile->queued_seconds;

	if (queued <= 0 || !profile->tick_source || strcmp(profile->tick_source, "kernel") != 0)
		return 0;
	return cpu / profile->period_seconds * queued / (cpu + queued);
}

/*
 * Coverage that is not explained by chance: each process starts and ends between two ticks, which
 * is a standard deviation of 0.41 ticks, and seven of them are left alone.
 */
static bool tell_coverage(const struct profile *profile, char *line, size_t size)
{
	double seen = (double)profile->ticks * profile->period_seconds;
	double cpu = profile_cpu_seconds(profile), missing = cpu - seen;
	double chance = 3 * profile->period_seconds *
			sqrt((double)profile->process_count + 1 + ticks_of_others(profile));

	if (profile->foreign || !profile->ticks || fabs(missing) < chance ||
	    fabs(missing) < UNCOVERED * cpu)
		return false;
	if (missing < 0)
		snprintf(line, size,
			 "%.2f s more than the kernel accounts were counted, as of "
			 "processes that nobody waited for",
			 -missing);
	else
		snprintf(line, size, "%.2f s of CPU time had no ticks: %s", missing,
			 find_words(profile)->missed);
	return true;
}

static bool tell_hint(const struct profile *profile, char *line, size_t size)
{
	return !profile->foreign && hint_find(profile, line, size);
}

static bool (*const notes[])(const struct profile *profile, char *line, size_t size) = {
	tell_waiting,
	tell_groups,
	tell_coverage,
	tell_hint,
};

int summary_note(const struct profile *profile, size_t index, char *line, size_t size)
{
	return index < ARRAY_SIZE(notes) ? notes[index](profile, line, size) : -1;
}

static void put_times(const struct profile *profile, FILE *stream)
{
	if (profile->foreign) {
		fprintf(stream, "elapsed %.2f s", profile->elapsed_seconds);
		return;
	}
	fprintf(stream, "elapsed %.2f s, CPU %.2f s (user %.2f, system %.2f)",
		profile->elapsed_seconds, profile_cpu_seconds(profile), profile->user_seconds,
		profile->system_seconds);
}

static void put_ticks(const struct profile *profile, const struct terminal *terminal, FILE *stream)
{
	const char *source = profile->tick_source ? profile->tick_source : "unknown";
	AUTO_FREE char *shown = terminal_text(terminal, source, 0);

	fprintf(stream, "%" PRIu64 " tick%s of %.4g ms (%s)", profile->ticks,
		profile->ticks == 1 ? "" : "s", profile->period_seconds * 1000,
		shown ? shown : "?");
	if (profile->ticks && profile_cpu_seconds(profile) > 0)
		fprintf(stream, " cover%s %.1f %% of the CPU time", profile->ticks == 1 ? "s" : "",
			100 * profile_coverage(profile));
	if (profile->lost_ticks)
		fprintf(stream, "; %" PRIu64 " lost", profile->lost_ticks);
}

bool summary_end(const struct profile *profile, char *text, size_t size)
{
	const int status = profile->wait_status;
	const char *name;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return false;
	if (WIFEXITED(status)) {
		snprintf(text, size, "exit status %d", WEXITSTATUS(status));
		return true;
	}
	name = sigabbrev_np(WTERMSIG(status));
	if (name)
		snprintf(text, size, "killed by SIG%s", name);
	else
		snprintf(text, size, "killed by signal %d", WTERMSIG(status));
	if (WCOREDUMP(status))
		strncat(text, " (core dumped)", size - strlen(text) - 1);
	return true;
}

static void put_note(const char *note, const struct terminal *terminal, FILE *stream)
{
	AUTO_FREE char *shown = terminal_text(terminal, note, 0);

	fprintf(stream, "%s\n", shown ? shown : "?");
}

void summary_write(const struct profile *profile, const struct terminal *terminal, FILE *stream)
{
	char end[64], line[256];
	int told;

	/* The program may have left its last line open, or filled the screen. */
	if (terminal->is_terminal)
		putc('\n', stream);
	put_command(profile, terminal, stream);
	put_lines_start(terminal, stream);
	put_times(profile, stream);
	put_line_end(terminal, stream);
	put_lines_start(terminal, stream);
	put_ticks(profile, terminal, stream);
	put_line_end(terminal, stream);
	if (summary_end(profile, end, sizeof(end)))
		fprintf(stream, "%s\n", end);
	for (size_t i = 0; (told = summary_note(profile, i, line, sizeof(line))) >= 0; i++) {
		if (told)
			put_note(line, terminal, stream);
	}
	for (size_t i = 0; i < profile->note_count; i++)
		put_note(profile->notes[i], terminal, stream);
	for (size_t i = 0; i < profile->detail_count; i++)
		put_note(profile->details[i], terminal, stream);
	putc('\n', stream);
}

void summary_no_ticks(const struct profile *profile, char *line, size_t size)
{
	double cpu = profile_cpu_seconds(profile), outside = profile->unsampled_seconds;

	if (profile->no_ticks)
		snprintf(line, size, "no ticks: %s", profile->no_ticks);
	else if (outside > 0 && cpu - outside < FEW_TICKS * profile->period_seconds)
		snprintf(line, size,
			 "no ticks: %.3f of %.3f s of CPU time were before --delay was over, or "
			 "after --duration",
			 fmin(outside, cpu), cpu);
	else if (cpu < FEW_TICKS * profile->period_seconds)
		snprintf(
			line, size,
			"no ticks: the program used %.3f s of CPU time, a tick comes every %.3f s; "
			"--rate=HZ makes more",
			cpu, profile->period_seconds);
	else
		snprintf(line, size, "no ticks: none came in %.3f s of CPU time: %s", cpu,
			 find_words(profile)->missed);
}
