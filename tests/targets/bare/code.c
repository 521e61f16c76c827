/* SPDX-License-Identifier: MIT */
/* Programs that load code, make code, or look at how they were loaded. */

#include "tests/targets/bare/bare.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/targets/bare/plugin.h"

/* Beside the program. */
static void *load(int flags, Lmid_t where)
{
	char path[4096];
	void *plugin;

	snprintf(path, sizeof(path), "%s-plugin.so", bare_program);
	plugin = where == LM_ID_BASE ? dlopen(path, flags) : dlmopen(where, path, flags);
	printf("plugin: %s\n", plugin ? "loaded" : dlerror());
	return plugin;
}

static void call(void *plugin)
{
	int (*work)(void);

	if (!plugin)
		return;
	*(void **)&work = dlsym(plugin, "bare_plugin_work");
	bare_show("plugin", work());
	bare_show("dlclose", dlclose(plugin));
}

static void plugin(void)
{
	for (int i = 0; i < 3; i++)
		call(load(RTLD_NOW, LM_ID_BASE));
}

static void plugin_bound_to_itself(void)
{
	call(load(RTLD_NOW | RTLD_DEEPBIND, LM_ID_BASE));
}

static void plugin_in_another_namespace(void)
{
	call(load(RTLD_NOW, LM_ID_NEWLM));
}

static void missing_plugin(void)
{
	bare_show("dlopen", dlopen("no-such-library.so", RTLD_NOW) ? 0 : 1);
	puts(dlerror());
	bare_show("no error left", dlerror() == NULL);
}

static void next_function(void)
{
	int (*next)(int, const struct sigaction *, struct sigaction *);
	struct sigaction action;

	*(void **)&next = dlsym(RTLD_NEXT, "sigaction");
	bare_show("sigaction", next(SIGUSR1, NULL, &action));
	bare_show("default", action.sa_handler == SIG_DFL);
	*(void **)&next = dlsym(RTLD_DEFAULT, "sigaction");
	bare_show("sigaction", next(SIGUSR1, NULL, &action));
}

static void where_a_function_is(void)
{
	Dl_info info;

	bare_show("dladdr", dladdr((void *)(uintptr_t)load, &info) != 0);
	bare_show("this program", strcmp(info.dli_fname, bare_program) == 0);
	bare_show("dladdr", dladdr((void *)(uintptr_t)printf, &info) != 0);
	puts(strrchr(info.dli_fname, '/') + 1);
}

static void auxiliary_vector(void)
{
	printf("secure %lu, page %lu, program %s\n", getauxval(AT_SECURE), getauxval(AT_PAGESZ),
	       strcmp((const char *)getauxval(AT_EXECFN), bare_program) == 0 ? "same" : "other");
}

static void code_in_memory(void)
{
#if defined(__x86_64__)
	static const unsigned char text[] = {0xb8, 0, 0, 0, 4, 0xff, 0xc8, 0x75, 0xfc, 0xc3};
#else
	static const uint32_t text[] = {0x52a08000, 0x71000400, 0x54ffffe1, 0xd65f03c0};
#endif
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int (*function)(void);

	memcpy(memory, text, sizeof(text));
	__builtin___clear_cache(memory, (char *)memory + sizeof(text));
	*(void **)&function = memory;
	bare_show("result", function());
	bare_show("munmap", munmap(memory, 4096));
}

static ucontext_t main_context, other_context;

static void on_another_stack(void)
{
	for (int i = 0; i < 5; i++) {
		bare_burn(2);
		swapcontext(&other_context, &main_context);
	}
}

static void coroutine(void)
{
	size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 16384;

	getcontext(&other_context);
	other_context.uc_stack.ss_sp = malloc(size);
	other_context.uc_stack.ss_size = size;
	other_context.uc_link = &main_context;
	makecontext(&other_context, on_another_stack, 0);
	for (int i = 0; i < 5; i++) {
		swapcontext(&main_context, &other_context);
		bare_burn(1);
	}
}

static void heap(void)
{
	char *start = sbrk(0);

	bare_show("brk moved", brk(start + 65536));
	memset(start, 1, 65536);
	bare_burn(5);
	bare_show("grown by", (char *)sbrk(0) - start);
	for (int i = 0; i < 1000; i++)
		free(malloc((size_t)i * 100));
}

static void protected_page(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	bare_show("mprotect", mprotect(page, 4096, PROT_NONE));
	bare_burn(5);
	bare_show("msync", msync(page, 4096, MS_SYNC));
	bare_show("munmap", munmap(page, 4096));
	bare_show("msync", msync(page, 4096, MS_SYNC));
}

static void traced_child(void)
{
	int status, pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	bare_show("stopped at exec", WIFSTOPPED(status) ? WSTOPSIG(status) : -1);
	while (ptrace(PTRACE_CONT, pid, NULL, NULL) == 0 && waitpid(pid, &status, 0) == pid &&
	       WIFSTOPPED(status))
		;
	bare_show("status", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void without_randomisation(void)
{
	personality(ADDR_NO_RANDOMIZE);
	bare_exec("coroutine");
}

static const struct bare_case cases[] = {
	{"plugin", plugin},
	{"plugin bound to itself", plugin_bound_to_itself},
	{"plugin in another namespace", plugin_in_another_namespace},
	{"missing plugin", missing_plugin},
	{"next function", next_function},
	{"where a function is", where_a_function_is},
	{"auxiliary vector", auxiliary_vector},
	{"code in memory", code_in_memory},
	{"coroutine", coroutine},
	{"heap", heap},
	{"protected page", protected_page},
	{"traced child", traced_child},
	{"without randomisation", without_randomisation},
};

BARE_MAIN(cases)
