/* SPDX-License-Identifier: MIT */
/* `profrun symbolize OBJECT [ADDRESS...]`: what addr2line -f -i -a does, on its own. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/fetching.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/report/address_list.h"
#include "cli/report/json_text.h"
#include "cli/report/report.h"
#include "symbolize/symbolize.h"
#include "symbolize/util.h"

/* Answers are flushed once a batch of them is complete. */
#define OUTPUT_BUFFER ((size_t)64 * 1024)

/* How an answer is written: what stands before and behind its frames, with its address. */
struct answer_form {
	const char *name; /* of the report format that is called the same */
	void (*write_address)(FILE *stream, uint64_t address);
	void (*write_frames)(FILE *stream, const struct sym_answer *answer);
	const char *end;
};

struct symbolizing {
	const struct options *options;
	const struct answer_form *form;
	struct sym_object *object;
	struct output output;
	size_t notes_said;
	/* What was written of the last answer's frames: neighbours have the same. */
	const struct sym_frame *frames;
	FILE *text_stream; /* NULL: none yet */
	char *text;
	size_t text_size;
};

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\177';
}

/* Without leaving early, which a compiler makes into a few instructions. */
static bool has_control(const char *text, size_t length)
{
	bool found = false;

	for (size_t i = 0; i < length; i++)
		found |= is_control(text[i]);
	return found;
}

/* A name must not drive the terminal, nor look like two lines. */
static void write_line(FILE *stream, const char *text)
{
	const size_t length = strlen(text);

	if (!has_control(text, length)) {
		fwrite_unlocked(text, 1, length, stream);
		return;
	}
	for (; *text; text++)
		putc_unlocked(is_control(*text) ? '?' : *text, stream);
}

static void write_address_line(FILE *stream, uint64_t address)
{
	char line[] = "0x0123456789abcdef\n";

	for (size_t i = 0; i < 16; i++, address >>= 4)
		line[2 + 15 - i] = "0123456789abcdef"[address & 0xf];
	fwrite_unlocked(line, 1, sizeof(line) - 1, stream);
}

static void write_lines(FILE *stream, const struct sym_answer *answer)
{
	if (answer->frame_count == 0)
		fputs_unlocked("??\n??:0\n", stream);
	for (size_t i = 0; i < answer->frame_count; i++) {
		const struct sym_frame *frame = &answer->frames[i];

		write_line(stream, frame->function);
		putc_unlocked('\n', stream);
		write_line(stream, frame->file ? frame->file : "??");
		fprintf(stream, ":%u\n", frame->line);
	}
}

static struct json_object *make_frame(const struct sym_frame *frame)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "function", json_text_new(frame->function));
	if (frame->file)
		json_object_object_add(object, "file", json_text_new(frame->file));
	if (frame->line)
		json_object_object_add(object, "line", json_object_new_int64(frame->line));
	return object;
}

static void write_json_address(FILE *stream, uint64_t address)
{
	fprintf(stream, "{\"address\":\"0x%" PRIx64 "\",\"frames\":", address);
}

static void write_json_frames(FILE *stream, const struct sym_answer *answer)
{
	const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	struct json_object *frames = json_object_new_array();

	for (size_t i = 0; i < answer->frame_count; i++)
		json_object_array_add(frames, make_frame(&answer->frames[i]));
	fputs(json_object_to_json_string_ext(frames, style), stream);
	json_object_put(frames);
}

static const struct answer_form forms[] = {
	{"text", write_address_line, write_lines, ""},
	{"json", write_json_address, write_json_frames, "}\n"},
};

static const struct answer_form *find_form(const struct options *options)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (strcmp(forms[i].name, options->format->name) == 0)
			return &forms[i];
	return NULL;
}

static unsigned flags_of(const struct options *options)
{
	unsigned flags = SYM_LINES;

	if (options->inlines)
		flags |= SYM_INLINES;
	if (!options->demangle)
		flags |= SYM_NO_DEMANGLE;
	if (options->clones)
		flags |= SYM_CLONES;
	return flags;
}

