/* SPDX-License-Identifier: MIT */
/* Programs that use descriptors in all the ways that a guest among them could disturb. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void numbers_of_files(void)
{
	int fds[5];

	for (int i = 0; i < 5; i++) {
		fds[i] = open("/dev/null", O_RDONLY);
		bare_show("open", fds[i]);
		bare_burn(1);
	}
	for (int i = 0; i < 5; i++)
		close(fds[i]);
}

static void close_everything(void)
{
	closefrom(3);
	bare_burn(5);
	bare_show("open", open("/dev/null", O_RDONLY));
}

static void close_the_range(void)
{
	bare_show("close_range", close_range(3, ~0U, 0));
	bare_burn(5);
	bare_show("open", open("/dev/null", O_RDONLY));
}

static void close_one_by_one(void)
{
	int closed = 0;

	for (int fd = 3; fd < 1024; fd++)
		closed += close(fd) == 0;
	bare_burn(5);
	bare_show("closed", closed);
}

/* Whoever writes to descriptor 2 then writes into the file. */
static void file_in_the_place_of_stderr(void)
{
	char text[64] = "";
	int fd;

	close(2);
	fd = open("file", O_CREAT | O_TRUNC | O_RDWR, 0644);
	bare_show("number", fd);
	bare_burn(10);
	bare_show("write", write(fd, "data", 4));
	bare_show("pread", pread(fd, text, sizeof(text), 0));
	puts(text);
}

static void end_of_input(void)
{
	char text[16];

	bare_show("read", read(0, text, sizeof(text)));
	bare_show("getchar", getchar() == EOF);
}

static void closed_output(void)
{
	ssize_t size;

	fflush(stdout);
	close(1);
	bare_burn(5);
	size = write(1, "x", 1);
	fprintf(stderr, "write: %zd %s\n", size, strerrorname_np(errno));
	_exit(puts("text") == EOF || fflush(stdout) == EOF ? 4 : 5);
}

static void all_closed(void)
{
	fflush(stdout);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	bare_burn(5);
	_exit(open("/dev/null", O_RDWR) == 0 ? 6 : 7);
}

static void closed_for_a_child(void)
{
	fflush(stdout);
	bare_show("status", WEXITSTATUS(system("exec <&- >&- 2>&-; ls /proc/self/fd; exit 4")));
}

static void both_streams(void)
{
	for (int i = 0; i < 5; i++) {
		printf("to stdout %d\n", i);
		fprintf(stderr, "to stderr %d\n", i);
		bare_burn(2);
	}
}

static void writer(int fd, size_t count)
{
	char block[1000];

	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < count; i++)
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			_exit(1);
	_exit(0);
}

static void much_through_a_pipe(void)
{
	char block[4096];
	long sum = 0;
	ssize_t size;
	int fds[2], pid;

	fflush(stdout);
	if (pipe(fds) < 0)
		return;
	pid = fork();
	if (pid == 0)
		writer(fds[1], 5000);
	close(fds[1]);
	while ((size = read(fds[0], block, sizeof(block))) > 0)
		sum += size;
	bare_show("sum", sum);
	bare_show_child("writer", pid);
	close(fds[0]);
}

static void standard_streams(void)
{
	bare_show("terminal", isatty(1));
	bare_show("fileno", fileno(stderr));
	bare_show("unbuffered", setvbuf(stdout, NULL, _IONBF, 0));
	fputs("unbuffered\n", stdout);
	bare_show("append", fcntl(1, F_GETFL) & O_APPEND);
	bare_show("seek", lseek(0, 0, SEEK_CUR));
}

static void locks(void)
{
	int fd = open("locked", O_CREAT | O_RDWR, 0644), pid;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	bare_show("lock", fcntl(fd, F_SETLK, &lock));
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		lock.l_type = F_WRLCK;
		_exit(fcntl(fd, F_SETLK, &lock) < 0 && errno == EAGAIN ? 4 : 5);
	}
	bare_burn(5);
	bare_show_child("child", pid);
	close(fd);
}

