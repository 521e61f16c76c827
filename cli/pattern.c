/* SPDX-License-Identifier: MIT */
/* File names with parts that are filled in. */

#include "cli/pattern.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/util.h"

static int put_pid(const char **at, FILE *name, struct error *err)
{
	(void)at;
	(void)err;
	fprintf(name, "%d", (int)getpid());
	return 0;
}

static int put_host(const char **at, FILE *name, struct error *err)
{
	char host[HOST_NAME_MAX + 1];

	(void)at;
	if (gethostname(host, sizeof(host)) < 0)
		return error_set(err, -errno, "%%h: cannot find the host's name: ");
	host[sizeof(host) - 1] = '\0';
	fputs(host, name);
	return 0;
}

/* *at stands at "{VAR}" and is moved behind it. */
static int put_variable(const char **at, FILE *name, struct error *err)
{
	char variable[128];
	const char *value, *end = strchr(*at, '}');

	if (**at != '{' || !end || end - *at - 1 >= (int)sizeof(variable))
		return error_set(err, -EINVAL, "%%q needs a variable: write %%q{NAME}");
	snprintf(variable, sizeof(variable), "%.*s", (int)(end - *at - 1), *at + 1);
	value = getenv(variable);
	if (!value)
		return error_set(err, -EINVAL, "%%q{%s}: the variable is not set", variable);
	*at = end + 1;
	fputs(value, name);
	return 0;
}

static int put_percent(const char **at, FILE *name, struct error *err)
{
	(void)at;
	(void)err;
	putc('%', name);
	return 0;
}

static const struct {
	char letter;
	int (*put)(const char **at, FILE *name, struct error *err);
} parts[] = {
	{'p', put_pid},
	{'h', put_host},
	{'q', put_variable},
	{'%', put_percent},
};

static int expand(const char *at, FILE *name, struct error *err)
{
	while (*at) {
		size_t part = 0;
		int code;

		if (*at != '%') {
			putc(*at++, name);
			continue;
		}
		at++;
		while (part < ARRAY_SIZE(parts) && parts[part].letter != *at)
			part++;
		if (part == ARRAY_SIZE(parts))
			return error_set(err, -EINVAL,
					 "'%%%.1s' is no pattern; one of %%p, %%h, %%q{VAR}, %%%%",
					 at);
		at++;
		code = parts[part].put(&at, name, err);
		if (code < 0)
			return code;
	}
	return 0;
}

int pattern_expand(const char *pattern, char **ret_name, struct error *err)
{
	AUTO_FREE char *text = NULL;
	size_t size;
	FILE *name = open_memstream(&text, &size);
	struct error why;
	int code, closed;

	if (!name)
		return error_set(err, -ENOMEM, "out of memory");
	code = expand(pattern, name, &why);
	closed = fclose(name);
	if (code < 0)
		return error_set(err, code, "'%.80s': %s", pattern, why.text);
	if (closed != 0)
		return error_set(err, -ENOMEM, "out of memory");
	*ret_name = steal_ptr(text);
	return 0;
}
