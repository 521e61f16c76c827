/* SPDX-License-Identifier: MIT */
/*
 * The profile of one run: the pivot between collecting and reporting. Whatever ticked and wherever
 * it came from (an arena, a saved file), reports see only this.
 *
 * An entry is one bucket: a range of link-time addresses of one object, in one process, with its
 * ticks. Buckets are kept unsplit; dividing one among the functions that it covers is the report's
 * work (cli/report/rows.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/profile/string_pool.h"
#include "symbolize/symbolize.h"

enum object_kind {
	OBJECT_FILE,	/* an ELF file at .path */
	OBJECT_VDSO,	/* the kernel's image in every process */
	OBJECT_ANON,	/* executable memory of a process without a file: one row "[anon]" */
	OBJECT_JIT,	/* the same, some of it named by a perf map: rows of "[jit]" */
	OBJECT_UNKNOWN, /* addresses whose mapping nobody saw: one row "[unknown]" */
	OBJECT_SPECIAL, /* no code: .name is the row's name, such as "[signals blocked]" */
};

struct profile_object {
	enum object_kind kind;
	const char *name; /* base name, or the name in brackets */
	const char *path; /* NULL unless OBJECT_FILE */
	struct sym_build_id build_id;
	struct seen_file *seen; /* the file itself, kept open by the profile; or NULL */
	bool lost; /* the file that ran could not be found, and its build-id is not known */
};

struct profile_process {
	pid_t pid;
	pid_t parent;	     /* 0: not known */
	unsigned image;	     /* 0 for the first image of this pid, 1 after its first exec, ... */
	const char *command; /* the program's base name */
	const char *command_line; /* arguments joined by blanks, possibly cut */
	uint64_t ticks;
	double cpu_seconds; /* as the kernel accounts; negative: not known */
	const char *run;    /* which of several runs, NULL: there is one */
};

/* Threads are only told apart in runs that asked for it. */
struct profile_thread {
	uint32_t process; /* index into .processes */
	pid_t tid;
	const char *name; /* the last that it had; "": not known */
};

struct profile_entry {
	uint32_t object;  /* index into .objects */
	uint32_t process; /* index into .processes */
	uint32_t thread;  /* index into .threads + 1; 0: not known, or not asked for */
	uint64_t address; /* link-time address of the bucket's start (0 for OBJECT_SPECIAL) */
	uint64_t size;	  /* bytes of text that the bucket covers; 1 for a single pc */
	uint64_t ticks;
	uint64_t kernel; /* of .ticks: those in the kernel */
};

/* What a piece of code is called; strings are of the profile's pool. */
struct profile_frame {
	const char *function;
	const char *file; /* NULL: not asked for or not known */
	unsigned line;	  /* 0: likewise */
};

/*
 * A piece of an object's code that belongs to one function: [start, end). The bytes of a bucket
 * that no place covers are alignment between functions.
 */
struct profile_place {
	uint64_t start, end;
	uint32_t object;
	uint32_t frame;	      /* index into .frames: innermost first */
	uint32_t frame_count; /* 0: unknown code */
};

/* A pc in code that was made at run time, and what a perf map calls it. */
struct profile_made {
	uint64_t pc;
	uint32_t object;
	const char *function;
};

/* Strings that others set in it are of .strings, or static. */
struct profile {
	struct string_pool *strings; /* owns the strings below and those of objects and processes */
	const char **command; /* NULL-terminated argv of what was run: profile_set_command() */
	int wait_status;      /* as waitpid(2) gave it */
	bool still_runs;      /* it has none yet: this is an interim profile */
	const char *host;
	int64_t start_nanos; /* since 1970; 0: not known */
	double elapsed_seconds;
	double user_seconds, system_seconds;
	double queued_seconds; /* it could run and waited for a CPU, about; negative: not known */
	double unsampled_seconds; /* of these: while no ticks were to be counted (--delay) */

	const char *tick_source; /* "timer", "libc", ... */
	unsigned rate_hz;
	double period_seconds; /* of CPU time per tick */
	uint32_t scale;
	bool kernel_known; /* false: .kernel of the entries could not be told (coarse buckets) */

	uint64_t ticks;	     /* the sum over .entries */
	uint64_t lost_ticks; /* that came but found no place */
	/* (sum w)^2 / sum w^2 over .ticks, w being what one signal brought; <= .ticks */
	double effective_ticks;

	struct profile_object *objects;
	size_t object_count;
	struct profile_process *processes;
	size_t process_count;
	struct profile_thread *threads;
	size_t thread_count;
	bool threads_apart; /* entries tell their threads */
	struct profile_entry
		*entries; /* merged: one per (object, process, thread, address, size) */
	size_t entry_count;
	/* The names of the code that has ticks, found by places_find() or saved with the profile.
	 */
	struct profile_place *places; /* sorted by object and address, disjoint */
	size_t place_count;
	struct profile_frame *frames;
	size_t frame_count;
	struct profile_made *made; /* what goes into the places when all is collected */
	size_t made_count, made_room;
	bool named;	     /* places are found, by the flags below */
	unsigned name_flags; /* enum sym_flags */
	bool foreign; /* another tool's: its names are all there is, its CPU time is not known */

	const char **notes; /* what a reader must know beside the rows, one sentence each */
	size_t note_count;
	const char **details; /* what -v tells of how names were found; not kept with the profile */
	size_t detail_count;
	const char *no_ticks; /* why there are none, where the times do not tell; or NULL */
	bool no_ticks_said;   /* to the user, before the program ran */

	struct profile_index *index; /* how entries and objects are found again; profile.c's own */
};

struct profile *profile_new(void);
void profile_free(struct profile *profile);

/* Copies argv. 0 or -ENOMEM. */
int profile_set_command(struct profile *profile, char *const *argv);

/*
 * The index of the object (added if new; objects are told apart by kind, path or name, and
 * build-id), or a negative errno. @object's strings are copied.
 */
int64_t profile_add_object(struct profile *profile, const struct profile_object *object);

/* Whether the file of the object at @index is to be looked for, and kept by profile_keep_file(). */
bool profile_wants_file(const struct profile *profile, uint32_t index);

/* Takes over the file of the object at @index for places_find(); NULL: it could not be found. */
void profile_keep_file(struct profile *profile, uint32_t index, struct seen_file *file);

/* The index of a new process (always a new one: pids come again), or -ENOMEM. */
int64_t profile_add_process(struct profile *profile, const struct profile_process *process);

/*
 * The index + 1 of a new thread (always a new one: thread ids come again), or -ENOMEM. @name is
 * copied.
 */
int64_t profile_add_thread(struct profile *profile, const struct profile_thread *thread);

/* Says that all processes were of run @name; runs that are named already are runs of it. */
int profile_name_run(struct profile *profile, const char *name);

/*
 * Adds to the entry of the same object, process, thread, address and size, or makes it, and to the
 * ticks of the profile and of the process. What is no code has no address, whatever @entry says. 0
 * or -ENOMEM.
 */
int profile_add_entry(struct profile *profile, const struct profile_entry *entry);

/* A note that stands there already is not added again. */
int profile_add_note(struct profile *profile, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds to the details. */
int profile_add_detail(struct profile *profile, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* User and system together, as the kernel accounts. */
double profile_cpu_seconds(const struct profile *profile);

/* Ticks x period over the CPU time that the kernel accounts; 0 when there was none. */
double profile_coverage(const struct profile *profile);
