/* SPDX-License-Identifier: MIT */
/*
 * Completion scripts for shells. An option completes to its choices where its table has some, to
 * files where its value is called FILE; the first operand to commands and programs, what follows a
 * program as that program's own.
 */

#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "symbolize/util.h"

static bool takes_file(const struct option *option)
{
	return option->value && strcmp(option->value, "FILE") == 0;
}

static void print_choices(const struct option *option)
{
	const char *name;

	for (size_t i = 0; (name = option->choices(i)); i++)
		printf("%s%s", i ? " " : "", name);
}

/* @text with a backslash before each of @special; a quote is left out, as shells differ there. */
static void print_escaped(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			continue;
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_commands(void)
{
	const struct command *command;

	for (size_t i = 0; (command = command_at(i)); i++)
		printf("%s%s", i ? " " : "", command->name);
}

static const char bash_start[] = "# bash completion for profrun\n"
				 "_profrun()\n"
				 "{\n"
				 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} option= i\n"
				 "\tCOMPREPLY=()\n"
				 "\tif [[ $cur == = ]]; then\n"
				 "\t\toption=${COMP_WORDS[COMP_CWORD - 1]} cur=\n"
				 "\telif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
				 "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
				 "\telse\n"
				 "\t\toption=${COMP_WORDS[COMP_CWORD - 1]}\n"
				 "\tfi\n";

static const char bash_operands[] =
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase ${COMP_WORDS[i]} in\n"
	"\t\t=) ((i++)) ;;\n"
	"\t\t-*) [[ \" $with_value \" == *\" ${COMP_WORDS[i]} \"* && ${COMP_WORDS[i + 1]} != = ]] "
	"&&\n"
	"\t\t\t((i++)) ;;\n"
	"\t\trun | doctor) COMPREPLY=($(compgen -c -- \"$cur\")); return ;;\n"
	"\t\t*) compopt -o default; return ;;\n"
	"\t\tesac\n"
	"\tdone\n";

static void print_bash_option(const struct option *option)
{
	if (!option->choices && !takes_file(option))
		return;
	printf("\t--%s", option->name);
	if (option->letter)
		printf(" | -%c", option->letter);
	printf(") COMPREPLY=($(compgen ");
	if (option->choices) {
		printf("-W '");
		print_choices(option);
		printf("'");
	} else {
		printf("-f");
	}
	puts(" -- \"$cur\")); return ;;");
}

static void print_bash(void)
{
	const struct option *option;

	fputs(bash_start, stdout);
	fputs("\tlocal with_value='", stdout);
	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->help && option->value && !option->implied)
			printf("--%s ", option->name);
	}
	puts("-o'\n\tcase $option in");
	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->help)
			print_bash_option(option);
	}
	puts("\tesac");
	fputs(bash_operands, stdout);
	fputs("\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", stdout);
	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->help)
			printf("--%s ", option->name);
	}
	fputs("' -- \"$cur\"))\n\t\treturn\n\tfi\n\tCOMPREPLY=($(compgen -c -W '", stdout);
	print_commands();
	puts("' -- \"$cur\"))\n}\ncomplete -F _profrun profrun");
}

/* '(-o --output)'{-o,--output}'=[where the report goes]:FILE:_files' */
static void print_zsh_option(const struct option *option)
{
	fputs("\t\t", stdout);
	if (option->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
		       option->value ? "+" : "", option->name, option->value ? "=" : "");
	else
		printf("'--%s%s", option->name,
		       option->implied ? "=-" : (option->value ? "=" : ""));
	putchar('[');
	print_escaped(option->help, "[]:");
	putchar(']');
	if (option->value)
		printf(option->implied ? "::%s:" : ":%s:", option->value);
	if (option->choices) {
		putchar('(');
		print_choices(option);
		putchar(')');
	} else if (takes_file(option)) {
		fputs("_files", stdout);
	}
	puts("' \\");
}

static void print_zsh(void)
{
	const struct command *command;
	const struct option *option;

	puts("#compdef profrun\n"
	     "_profrun()\n"
	     "{\n"
	     "\tlocal context state state_descr line\n"
	     "\ttypeset -A opt_args\n"
	     "\t_arguments -S -A '-*' \\");
	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->help)
			print_zsh_option(option);
	}
	puts("\t\t'1: :->first' '*:: :->rest'\n"
	     "\tcase $state in\n"
	     "\tfirst)\n"
	     "\t\tlocal -a commands=(");
	for (size_t i = 0; (command = command_at(i)); i++) {
		printf("\t\t\t'%s:", command->name);
		print_escaped(command->summary, ":");
		puts("'");
	}
	puts("\t\t)\n"
	     "\t\t_describe command commands\n"
	     "\t\t_command_names -e\n"
	     "\t\t;;\n"
	     "\trest)\n"
	     "\t\tcase $line[1] in\n"
	     "\t\trun | doctor) _normal -p profrun ;;\n"
	     "\t\treport | diff | annotate | symbolize) _files ;;\n"
	     "\t\t*) words=($line[1] $words) CURRENT=$((CURRENT + 1)); _normal -p profrun ;;\n"
	     "\t\tesac\n"
	     "\t\t;;\n"
	     "\tesac\n"
	     "}\n"
	     "_profrun \"$@\"");
}

static void print_fish_option(const struct option *option)
{
	printf("complete -c profrun -n __fish_use_subcommand -l %s", option->name);
	if (option->letter)
		printf(" -s %c", option->letter);
	if (option->choices) {
		fputs(" -x -a '", stdout);
		print_choices(option);
		putchar('\'');
	} else if (takes_file(option)) {
		fputs(" -r -F", stdout);
	} else if (option->value && !option->implied) {
		fputs(" -x", stdout);
	}
	fputs(" -d '", stdout);
	print_escaped(option->help, "\\");
	puts("'");
}

static void print_fish(void)
{
	const struct command *command;
	const struct option *option;

	puts("# fish completion for profrun\n"
	     "complete -c profrun -f -n __fish_use_subcommand -a '(__fish_complete_command)'");
	for (size_t i = 0; (command = command_at(i)); i++) {
		printf("complete -c profrun -f -n __fish_use_subcommand -a %s -d '", command->name);
		print_escaped(command->summary, "\\");
		puts("'");
	}
	for (size_t i = 0; (option = options_at(i)); i++) {
		if (option->help)
			print_fish_option(option);
	}
}

static const struct {
	const char *name;
	void (*print)(void);
} shells[] = {
	{"bash", print_bash},
	{"zsh", print_zsh},
	{"fish", print_fish},
};

const char *completion_shell(size_t index)
{
	return index < ARRAY_SIZE(shells) ? shells[index].name : NULL;
}

void completion_print(size_t index)
{
	shells[index].print();
}
