/* SPDX-License-Identifier: MIT */
/*
 * Ticks that profrun sends: it queues our signal to threads that run, each time with another
 * number, and the handler leaves where the thread was and when that was. Whether the thread was on
 * a CPU when the probe was sent, only profrun can tell.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct arena_image;

/*
 * From now on probes with the arena's @nonce are answered in @image, which stays where it is. 0, or
 * -ENOSYS: there is no clock that answers without a system call.
 */
int probe_start(uint64_t nonce, struct arena_image *image);

/* Whether probes may come. Async-signal-safe. */
bool probe_may_come(void);

/*
 * When profrun has been told in the image that it must not send any more: waits until none is on
 * its way to the calling thread. False: profrun does not go on sending what it had begun.
 * Async-signal-safe.
 */
bool probe_settle(void);

/*
 * Around a call that a probe would end early, and of which nobody can tell afterwards whether it
 * was the probe or a signal of the program: probes wait till it is over, and are then answered with
 * @place, which is behind the call in the program. Returns what the other has to know; it keeps
 * errno. Nothing happens while no probes may come. Async-signal-safe.
 */
bool probe_hold(const void *place);
void probe_release(bool held);

/*
 * The @mask (NULL: none) that a call sets while it waits, with our signal where probes are held
 * back; *room is for a copy. Async-signal-safe.
 */
const sigset_t *probe_hold_mask(const sigset_t *mask, sigset_t *room);

/* Answers, if the signal is a probe. Makes no system call. Async-signal-safe. */
bool probe_answer(const siginfo_t *info, const ucontext_t *context);
