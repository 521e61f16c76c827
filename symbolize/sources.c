/* SPDX-License-Identifier: MIT */
/* The table of sources of names. */

#include "symbolize/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/debugfile.h"
#include "symbolize/demangle.h"
#include "symbolize/plt.h"
#include "symbolize/rank_parts.h"
#include "symbolize/unwind.h"
#include "symbolize/util.h"

static bool has_symtab(const struct elf_file *file)
{
	return file && elf_file_section_of_type(file, SHT_SYMTAB);
}

static int each_in_symtab(struct sources *sources, const struct elf_file *file,
			  symbol_visitor *visit, void *data)
{
	struct symtab symbols;
	int r = 0;

	if (!has_symtab(file))
		return 0;
	if (symtab_open(file, SHT_SYMTAB, &symbols))
		r = symtab_each(&symbols, visit, data);
	else
		symbols.bad_names = 1;
	if (symbols.bad_names)
		notes_add(sources->notes, "symbols of '%s' are damaged", file->path);
	return r;
}

static int each_static(struct sources *sources, symbol_visitor *visit, void *data)
{
	return each_in_symtab(sources, sources->file, visit, data);
}

const struct elf_file *sources_debug_file(struct sources *sources)
{
	if (!sources->debug_known) {
		sources->debug = debugfile_open(sources->file, sources->notes);
		sources->debug_known = true;
	}
	return sources->debug;
}

/* What is in a debug file was moved there: it has nothing to add to a whole table. */
static int each_separate(struct sources *sources, symbol_visitor *visit, void *data)
{
	if (has_symtab(sources->file))
		return 0;
	return each_in_symtab(sources, sources_debug_file(sources), visit, data);
}

static int each_embedded(struct sources *sources, symbol_visitor *visit, void *data)
{
	if (has_symtab(sources->file) || has_symtab(sources->debug))
		return 0;
	if (!sources->embedded_known) {
		sources->embedded = debugfile_open_embedded(sources->file, sources->notes);
		sources->embedded_known = true;
	}
	return each_in_symtab(sources, sources->embedded, visit, data);
}

static int each_dynamic(struct sources *sources, symbol_visitor *visit, void *data)
{
	struct symtab symbols = sources->dynamic_symbols;

	return sources->has_dynamic_symbols ? symtab_each(&symbols, visit, data) : 0;
}

static int each_stub(struct sources *sources, symbol_visitor *visit, void *data);

/* Of the kinds of PLT sections no file has more. */
#define PLT_SECTIONS_MAX 8

struct filter {
	struct sym_range plts[PLT_SECTIONS_MAX];
	size_t plt_count;
	symbol_visitor *visit;
	void *data;
};

static void find_plts(const struct elf_file *file, struct filter *filter)
{
	for (size_t i = 0; i < file->section_count && filter->plt_count < PLT_SECTIONS_MAX; i++) {
		const GElf_Shdr *header = &file->sections[i].header;

		if (plt_is_section(&file->sections[i]))
			filter->plts[filter->plt_count++] = (struct sym_range){
				header->sh_addr, header->sh_addr + header->sh_size};
	}
}

/* Linkers describe all stubs by one entry as if they were a function. */
static int visit_outside_plt(void *data, const struct symbol *symbol)
{
	const struct filter *filter = data;

	for (size_t i = 0; i < filter->plt_count; i++)
		if (symbol->start >= filter->plts[i].start && symbol->start < filter->plts[i].end)
			return 0;
	return filter->visit(filter->data, symbol);
}

static int each_unwound(struct sources *sources, symbol_visitor *visit, void *data)
{
	struct filter filter = {.visit = visit, .data = data};

	find_plts(sources->file, &filter);
	return unwind_each(sources->file, visit_outside_plt, &filter);
}

