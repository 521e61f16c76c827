/* SPDX-License-Identifier: MIT */
/* Programs whose masks and handlers change by other ways than sigprocmask() and sigaction(). */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* as they are */

static void show_mask(const char *when)
{
	sigset_t set;

	printf("%s:", when);
	pthread_sigmask(SIG_BLOCK, NULL, &set);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (sigismember(&set, number) == 1)
			printf(" %d", number);
	putchar('\n');
}

/* All but those that end a test which hangs. */
static void change_all(int how)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGTERM);
	sigprocmask(how, &all, NULL);
}

static void shown_in_a_new_image(void)
{
	show_mask("in the new image");
	bare_burn(5);
}

static void block_and_return(int number)
{
	(void)number;
	show_mask("in the handler");
	change_all(SIG_BLOCK);
	show_mask("all blocked in the handler");
	bare_burn(5);
}

static void install(int number, sighandler_t handler, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void changed_by_a_handler(void)
{
	pid_t pid;

	install(SIGUSR1, block_and_return, 0);
	raise(SIGUSR1);
	show_mask("after the handler");
	signal(SIGUSR2, block_and_return);
	raise(SIGUSR2);
	show_mask("after the other");
	change_all(SIG_BLOCK);
	signal(SIGTERM, block_and_return);
	raise(SIGTERM);
	show_mask("as it was");
	bare_burn(5);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		show_mask("in a child");
		bare_exec("shown in a new image");
	}
	bare_show_child("child", pid);
}

static void only_show(int number)
{
	printf("signal %d, ", number);
	show_mask("in its handler");
}

static void shown_in_handlers(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (number == SIGKILL || number == SIGSTOP || number == 32 || number == 33)
			continue;
		install(number, only_show, number % 2 ? SA_NODEFER : 0);
		raise(number);
	}
	show_mask("at the end");
}

static sigjmp_buf place;

static void jump(int number)
{
	change_all(SIG_BLOCK);
	siglongjmp(place, number);
}

static void set_back_by_a_jump(void)
{
	signal(SIGUSR1, jump);
	if (sigsetjmp(place, 1) == 0)
		raise(SIGUSR1);
	show_mask("after the jump");
	if (sigsetjmp(place, 0) == 0)
		raise(SIGUSR1);
	show_mask("after one that keeps it");
	if (sigsetjmp(place, 1) == 0) {
		change_all(SIG_UNBLOCK);
		show_mask("before the third");
		siglongjmp(place, 1);
	}
	show_mask("after the third");
	bare_burn(5);
}

static ucontext_t main_context, other_context;

static void in_a_context(void)
{
	show_mask("in the context");
	change_all(SIG_BLOCK);
	bare_burn(5);
	swapcontext(&other_context, &main_context);
	show_mask("in the context again");
}

static void kept_by_contexts(void)
{
	const size_t size = 256 << 10;

	getcontext(&other_context);
	other_context.uc_stack = (stack_t){.ss_sp = malloc(size), .ss_size = size};
	other_context.uc_link = &main_context;
	makecontext(&other_context, in_a_context, 0);
	swapcontext(&main_context, &other_context);
	show_mask("back");
	bare_burn(5);
	swapcontext(&main_context, &other_context);
	show_mask("at the end");
}

/* What a child of vfork() does to the memory that it shares is none of its parent's business. */
static void child_changes(int how, sighandler_t handler)
{
	pid_t pid = vfork();

	if (pid == 0) {
		for (int number = 1; number <= SIGRTMAX; number++)
			signal(number, handler);
		for (int number = 1; number <= SIGRTMAX; number++)
			install(number, handler, 0);
		change_all(how);
		execl(bare_program, bare_program, "shown in a new image", (char *)NULL);
		_exit(127);
	}
	bare_show_child("child", pid);
	bare_state("after vfork");
	bare_burn(10);
}

static void changed_by_a_vfork(void)
{
	fflush(stdout);
	child_changes(SIG_BLOCK, SIG_IGN);
	install(SIGUSR1, only_show, 0);
	install(SIGRTMIN, only_show, 0);
	change_all(SIG_BLOCK);
	fflush(stdout);
	child_changes(SIG_UNBLOCK, SIG_DFL);
}

static void hold_and_release(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		sighold(number);
		show_mask("held");
		sigrelse(number);
	}
	for (int number = 1; number <= SIGRTMAX; number++)
		if (number != SIGTERM)
			sighold(number);
	bare_burn(10);
	bare_state("all held");
	for (int number = 1; number <= SIGRTMAX; number++) {
		sigrelse(number);
		show_mask("released");
	}
}

static volatile sig_atomic_t handled;

static void count(int number)
{
	handled += number > 0;
}

static const char *name_of(sighandler_t handler)
{
	return handler == SIG_DFL    ? "default"
	       : handler == SIG_IGN  ? "ignored"
	       : handler == SIG_HOLD ? "held"
	       : handler == SIG_ERR  ? "wrong"
				     : "handled";
}

