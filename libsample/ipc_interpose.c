/* SPDX-License-Identifier: MIT */
/* Waiting for semaphores, messages and signals: see resume.h. */

#include <semaphore.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

#include "libsample/export.h"
#include "libsample/next.h"
#include "libsample/resume.h"

static struct {
	int (*sem_timedwait)(sem_t *, const struct timespec *);
	int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
	ssize_t (*msgrcv)(int, void *, size_t, long, int);
	int (*msgsnd)(int, const void *, size_t, int);
	int (*semop)(int, struct sembuf *, size_t);
	int (*pause)(void);
	int (*sigsuspend)(const sigset_t *);
} real;

void resume_resolve_wait(void)
{
	*(void **)&real.sem_timedwait = next_find("sem_timedwait");
	*(void **)&real.sem_clockwait = next_find("sem_clockwait");
	*(void **)&real.msgrcv = next_find("msgrcv");
	*(void **)&real.msgsnd = next_find("msgsnd");
	*(void **)&real.semop = next_find("semop");
	*(void **)&real.pause = next_find("pause");
	*(void **)&real.sigsuspend = next_find("sigsuspend");
}

static void ensure(void)
{
	if (!real.pause)
		resume_resolve_wait();
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *end)
{
	ensure();
	return RESUME(real.sem_timedwait(semaphore, end), );
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end)
{
	ensure();
	return RESUME(real.sem_clockwait(semaphore, clock, end), );
}

EXPORT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
	ensure();
	return RESUME(real.msgrcv(queue, message, size, type, flags), );
}

EXPORT int msgsnd(int queue, const void *message, size_t size, int flags)
{
	ensure();
	return RESUME(real.msgsnd(queue, message, size, flags), );
}

EXPORT int semop(int set, struct sembuf *operations, size_t count)
{
	ensure();
	return RESUME(real.semop(set, operations, count), );
}

/* These two end by a handler of the program's, never by ours. */
EXPORT int pause(void)
{
	ensure();
	return RESUME(real.pause(), );
}

EXPORT int sigsuspend(const sigset_t *mask)
{
	sigset_t room;

	ensure();
	mask = probe_hold_mask(mask, &room);
	return RESUME(real.sigsuspend(mask), );
}
