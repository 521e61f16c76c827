/* SPDX-License-Identifier: MIT */
/* What passes between profrun and its viewer: datagrams over a socket of two ends. */
#pragma once

enum wire_word {
	WIRE_ASK,     /* the viewer, for what was counted so far */
	WIRE_GIVE,    /* it: the file of a snapshot goes along */
	WIRE_NOTHING, /* there is none */
	WIRE_HIDE,    /* the terminal is to be given back until WIRE_SHOW */
	WIRE_HIDDEN,  /* it is */
	WIRE_SHOW,
};

struct wire_message {
	enum wire_word word;
	double cost; /* of WIRE_GIVE: seconds of CPU time */
};

/* Both ends, close-on-exec. 0 or a negative errno. */
int wire_open(int ret_ends[2]);

/* 0 or a negative errno; the descriptor @fd goes along, unless it is negative. */
int wire_send(int end, const struct wire_message *message, int fd);

/*
 * 1 and the message (*ret_fd is the caller's, or -1); 0: there is none now; -EPIPE: the other end
 * is closed.
 */
int wire_receive(int end, struct wire_message *ret_message, int *ret_fd);
