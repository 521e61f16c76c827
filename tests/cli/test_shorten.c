/* SPDX-License-Identifier: MIT */
/* Long names made short for a terminal. */

#include "cli/report/shorten.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void expect(const char *name, const char *expected)
{
	char text[512];

	snprintf(text, sizeof(text), "%s", name);
	shorten_name(text, "…");
	cr_assert_str_eq(text, expected, "%s", text);
}

Test(shorten, arguments_and_parameters_go)
{
	expect("std::map<int, long>::at(int const&) const", "std::map<…>::at(…) const");
	expect("f(std::vector<int, std::allocator<int> > (*)(int))", "f(…)");
	expect("bool std::operator== <char>(char*, char*)", "bool std::operator== <…>(…)");
}

Test(shorten, what_is_short_or_empty_stays)
{
	expect("main", "main");
	expect("main()", "main()");
	expect("f(int)", "f(int)");
	expect("std::vector<T>::end()", "std::vector<T>::end()");
}

Test(shorten, operators_are_no_brackets)
{
	expect("std::ostream::operator<<(std::streambuf*)", "std::ostream::operator<<(…)");
	expect("A::operator<(A const&) const", "A::operator<(…) const");
	expect("A::operator->() const", "A::operator->() const");
	expect("std::less<std::string>::operator()(std::string const&) const",
	       "std::less<…>::operator()(…) const");
	expect("A::operator<=>(A const&)", "A::operator<=>(…)");
	expect("std::operator< <char, std::char_traits<char> >(int, int)", "std::operator< <…>(…)");
	expect("f<(A::operator<(int))>(long, long)", "f<…>(…)");
}

Test(shorten, lambdas_and_anonymous_namespaces_keep_their_names)
{
	expect("(anonymous namespace)::run(int, char**)", "(anonymous namespace)::run(…)");
	expect("a::(anonymous namespace)::run(int, char**)", "a::(anonymous namespace)::run(…)");
	expect("main::{lambda(int, int)#1}::operator()(int, int) const",
	       "main::{lambda(…)#1}::operator()(…) const");
}

Test(shorten, rust_impls_keep_what_they_are_of)
{
	expect("<alloc::vec::Vec<T> as core::ops::Drop>::drop::<u64, u32>",
	       "<alloc::vec::Vec<T> as core::ops::Drop>::drop::<…>");
	expect("core::ops::function::FnOnce<fn(i32) -> i64>::call_once",
	       "core::ops::function::FnOnce<…>::call_once");
}

Test(shorten, brackets_that_do_not_match_are_left_alone)
{
	expect("a<long name", "a<long name");
	expect("a>long name", "a>long name");
	expect("a(long name", "a(long name");
	expect("[other]", "[other]");
	expect("", "");
}
