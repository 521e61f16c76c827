/* SPDX-License-Identifier: MIT */
/*
 * Interim reports: `profrun report --running=PID` asks the profrun PID for the profile so far. It
 * listens at an abstract socket and answers with a profile in pprof's format, made by a child, so
 * that neither the program nor its ticks wait for it.
 */
#pragma once

#include <sys/types.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/*
 * The socket at which this process is asked, added to the epoll descriptor @poll_fd; -1 where there
 * can be none. The caller closes it.
 */
int interim_listen(int poll_fd);

/*
 * The descriptor of someone who has asked and may have an answer (our own user, or root), or -1.
 * The caller closes it.
 */
int interim_accept(int socket);

/*
 * Asks the profrun @pid. 0, or a negative errno with *err; *ret_profile is the caller's.
 */
int interim_fetch(pid_t pid, struct profile **ret_profile, struct error *err);
