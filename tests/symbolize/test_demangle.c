/* SPDX-License-Identifier: MIT */
/* Names of C++, Rust and D, and what must stay as it is. */

#include "symbolize/demangle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"
#include "tests/symbolize/feature.h"

static void expect(const char *name, const char *readable)
{
	AUTO_FREE char *result = demangle(name);

	if (readable)
		cr_expect_str_eq(result ? result : "(refused)", readable);
	else
		cr_expect_null(result, "'%s' became '%s'", name, result);
}

Test(demangle, reads_every_scheme)
{
	if (!feature_is_built_in("demangle"))
		cr_skip("built without libiberty");
	expect("_ZN5outer5inner3BoxIiLi7EE3getEi", "outer::inner::Box<int, 7>::get(int)");
	expect("_ZN3sub4modx7generic17h0123456789abcdefE", "sub::modx::generic");
	expect("_RNvNtCs1234_3sub4modx5plain", "sub::modx::plain");
	expect("_D4dmod5plainFiZi", "dmod.plain(int)");
}

Test(demangle, leaves_other_names_alone)
{
	expect("main", NULL);
	expect("_start", NULL);
	expect("_DYNAMIC", NULL);
	expect("_Z", NULL);
	expect("_ZN", NULL);
	expect("", NULL);
}

Test(demangle, gives_up_on_names_that_explode)
{
	/* f<A, A>, each A a pair of the one before: twice as long every time. */
	char name[1024] = "_Z1fI1pIiiE";

	for (int i = 0; i < 40; i++)
		snprintf(name + strlen(name), 16, "S%d_IS%d_S%d_E", 0, i, i);
	strcat(name, "Evv");
	free(demangle(name));
}

Test(demangle, survives_deep_and_endless_names)
{
	AUTO_FREE char *name = malloc(200 * 1024);

	for (size_t size = 16; size < 200 * 1024; size *= 2) {
		memcpy(name, "_Z1f", 4);
		memset(name + 4, 'P', size - 6);
		memcpy(name + size - 2, "i", 2);
		free(demangle(name));
		memset(name + 4, 'F', size - 6);
		free(demangle(name));
	}
}

Test(demangle, survives_a_name_that_holds_itself)
{
	/* B_ stands for what begins at the first letter behind _R. */
	static const char start[] = "_RNvMNtC5rusty4shopNdB_s_Z";
	char name[2000];

	memset(name, 'm', sizeof(name));
	memcpy(name, start, sizeof(start) - 1);
	name[sizeof(name) - 1] = '\0';
	free(demangle(name));
}

static void expect_base(const char *name, const char *base)
{
	size_t length = strlen(name), shorter;
	bool numbered;

	while ((shorter = demangle_clone_start(name, length, &numbered)) < length)
		length = shorter;
	cr_expect_eq(length, strlen(base), "'%s' was cut to %zu", name, length);
}

Test(demangle, knows_the_suffixes_of_clones)
{
	expect_base("f.cold", "f");
	expect_base("f.cold.12", "f");
	expect_base("f.part.0", "f");
	expect_base("f.constprop.0.isra.1.cold", "f");
	expect_base("f.lto_priv.0", "f");
	expect_base("f.llvm.12345678901234567890", "f");
	expect_base("f.__uniq.123.llvm.456", "f");
	expect_base("_ZN3foo3barEv.isra.0", "_ZN3foo3barEv");
}

Test(demangle, tells_which_suffixes_may_be_names)
{
	bool numbered;

	demangle_clone_start("f.cold", strlen("f.cold"), &numbered);
	cr_expect_not(numbered);
	demangle_clone_start("f.cold.0", strlen("f.cold.0"), &numbered);
	cr_expect(numbered);
}

Test(demangle, takes_nothing_else_for_a_clone)
{
	expect_base("f", "f");
	expect_base(".cold", ".cold");
	expect_base("f.colder", "f.colder");
	expect_base("f.part", "f.part");
	expect_base("f.part.add", "f.part.add");
	expect_base("main.hot", "main.hot");
	expect_base("nested.0", "nested.0");
	expect_base("memcpy.avx2", "memcpy.avx2");
	expect_base("_ZN4core3ptr13drop$LT$a..b$GT$E", "_ZN4core3ptr13drop$LT$a..b$GT$E");
}
