/* SPDX-License-Identifier: MIT */
/*
 * A table of texts for people, whose columns are as wide as their widest cell; the last one gets
 * what a terminal leaves, and is not cut anywhere else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/report/terminal.h"

struct text_table_column {
	const char *title;
	bool left;		 /* aligned */
	const char *ascii_title; /* where there is no UTF-8; NULL: the same */
	bool text; /* no names: too much of it, in the last column, is cut at its end */
};

struct text_table;

/* Of @count columns, which must outlive the table; NULL when memory ran out. */
struct text_table *text_table_new(const struct text_table_column *columns, size_t count);
void text_table_free(struct text_table *table);

/* Adds the next cell, from left to right; after the last column comes the next row. */
void text_table_add(struct text_table *table, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of a name behind @lead bytes that are no part of it: shortened as one in any column. */
void text_table_add_name(struct text_table *table, enum style style, size_t lead,
			 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* 0 or -ENOMEM, also for cells that found no room. */
int text_table_write(struct text_table *table, const struct terminal *terminal, FILE *stream);