static void ready_descriptors(void)
{
	struct pollfd poll_fd = {.events = POLLIN};
	struct timeval patience = {.tv_sec = 1000};
	int fds[2];
	fd_set set;

	if (pipe(fds) < 0)
		return;
	poll_fd.fd = fds[0];
	bare_show("poll", poll(&poll_fd, 1, 0));
	bare_show("write", write(fds[1], "x", 1));
	bare_show("poll", poll(&poll_fd, 1, -1));
	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	bare_show("select", select(fds[0] + 1, &set, NULL, NULL, &patience));
	bare_show("what is left", patience.tv_sec > 500);
	close(fds[0]);
	close(fds[1]);
}

static void events(void)
{
	struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = 5}};
	int poll_fd = epoll_create1(EPOLL_CLOEXEC), fd = eventfd(0, 0);

	bare_show("add", epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event));
	bare_show("none", epoll_wait(poll_fd, &event, 1, 5));
	eventfd_write(fd, 1);
	bare_show("one", epoll_wait(poll_fd, &event, 1, -1));
	bare_show("data", event.data.u32);
	close(fd);
	close(poll_fd);
}

static void timer_descriptor(void)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 10000000}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	unsigned long times = 0;
	double start = bare_now();

	bare_show("set", timerfd_settime(fd, 0, &soon, NULL));
	bare_show("read", read(fd, &times, sizeof(times)));
	bare_show("times", (long)times);
	bare_show_length("timer", start, 10);
	close(fd);
}

static void socket_pair(void)
{
	char text[8] = "";
	int fds[2];

	bare_show("pair", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	bare_show("send", send(fds[0], "hello", 5, 0));
	bare_burn(5);
	bare_show("recv", recv(fds[1], text, sizeof(text), 0));
	puts(text);
	close(fds[0]);
	bare_show("end", recv(fds[1], text, sizeof(text), 0));
	close(fds[1]);
}

static void fifo(void)
{
	char text[8] = "";
	int fd, pid;

	bare_show("mkfifo", mkfifo("fifo", 0600));
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bare_burn(5);
		fd = open("fifo", O_WRONLY);
		_exit(write(fd, "through", 7) == 7 ? 0 : 1);
	}
	fd = open("fifo", O_RDONLY);
	bare_show("read", read(fd, text, sizeof(text) - 1));
	puts(text);
	bare_show_child("writer", pid);
	close(fd);
	unlink("fifo");
}

static void temporary_files(void)
{
	char name[] = "file-XXXXXX";
	FILE *stream = tmpfile();
	int fd = mkstemp(name);

	bare_show("mkstemp", fd);
	fputs("text", stream);
	bare_show("size", ftell(stream));
	bare_show("sendfile", sendfile(fd, fileno(stream), NULL, 100));
	fclose(stream);
	close(fd);
	unlink(name);
}

static void marked_to_be_closed(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	bare_show("kept", dup2(fd, 9));
	bare_show("closed", fcntl(fd, F_DUPFD_CLOEXEC, 20));
	bare_burn(5);
	bare_exec("numbers of files");
}

static const struct bare_case cases[] = {
	{"numbers of files", numbers_of_files},
	{"close everything", close_everything},
	{"close the range", close_the_range},
	{"close one by one", close_one_by_one},
	{"file in the place of stderr", file_in_the_place_of_stderr},
	{"end of input", end_of_input},
	{"closed output", closed_output},
	{"all closed", all_closed},
	{"closed for a child", closed_for_a_child},
	{"both streams", both_streams},
	{"much through a pipe", much_through_a_pipe},
	{"standard streams", standard_streams},
	{"locks", locks},
	{"ready descriptors", ready_descriptors},
	{"events", events},
	{"timer descriptor", timer_descriptor},
	{"socket pair", socket_pair},
	{"FIFO", fifo},
	{"temporary files", temporary_files},
	{"marked to be closed", marked_to_be_closed},
};

BARE_MAIN(cases)