static void set_each(sighandler_t (*set)(int number, sighandler_t handler))
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (number == SIGKILL || number == SIGSTOP || number == 32 || number == 33)
			continue;
		printf("signal %d was %s", number, name_of(set(number, count)));
		raise(number);
		bare_burn(1);
		printf(", handled %d", handled);
		printf(", was %s", name_of(set(number, SIG_IGN)));
		printf(", was %s\n", name_of(set(number, SIG_DFL)));
	}
	bare_burn(10);
}

static void set_as_in_system_v(void)
{
	set_each(sysv_signal);
	set_each(sigset);
}

static void held_by_their_handlers(void)
{
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		printf("signal %d was %s\n", number, name_of(sigset(number, SIG_HOLD)));
	bare_burn(10);
	show_mask("all held");
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		printf("signal %d was %s\n", number, name_of(sigset(number, count)));
	bare_state("none held");
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		sigignore(number);
	bare_state("ignored");
}

static void interrupting(void)
{
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		bare_show("siginterrupt", siginterrupt(number, 1));
	bare_burn(10);
	for (int number = SIGRTMIN; number < SIGRTMAX; number++)
		signal(number, count);
	bare_state("interrupting");
}

static void show_action(const char *what, int number, const struct sigaction *action)
{
	printf("%s %d: %s, flags %x", what, number, name_of(action->sa_handler),
	       (unsigned)action->sa_flags);
	for (int i = 1; i <= SIGRTMAX; i++)
		if (sigismember(&action->sa_mask, i) == 1)
			printf(" %d", i);
	putchar('\n');
}

static void show_actions(void)
{
	struct sigaction action;

	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		if (sigaction(number, NULL, &action) == 0)
			show_action("is", number, &action);
}

/* Whatever the program takes or gives back, all actions are what it left there. */
static void taken_and_given_back(void)
{
	struct sigaction handled_ = {.sa_handler = count, .sa_flags = SA_NODEFER}, old;

	sigaddset(&handled_.sa_mask, SIGUSR1);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		siginterrupt(number, 0);
	show_actions();
	for (int number = SIGRTMAX; number >= SIGRTMIN; number--) {
		sigaction(number, &handled_, &old);
		show_action("was", number, &old);
		bare_burn(1);
	}
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
		signal(number, SIG_DFL);
		sigaction((number * 7) % 31 + SIGRTMIN, &handled_, &old);
		show_action("before", (number * 7) % 31 + SIGRTMIN, &old);
		signal(number, count);
		raise(number);
	}
	show_actions();
}

static void *show_in_thread(void *unused)
{
	show_mask("in the thread");
	bare_burn(10);
	bare_state("in the thread");
	return unused;
}

static void run_with(const sigset_t *set)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setsigmask_np(&attributes, set);
	pthread_create(&thread, &attributes, show_in_thread, NULL);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

static void attributes_of_a_thread(void)
{
	sigset_t all, none;

	sigfillset(&all);
	sigemptyset(&none);
	run_with(&all);
	run_with(&none);
	change_all(SIG_BLOCK);
	run_with(&all);
	run_with(&none);
}

static void for_one_call(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
	const struct timespec patience = {.tv_sec = 100};
	sigset_t one, all_but_one;

	install(SIGALRM, only_show, 0);
	sigemptyset(&one);
	sigaddset(&one, SIGALRM);
	sigfillset(&all_but_one);
	sigdelset(&all_but_one, SIGALRM);
	change_all(SIG_BLOCK);
	setitimer(ITIMER_REAL, &soon, NULL);
	bare_show("sigsuspend", sigsuspend(&all_but_one));
	show_mask("after sigsuspend");
	setitimer(ITIMER_REAL, &soon, NULL);
	bare_show("ppoll", ppoll(NULL, 0, &patience, &all_but_one));
	change_all(SIG_UNBLOCK);
	sigprocmask(SIG_BLOCK, &one, NULL); /* until it waits for it */
	setitimer(ITIMER_REAL, &soon, NULL);
	bare_show("pselect", pselect(0, NULL, NULL, NULL, &patience, &all_but_one));
	show_mask("after pselect");
	bare_burn(5);
}

static const struct bare_case cases[] = {
	{"shown in a new image", shown_in_a_new_image},
	{"changed by a handler", changed_by_a_handler},
	{"shown in handlers", shown_in_handlers},
	{"set back by a jump", set_back_by_a_jump},
	{"kept by contexts", kept_by_contexts},
	{"changed by a vfork", changed_by_a_vfork},
	{"hold and release", hold_and_release},
	{"set as in System V", set_as_in_system_v},
	{"held by their handlers", held_by_their_handlers},
	{"interrupting", interrupting},
	{"taken and given back", taken_and_given_back},
	{"attributes of a thread", attributes_of_a_thread},
	{"for one call", for_one_call},
};

BARE_MAIN(cases)
