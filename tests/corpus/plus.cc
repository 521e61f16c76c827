// SPDX-License-Identifier: MIT
// C++: namespaces, templates, operators, lambdas, methods of all kinds.
#include "mark.h"

volatile int sink = 1;

namespace shop
{
inline namespace v1
{
template <typename T, int N> struct Box {
	T value;
	OUTLINE T get(T x) const
	{
		sink += N;
		MARK("shop::v1::Box<int, 7>::get(int) const");
		return value + x;
	}
	INLINED T quick(T x)
	{
		sink ^= x;
		MARK("shop::v1::Box<int, 7>::quick(int);use(int)@quick");
		return x + N;
	}
};
}
struct Base {
	virtual ~Base();
	virtual int weigh(int x) const;
};
Base::~Base() = default;
OUTLINE int Base::weigh(int x) const
{
	sink -= x;
	MARK("shop::Base::weigh(int) const");
	return x;
}
struct Price {
	int cents;
	OUTLINE Price operator+(const Price &other) const
	{
		sink |= cents;
		MARK("shop::Price::operator+(shop::Price const&) const");
		return {cents + other.cents + sink};
	}
	OUTLINE explicit operator bool() const
	{
		sink++;
		MARK("shop::Price::operator bool() const");
		return cents != sink;
	}
};
}

namespace
{
OUTLINE __attribute__((used)) int anonymous(int x)
{
	sink += x * 3;
	MARK("(anonymous namespace)::anonymous(int)");
	return sink;
}
}

extern "C" OUTLINE int plain(int x)
{
	sink ^= 8;
	MARK("plain");
	return x + sink;
}

OUTLINE int use(int x)
{
	shop::Box<int, 7> box = {x};
	shop::Price price = {x}, sum = price + price;

	x += box.get(x);
	x += shop::Box<int, 7>::quick(x); /*@quick@*/
	return x + (sum ? plain(x) : anonymous(x));
}

int main(int argc, char **)
{
	shop::Base base;
	const shop::Base *volatile pointer = &base;

	MARK("main");
	return (use(argc) + pointer->weigh(argc) + anonymous(argc)) & 1;
}
