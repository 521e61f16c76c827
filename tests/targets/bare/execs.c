/* SPDX-License-Identifier: MIT */
/* Programs that become other programs, or start them. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void spawn_with_attributes(void)
{
	char *command[] = {(char[]){"sh"}, (char[]){"-c"},
			   (char[]){"cat; grep Sig[BI] /proc/self/status; exit 3"}, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t set;
	pid_t pid;

	fflush(stdout);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attributes, &set);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/etc/hostname", O_RDONLY, 0);
	bare_show("spawn", posix_spawn(&pid, "/bin/sh", &actions, &attributes, command, environ));
	bare_show_child("child", pid);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
}

static void spawn_that_fails(void)
{
	char *command[] = {(char[]){"none"}, NULL};
	pid_t pid;

	bare_show("none", posix_spawn(&pid, "/no/such/program", NULL, NULL, command, environ));
	bare_show("text", posix_spawn(&pid, "/etc/hostname", NULL, NULL, command, environ));
	bare_show("none in PATH", posix_spawnp(&pid, "no-such", NULL, NULL, command, environ));
	bare_show("found in PATH", posix_spawnp(&pid, "true", NULL, NULL, command, environ));
	bare_show_child("child", pid);
}

static void commands(void)
{
	fflush(stdout);
	bare_show("exit", WEXITSTATUS(system("exit 5")));
	bare_show("signal", WTERMSIG(system("kill -TERM $$")));
	bare_show("none", WEXITSTATUS(system("/no/such/command 2>/dev/null")));
	bare_show("a shell", system(NULL) != 0);
}

static void command_that_writes(void)
{
	char line[64] = "";
	FILE *stream = popen("echo written; exit 2", "r");

	printf("read %s", fgets(line, sizeof(line), stream));
	bare_show("status", WEXITSTATUS(pclose(stream)));
	fflush(stdout);
	stream = popen("cat; exit 3", "w");
	fputs("passed on\n", stream);
	bare_show("status", WEXITSTATUS(pclose(stream)));
}

static void exec_this(void)
{
	bare_burn(5);
	bare_exec("show what is inherited");
}

static void chain_of_execs(void)
{
	const char *left = getenv("CHAIN");
	char next[16];

	snprintf(next, sizeof(next), "%d", left ? atoi(left) - 1 : 10);
	bare_burn(2);
	if (next[0] == '0')
		return;
	setenv("CHAIN", next, 1);
	bare_exec("chain of execs");
}

static void execs_that_fail(void)
{
	char *command[] = {(char[]){"none"}, NULL};
	const char *volatile nowhere = (const char *)8, *volatile null = NULL;
	char path[5000];

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	bare_show("none", execve("/no/such/program", command, environ));
	bare_show("text", execve("/etc/hostname", command, environ));
	bare_show("folder", execve("/etc", command, environ));
	bare_show("empty", execve("", command, environ));
	bare_show("long", execve(path, command, environ));
	bare_show("no pointer", execve(nowhere, command, environ));
	bare_show("no path", execve(null, command, environ));
	bare_show("closed", fexecve(99, command, environ));
	bare_show("none in PATH", execvp("no-such-program", command));
	bare_show("list", execl("/no/such/program", "a", "b", (char *)NULL));
	bare_show("at", execveat(99, "none", command, environ, 0));
	bare_burn(5);
}

static void too_much_for_exec(void)
{
	size_t size = 4 << 20;
	char *argument = malloc(size), *command[] = {argument, NULL};

	memset(argument, 'a', size - 1);
	argument[size - 1] = '\0';
	bare_show("exec", execve("/bin/true", command, environ));
	bare_burn(5);
}

static void exec_of_text(void)
{
	int fd = open("text", O_CREAT | O_TRUNC | O_WRONLY, 0755);

	dprintf(fd, "echo a shell runs it; exit 8\n");
	close(fd);
	fflush(stdout);
	execlp("./text", "./text", (char *)NULL);
	bare_show("exec", -1);
}

static void exec_of_a_script(void)
{
	int fd = open("script", O_CREAT | O_TRUNC | O_WRONLY, 0755);

	dprintf(fd, "#!/usr/bin/env -S cat -n\nof a script\n");
	close(fd);
	fflush(stdout);
	execl("./script", "./script", (char *)NULL);
	bare_show("exec", -1);
}

static void exec_of_a_descriptor(void)
{
	char *command[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo \"$0\"; exit 4"}, NULL};

	fflush(stdout);
	fexecve(open("/bin/sh", O_RDONLY), command, environ);
	bare_show("exec", -1);
}

static void exec_with_all_blocked(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGRTMAX - 2, SIG_IGN);
	bare_burn(5);
	bare_exec("show what is inherited");
}

static void show_what_is_inherited(void)
{
	bare_state("inherited");
	bare_burn(5);
}

static void *exec_there(void *unused)
{
	bare_burn(5);
	bare_exec("show what is inherited");
	return unused;
}

static void exec_in_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_there, NULL);
	pthread_join(thread, NULL);
}

static const struct bare_case cases[] = {
	{"spawn with attributes", spawn_with_attributes},
	{"spawn that fails", spawn_that_fails},
	{"commands", commands},
	{"command that writes", command_that_writes},
	{"exec", exec_this},
	{"chain of execs", chain_of_execs},
	{"execs that fail", execs_that_fail},
	{"too much for exec", too_much_for_exec},
	{"exec of text", exec_of_text},
	{"exec of a script", exec_of_a_script},
	{"exec of a descriptor", exec_of_a_descriptor},
	{"exec with all blocked", exec_with_all_blocked},
	{"show what is inherited", show_what_is_inherited},
	{"exec in a thread", exec_in_a_thread},
};

BARE_MAIN(cases)
