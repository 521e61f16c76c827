// SPDX-License-Identifier: MIT
// D: a function, a template and a method.
module dee;
__gshared int sink = 1;
pragma(inline, false) int plain(int x) { sink += x; return sink * 3; }
pragma(inline, false) T twice(T)(T x) { sink += x; return sink * 2; }
class Shop { int n; pragma(inline, false) final int total(int x) { sink += x + n; return sink; } }
int main(string[] arguments)
{
	auto shop = new Shop;
	return (plain(cast(int) arguments.length) + twice!int(3) + shop.total(4)) & 1;
}
