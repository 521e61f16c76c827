/* SPDX-License-Identifier: MIT */
/*
 * Names for link-time addresses of one object (an ELF file, or an ELF image in memory).
 *
 * Questions are asked in batches of sorted, unique addresses, because one pass over a symbol table
 * serves them all: no table is sorted and no DWARF is opened for names alone. A caller that holds
 * ranges of code (histogram buckets) first asks for the places inside them where another function
 * may begin (sym_object_cuts) and then names the piece that begins at each.
 *
 * "No symbol" is an answer, not an error: such an answer has no frames. A broken file gives a
 * degraded answer and a note, never a wrong name. Not thread safe per object; different objects
 * may be used by different threads at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/error.h"

struct sym_object;

#define SYM_BUILD_ID_MAX 64

struct sym_build_id {
	size_t size; /* bytes; 0: not known */
	uint8_t bytes[SYM_BUILD_ID_MAX];
};

/* What an answer contains beyond the function's name. */
enum sym_flags {
	SYM_LINES = 1 << 0,	  /* file and line of each frame, from DWARF */
	SYM_INLINES = 1 << 1,	  /* the chain of inlined functions, innermost first, from DWARF */
	SYM_NO_DEMANGLE = 1 << 2, /* names as they stand in the file */
	SYM_CLONES = 1 << 3,	  /* keep .cold, .part.0, .constprop.0 and the like */
};

struct sym_frame {
	const char *function; /* never NULL */
	const char *file;     /* absolute where the file says so; NULL: not known */
	unsigned line;	      /* 0: not known */
};

struct sym_answer {
	/* Innermost first, the last is the symbol; owned by the object, valid until it is closed.
	 */
	const struct sym_frame *frames;
	size_t frame_count; /* 0: unknown code */
	/* Where the symbol, stub or FDE that gave the outermost name starts. */
	uint64_t symbol_address;
};

struct sym_range {
	uint64_t start, end; /* link-time addresses, end exclusive */
};

/*
 * Opens the object at @path. With @expect (may be NULL) its build-id must match, or the object is
 * refused with -ESTALE: a file that was replaced must not give names. Refuses what is no regular
 * file or no ELF file (-EINVAL, -ENOEXEC); *err says why in a line.
 */
int sym_object_open(const char *path, const struct sym_build_id *expect,
		    struct sym_object **ret_object, struct error *err);

/* The same for a file that is open already, and stays so; @path is what it is called. */
int sym_object_open_fd(int fd, const char *path, const struct sym_build_id *expect,
		       struct sym_object **ret_object, struct error *err);

/* The same for an ELF image in memory (the vDSO); @image stays the caller's and must outlive it. */
int sym_object_open_memory(const char *name, const void *image, size_t size,
			   struct sym_object **ret_object, struct error *err);

/*
 * Lets missing debug files be fetched by libdebuginfod (from the servers that DEBUGINFOD_URLS
 * names) for at most @seconds in the whole process; 0, the default: never. To be called before any
 * object is opened.
 */
void sym_allow_fetching(double seconds);

/* Ends the fetching that is on, and all of it from now on. Async-signal-safe. */
void sym_stop_fetching(void);

/* What was last in the way of fetching, as a line; NULL: nothing was. */
const char *sym_fetching_failure(void);

/*
 * Has @watch called when the debug file of the object at @path begins to be fetched and about once
 * a second while it is, with the bytes that came so far, and with NULL when it has ended.
 */
void sym_watch_fetching(void (*watch)(const char *path, long received));

void sym_object_close(struct sym_object *object);

/* Notes about sources that could not be used ("no debug file for ...", ...); NULL after the last.
 */
const char *sym_object_note(const struct sym_object *object, size_t index);

/* Which source the names came from (".symtab", ".dynsym", ...), for -v; NULL before
 * sym_object_find. */
const char *sym_object_source(const struct sym_object *object);

/*
 * Answers for @count sorted, unique link-time addresses into @answers (same order), by enum
 * sym_flags. 0, or a negative errno with *err when memory ran out; everything else degrades.
 */
int sym_object_find(struct sym_object *object, const uint64_t *addresses, size_t count,
		    unsigned flags, struct sym_answer *answers, struct error *err);

/*
 * The addresses strictly inside the sorted, disjoint @ranges at which a function may begin or end,
 * sorted and unique; between two of them the function is the same. *ret_cuts is freed by the
 * caller.
 */
int sym_object_cuts(struct sym_object *object, const struct sym_range *ranges, size_t count,
		    uint64_t **ret_cuts, size_t *ret_count, struct error *err);

/*
 * Whether a thread whose pc is @address was in the kernel: the instruction that ends there is a
 * system call, or the one that starts there is (a call about to be restarted).
 */
bool sym_object_at_syscall(struct sym_object *object, uint64_t address);

/*
 * The link-time address of the byte at @offset of the executable file that @fd has open, with the
 * file's build-id: what a mapping of the file (/proc/PID/maps) stands for. 1 found, 0 no executable
 * segment holds it, or a negative errno when it is no ELF file.
 */
int sym_file_address(int fd, uint64_t offset, uint64_t *ret_address,
		     struct sym_build_id *ret_build_id);

/* The same by the first @size bytes of the file, as they stand in the memory of a program. */
int sym_head_address(const void *head, size_t size, uint64_t offset, uint64_t *ret_address,
		     struct sym_build_id *ret_build_id);

/* The build-id of the file that @fd has open (size 0: none). 0 or a negative errno. */
int sym_file_build_id(int fd, struct sym_build_id *ret_build_id);

/* The optional part at @index and whether it was built in; NULL after the last. */
const char *sym_feature(size_t index, bool *ret_built_in);