static void say_notes(struct symbolizing *symbolizing)
{
	const char *note;

	while ((note = sym_object_note(symbolizing->object, symbolizing->notes_said))) {
		if (!symbolizing->options->quiet)
			message_print("%s", note);
		symbolizing->notes_said++;
	}
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static bool is_sorted(const uint64_t *addresses, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (addresses[i - 1] > addresses[i])
			return false;
	return true;
}

/* A sorted copy without doubles, as questions are asked. */
static uint64_t *sort_unique(const struct address_list *list, size_t *ret_count)
{
	uint64_t *sorted = malloc((list->count + 1) * sizeof(*sorted));
	size_t kept = 0;

	if (!sorted)
		return NULL;
	if (list->count) {
		memcpy(sorted, list->items, list->count * sizeof(*sorted));
		if (!is_sorted(sorted, list->count))
			qsort(sorted, list->count, sizeof(*sorted), compare_addresses);
	}
	for (size_t i = 0; i < list->count; i++)
		if (kept == 0 || sorted[i] != sorted[kept - 1])
			sorted[kept++] = sorted[i];
	*ret_count = kept;
	return sorted;
}

/* Most often the next one: lists of addresses tend to be sorted. */
static size_t find_place(const uint64_t *sorted, size_t count, size_t next, uint64_t address)
{
	const uint64_t *place;

	if (next < count && sorted[next] == address)
		return next;
	place = bsearch(&address, sorted, count, sizeof(*sorted), compare_addresses);
	return (size_t)(place - sorted);
}

static int make_text(struct symbolizing *symbolizing, const struct sym_answer *answer)
{
	if (!symbolizing->text_stream)
		symbolizing->text_stream =
			open_memstream(&symbolizing->text, &symbolizing->text_size);
	if (!symbolizing->text_stream)
		return -ENOMEM;
	rewind(symbolizing->text_stream);
	symbolizing->form->write_frames(symbolizing->text_stream, answer);
	symbolizing->frames = answer->frames;
	return fflush(symbolizing->text_stream) == 0 ? 0 : -ENOMEM;
}

static int write_answer(struct symbolizing *symbolizing, uint64_t address,
			const struct sym_answer *answer)
{
	FILE *stream = symbolizing->output.stream;

	if ((!symbolizing->text_stream || answer->frames != symbolizing->frames) &&
	    make_text(symbolizing, answer) < 0)
		return -ENOMEM;
	symbolizing->form->write_address(stream, address);
	fwrite_unlocked(symbolizing->text, 1, symbolizing->text_size, stream);
	fputs_unlocked(symbolizing->form->end, stream);
	return 0;
}

/* Finds and writes the answers in the order asked. */
static int answer_list(struct symbolizing *symbolizing, const struct address_list *list,
		       struct error *err)
{
	size_t count = 0;
	AUTO_FREE uint64_t *sorted = sort_unique(list, &count);
	AUTO_FREE struct sym_answer *answers = calloc(count + 1, sizeof(*answers));
	FILE *stream = symbolizing->output.stream;
	int r;

	if (!sorted || !answers)
		return error_set(err, -ENOMEM, "cannot find names: ");
	r = sym_object_find(symbolizing->object, sorted, count, flags_of(symbolizing->options),
			    answers, err);
	if (r < 0)
		return r;
	for (size_t i = 0, place = 0; i < list->count && r == 0; i++, place++) {
		place = find_place(sorted, count, place, list->items[i]);
		r = write_answer(symbolizing, list->items[i], &answers[place]);
	}
	if (r < 0)
		return error_set(err, r, "cannot write names: ");
	say_notes(symbolizing);
	return fflush(stream) == 0 || errno == EPIPE
		       ? 0
		       : error_set(err, -errno, "cannot write to %s: ",
				   symbolizing->output.shown ? symbolizing->output.shown
							     : "stdout");
}

static int answer_arguments(struct symbolizing *symbolizing, struct error *err)
{
	struct address_list list = {NULL, 0, 0};
	int r = 0;

	for (char **argument = symbolizing->options->argv + 1; *argument && r == 0; argument++)
		r = address_list_add(&list, *argument, err);
	if (r == 0)
		r = answer_list(symbolizing, &list, err);
	address_list_done(&list);
	return r;
}

static int answer_lines(struct symbolizing *symbolizing, struct error *err)
{
	struct address_lines lines = {.fd = STDIN_FILENO};
	struct address_list list = {NULL, 0, 0};
	struct error bad_line;
	int r, answered = 0;

	do {
		r = address_lines_read(&lines, &list, &bad_line);
		answered = answer_list(symbolizing, &list, err);
	} while (r > 0 && answered == 0);
	if (answered == 0 && r < 0)
		*err = bad_line;
	address_lines_done(&lines);
	address_list_done(&list);
	return answered < 0 ? answered : r;
}

static int symbolize(struct symbolizing *symbolizing, struct error *err)
{
	static char buffer[OUTPUT_BUFFER];
	const struct options *options = symbolizing->options;
	int r;

	symbolizing->form = find_form(options);
	if (!symbolizing->form)
		return error_set(err, -EINVAL, "symbolize writes text or json, not %s",
				 options->format->name);
	r = sym_object_open(options->argv[0], NULL, &symbolizing->object, err);
	if (r < 0)
		return r;
	r = output_open(options->output, STDOUT_FILENO, 0666, &symbolizing->output, err);
	if (r < 0)
		return r;
	setvbuf(symbolizing->output.stream, buffer, _IOFBF, sizeof(buffer));
	fetching_begin(options);
	r = options->argv[1] ? answer_arguments(symbolizing, err) : answer_lines(symbolizing, err);
	fetching_end(options);
	if (r == 0)
		r = output_commit(&symbolizing->output, err);
	output_done(&symbolizing->output);
	return r;
}

int cmd_symbolize(const struct options *options)
{
	struct symbolizing symbolizing = {.options = options};
	struct error err;
	int r = symbolize(&symbolizing, &err);

	if (r < 0)
		message_print("%s", err.text);
	else if (options->verbose && sym_object_source(symbolizing.object))
		message_print("names from %s", sym_object_source(symbolizing.object));
	sym_object_close(symbolizing.object);
	if (symbolizing.text_stream)
		fclose(symbolizing.text_stream);
	free(symbolizing.text);
	return r < 0 ? EXIT_PROFRUN : EXIT_SUCCESS;
}
