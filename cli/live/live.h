/* SPDX-License-Identifier: MIT */
/* profrun's side of --live: starts the viewer, answers it, and sees to it that it ends. */
#pragma once

#include <stdbool.h>

#include "cli/options.h"
#include "symbolize/error.h"

struct live;

/*
 * Starts a viewer for a run by @options. Whatever calls for live_look() is added to the epoll
 * descriptor @poll_fd. 0, or a negative errno with *err: why there can be no view.
 */
int live_start(const struct options *options, int poll_fd, struct live **ret_live,
	       struct error *err);

/* Ends the view; the terminal is as it was. NULL is taken too. */
void live_stop(struct live *live);

enum live_need {
	LIVE_CONTENT,
	LIVE_ASKS, /* live_answer() is wanted */
	LIVE_OVER, /* the user has ended the view: live_stop() */
	LIVE_DEAD, /* it has ended in another way */
};

/* What the viewer needs. Shows the view again after live_hide(). */
enum live_need live_look(struct live *live);

/*
 * Has @take, in a fork, write a snapshot to the file that it is given; 0 is success. The fork is
 * waited for: what profrun counts must not go on meanwhile.
 */
void live_answer(struct live *live, int (*take)(void *data, int fd), void *data);

/* Gives the terminal back until the next live_look(), before profrun stops. */
void live_hide(struct live *live);