static const struct {
	const char *name;
	int (*each)(struct sources *sources, symbol_visitor *visit, void *data);
	bool is_symbol_table;
} table[] = {
	{".symtab", each_static, true},
	{"debug file", each_separate, true},
	{".gnu_debugdata", each_embedded, true},
	{".dynsym", each_dynamic, true},
	{".plt", each_stub, false},
	{".eh_frame", each_unwound, false},
};

static int each_symbol(struct sources *sources, symbol_visitor *visit, void *data)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(table) && r == 0; i++)
		if (table[i].is_symbol_table)
			r = table[i].each(sources, visit, data);
	return r;
}

void sources_open(struct sources *sources, const struct elf_file *file, struct arena *arena,
		  struct notes *notes)
{
	*sources = (struct sources){.file = file, .arena = arena, .notes = notes};
	sources->has_dynamic = dynamic_load(file, &sources->dynamic);
	sources->has_dynamic_symbols =
		symtab_open(file, SHT_DYNSYM, &sources->dynamic_symbols) ||
		(sources->has_dynamic &&
		 symtab_open_dynamic(&sources->dynamic, &sources->dynamic_symbols));
}

void sources_close(struct sources *sources)
{
	elf_file_close(sources->debug);
	elf_file_close(sources->embedded);
	free(sources->stubs);
	name_set_done(&sources->functions);
}

static int stop_at_once(void *data, const struct symbol *symbol)
{
	(void)data;
	(void)symbol;
	return 1;
}

struct walk {
	struct sources *sources;
	size_t source; /* in the table */
};

static int walk_source(void *data, symbol_visitor *visit, void *visitor_data)
{
	const struct walk *walk = data;

	return table[walk->source].each(walk->sources, visit, visitor_data);
}

/* What a source opens when it is first asked is there before several threads ask it. */
static int open_source(struct walk *walk)
{
	int r = walk_source(walk, stop_at_once, NULL);

	return r < 0 ? r : 0;
}

static int offer_all(struct sources *sources, struct rank_parts *parts)
{
	struct walk walk = {.sources = sources};
	size_t unanswered = rank_parts_unanswered(parts);

	for (; walk.source < ARRAY_SIZE(table) && unanswered; walk.source++) {
		const size_t before = unanswered;
		int r = parts->count > 1 ? open_source(&walk) : 0;

		if (r == 0)
			r = rank_parts_offer(parts, walk_source, &walk);
		if (r < 0)
			return r;
		unanswered = rank_parts_unanswered(parts);
		if (!sources->used && unanswered < before)
			sources->used = table[walk.source].name;
	}
	return 0;
}

int sources_rank(struct sources *sources, const uint64_t *addresses, size_t count,
		 struct rank *ret_rank)
{
	struct rank_parts parts;
	int r = rank_parts_init(&parts, addresses, count);

	if (r == 0)
		r = offer_all(sources, &parts);
	if (r == 0)
		return rank_parts_join(&parts, ret_rank);
	rank_parts_done(&parts);
	return r;
}

static int offer_ifunc(void *rank, const struct symbol *symbol)
{
	return symbol->type == STT_GNU_IFUNC ? rank_offer(rank, symbol) : 0;
}

/*
 * A stub of one of this file's own IFUNCs is called by the IFUNC's name, which is a symbol at the
 * resolver's address.
 */
static int name_resolvers(struct sources *sources, const uint64_t *addresses, size_t count,
			  struct rank *rank)
{
	int r = rank_init(rank, addresses, count);

	if (r == 0 && count)
		r = each_symbol(sources, offer_ifunc, rank);
	if (r == 0)
		rank_settle(rank);
	return r;
}

static const char *target_of(const struct plt_stub *stub, const struct rank *rank)
{
	const struct symbol *resolver;

	if (stub->target)
		return stub->target;
	resolver =
		rank_answer(rank, rank_lower_bound(rank->addresses, rank->count, stub->resolver));
	return resolver && resolver->start == stub->resolver ? resolver->name : NULL;
}

