/* SPDX-License-Identifier: MIT */
/* Nothing of a name is markup, whatever it holds. */

#include "cli/report/html_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect(void (*write)(const char *text, FILE *stream), const char *text,
		   const char *expected)
{
	char *written = NULL;
	size_t size;
	FILE *stream = open_memstream(&written, &size);

	write(text, stream);
	fclose(stream);
	cr_assert_str_eq(written, expected);
	free(written);
}

Test(html_text, markup_is_text)
{
	expect(html_text_write, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
}

Test(html_text, bytes_that_are_no_text_are_told)
{
	expect(html_text_write, "a\xff\n\x01\tü", "a\\xFF\\x0A\\x01\tü");
}

Test(html_text, nothing_turns_the_direction_of_what_is_beside_it)
{
	expect(html_text_write, "a\u202eb\u2066", "a\\xE2\\x80\\xAEb\\xE2\\x81\\xA6");
	expect(html_json_write, "a\u202eb", "\"a\\\\xE2\\\\x80\\\\xAEb\"");
	expect(html_text_write, "שלום", "שלום");
}

Test(html_text, long_names_are_made_short)
{
	char *shown = html_text_short("std::map<std::__cxx11::basic_string<char>, "
				      "std::vector<long, std::allocator<long> > >::clear()");

	cr_assert_str_eq(shown, "std::map<…>::clear()");
	free(shown);
	cr_assert_null(html_text_short("std::map<std::string, long>::clear()"));
	expect(html_title_write, "a\"b", " title=\"a&quot;b\"");
}

Test(html_text, a_script_element_cannot_be_ended)
{
	expect(html_json_write, "</script>&\"\\\n\xff",
	       "\"\\u003c/script\\u003e\\u0026\\u0022"
	       "\\u005c\\u000a\\\\xFF\"");
}
