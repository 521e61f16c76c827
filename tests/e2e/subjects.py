# SPDX-License-Identifier: MIT
"""Programs whose names are hard for formats: C with a name that no format likes, C++ with templates
and operators, Rust, Python with an extension in C, several processes and threads."""

import os
import shutil
import subprocess
import sys
import sysconfig

# The name of a function that no format likes.
ODD = b'a,b "q";x\ty\nz\xff=1'
C = """
#include <stdio.h>
static inline __attribute__((always_inline)) unsigned step(unsigned x)
{
	for (int i = 0; i < 100; i++)
		x = x * 1664525 + 1013904223;
	return x;
}
__attribute__((noinline)) unsigned odd(unsigned n)
{
	unsigned x = 7;
	for (unsigned i = 0; i < n; i++) {
		x ^= step(x);
		for (int own = 0; own < 50; own++)
			x = x * 22695477 + 1;
	}
	return x;
}
__attribute__((noinline)) unsigned even(unsigned n)
{
	unsigned x = 9;
	for (unsigned i = 0; i < n; i++)
		x ^= step(x) + step(x + 1);
	return x;
}
int main(int argc, char **argv)
{
	unsigned times = argc;

	(void)argv;
	printf("%u\\n", odd(times * 1000000) + even(times * 300000));
	return 0;
}
"""
CXX = """
#include <cstdio>
#include <utility>
namespace shop {
template <typename T, int N> struct Basket {
	T sum = 1;
	inline __attribute__((always_inline)) T mix(T x)
	{
		for (int i = 0; i < N; i++)
			x = x * 1664525 + 1013904223;
		return x;
	}
	__attribute__((noipa)) Basket &operator<<(const std::pair<T, T> &turns)
	{
		for (T i = turns.first; i < turns.second; i++)
			sum ^= mix(sum);
		return *this;
	}
	__attribute__((noipa)) Basket &operator,(T turns)
	{
		for (T i = 0; i < turns; i++)
			sum ^= mix(sum + 1);
		return *this;
	}
	__attribute__((noipa)) T operator()(const char *text, T turns)
	{
		for (T i = 0; i < turns; i++)
			sum ^= mix(sum) + (T)text[0];
		return sum;
	}
};
}
__attribute__((noipa)) unsigned long operator""_turns(unsigned long long turns)
{
	unsigned long sum = turns;
	for (unsigned long long i = 0; i < turns; i++)
		sum = (sum * 31) ^ (sum >> 3);
	return sum;
}
int main()
{
	shop::Basket<unsigned long, 40> basket;
	basket << std::make_pair(0ul, 1500000ul);
	basket, 800000ul;
	unsigned long sum = 50000000_turns;
	auto lambda = [&](unsigned long x) __attribute__((noipa)) {
		for (int i = 0; i < 30000000; i++)
			x = x * 5 ^ (x >> 7);
		return x;
	};
	std::printf("%lu\\n", sum + lambda(basket("x", 1000000)));
}
"""
RUST = """
mod shop {
    pub struct Basket<T>(pub T);
    impl std::ops::Add<u64> for Basket<u64> {
        type Output = u64;
        #[inline(never)]
        fn add(self, turns: u64) -> u64 {
            (0..turns).fold(self.0, |sum, turn| mix(sum) ^ turn)
        }
    }
    // Older compilers have no black_box().
    #[inline(always)]
    fn opaque(x: u64) -> u64 {
        unsafe { std::ptr::read_volatile(&x) }
    }
    #[inline(always)]
    fn mix(sum: u64) -> u64 {
        (0..20).fold(sum, |x, _| opaque(x.wrapping_mul(1664525) ^ (x >> 3)))
    }
    #[inline(never)]
    pub fn each<F: Fn(u64) -> u64>(turns: u64, f: F) -> u64 {
        (0..turns).fold(1, |sum, turn| opaque(f(sum ^ turn)))
    }
}
fn main() {
    let sum = shop::Basket(1u64) + 3000000;
    println!("{}", sum ^ shop::each(50000000, |x| (x >> 3) ^ x.wrapping_mul(31)));
}
"""
EXTENSION = """
#include <Python.h>
static __attribute__((noinline)) unsigned long churn(unsigned long turns)
{
	unsigned long x = turns;
	for (unsigned long i = 0; i < turns; i++)
		x = (x * 31) ^ (x >> 3);
	return x;
}
static PyObject *work(PyObject *self, PyObject *turns)
{
	(void)self;
	return PyLong_FromUnsignedLong(churn(PyLong_AsUnsignedLong(turns)));
}
static PyMethodDef methods[] = {{"work", work, METH_O, "work"}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "extension", "", -1, methods};
PyMODINIT_FUNC PyInit_extension(void)
{
	return PyModule_Create(&module);
}
"""


def write(folder, name, text):
    with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
        file.write(text)


def make_c(folder, compiler):
    write(folder, "program.c", C)
    subprocess.run([*compiler, "-O2", "-g", "program.c", "-o", "plain"], check=True, cwd=folder)
    subprocess.run(["objcopy", b"--redefine-sym=odd=" + ODD, "plain", "program"], check=True,
                   cwd=folder)
    return ["./program"]


def make_cxx(folder, _):
    """Without clones, whose symbols have a dot, which gprof leaves out."""
    if not shutil.which("g++"):
        return None
    write(folder, "main.cc", CXX)
    subprocess.run(["g++", "-O2", "-g", "main.cc", "-o", "cxx"], check=True, cwd=folder)
    return ["./cxx"]


def make_rust(folder, _):
    """In the newer mangling: of the older one's dots and dollars gprof leaves out all."""
    if not shutil.which("rustc"):
        return None
    write(folder, "main.rs", RUST)
    subprocess.run(["rustc", "-g", "-O", "-C", "symbol-mangling-version=v0", "main.rs", "-o",
                    "rust"], check=True, cwd=folder, capture_output=True)
    return ["./rust"]


def make_python(folder, compiler):
    """With an extension of its own where Python's headers are, else with one that comes with it."""
    include = sysconfig.get_paths()["include"]
    text = "import json; [json.loads(json.dumps(list(range(99)))) for _ in range(5000)]"
    if os.path.exists(f"{include}/Python.h"):
        write(folder, "extension.c", EXTENSION)
        subprocess.run([*compiler, "-O2", "-g", "-w", "-shared", "-fPIC", f"-I{include}",
                        "extension.c", "-o", "extension.so"], check=True, cwd=folder)
        text = ("import sys; sys.path.insert(0, '.'); import extension; "
                "extension.work(50000000); sum(i * i for i in range(2000000))")
    return [sys.executable, "-c", text]


def make_all(folder, compiler, one_thread, four_threads):
    """name -> the command, to be run in @folder."""
    made = {
        "c": make_c(folder, compiler),
        "c++": make_cxx(folder, compiler),
        "rust": make_rust(folder, compiler),
        "python": make_python(folder, compiler),
        "several": ["sh", "-c", f"'{one_thread}' & '{four_threads}' & ./program; wait"],
    }
    for name in [name for name, command in made.items() if not command]:
        print(f"left out: {name}, of which there is no compiler")
        del made[name]
    return made