static const char *add_suffix(struct arena *arena, const char *target)
{
	const size_t length = strlen(target);
	char *name = arena_alloc(arena, length + sizeof("@plt"));

	if (name) {
		memcpy(name, target, length);
		memcpy(name + length, "@plt", sizeof("@plt"));
	}
	return name;
}

static int name_stubs(struct sources *sources, const struct plt_stub *stubs, size_t count,
		      const struct rank *resolvers)
{
	sources->stubs = calloc(count + 1, sizeof(*sources->stubs));
	if (!sources->stubs)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *target = target_of(&stubs[i], resolvers);
		struct symbol *symbol = &sources->stubs[sources->stub_count];

		if (!target)
			continue;
		*symbol = (struct symbol){.start = stubs[i].start,
					  .end = stubs[i].end,
					  .limit = stubs[i].end,
					  .name = add_suffix(sources->arena, target),
					  .type = STT_FUNC};
		if (!symbol->name)
			return -ENOMEM;
		sources->stub_count++;
	}
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static int load_stubs(struct sources *sources)
{
	AUTO_FREE struct plt_stub *stubs = NULL;
	AUTO_FREE uint64_t *resolvers = NULL;
	size_t count = 0, resolver_count = 0;
	struct rank rank;
	int r = plt_load(sources->file, sources->has_dynamic ? &sources->dynamic : NULL,
			 sources->has_dynamic_symbols ? &sources->dynamic_symbols : NULL, &stubs,
			 &count);

	if (r < 0)
		return r;
	resolvers = calloc(count + 1, sizeof(*resolvers));
	if (!resolvers)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!stubs[i].target)
			resolvers[resolver_count++] = stubs[i].resolver;
	qsort(resolvers, resolver_count, sizeof(*resolvers), compare_addresses);
	r = name_resolvers(sources, resolvers, resolver_count, &rank);
	if (r == 0)
		r = name_stubs(sources, stubs, count, &rank);
	rank_done(&rank);
	return r;
}

static int each_stub(struct sources *sources, symbol_visitor *visit, void *data)
{
	int r = 0;

	if (!sources->stubs_known) {
		r = load_stubs(sources);
		sources->stubs_known = true;
	}
	for (size_t i = 0; i < sources->stub_count && r == 0; i++)
		r = visit(data, &sources->stubs[i]);
	return r;
}

static int add_name(void *set, const struct symbol *symbol)
{
	if (demangle_is_mangled(symbol->name))
		return 0;
	return name_set_add(set, symbol->name,
			    (size_t)(strchrnul(symbol->name, '@') - symbol->name));
}

/* What the next source has that was not asked yet. */
static int load_functions(struct sources *sources)
{
	const size_t next = sources->functions_from++;
	int r = 0;

	if (table[next].is_symbol_table)
		r = table[next].each(sources, add_name, &sources->functions);
	elf_file_forget(sources->file);
	return r;
}

int sources_find_function(struct sources *sources, const char *name, size_t length)
{
	if (demangle_is_mangled(name))
		return 1;
	if (elf_file_section(sources->file, ".gopclntab"))
		return 0;
	while (!name_set_has(&sources->functions, name, length)) {
		int r;

		if (sources->functions_from == ARRAY_SIZE(table))
			return 0;
		r = load_functions(sources);
		if (r < 0)
			return r;
	}
	return 1;
}

static int cut_at_sections(const struct elf_file *file, struct cuts *cuts)
{
	for (size_t i = 0; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];
		int r;

		if (!elf_section_is_code(section))
			continue;
		r = cuts_add(cuts, section->header.sh_addr);
		if (r == 0)
			r = cuts_add(cuts, section->header.sh_addr + section->header.sh_size);
		if (r < 0)
			return r;
	}
	return 0;
}

int sources_cut(struct sources *sources, struct cuts *cuts)
{
	int r = cut_at_sections(sources->file, cuts);

	for (size_t i = 0; i < ARRAY_SIZE(table) && r == 0; i++)
		r = table[i].each(sources, cuts_add_symbol, cuts);
	return r;
}
