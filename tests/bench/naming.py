# SPDX-License-Identifier: MIT
"""Names for addresses of large programs, against llvm-symbolizer: time and peak memory, for names
alone and for lines with inline chains; medians of five runs that take turns.

Arguments: names_only (what asks for names alone), then programs; without them node, rustc's
compiler library and a program with half a gigabyte of debug information, which is made (minutes).
"""

import os
import random
import re
import shutil
import subprocess
import sys

import bench

COUNTS = (200, 5000, 100000)
ROUNDS = 5
COPIES = 190
TEMPLATE = """
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
%s
"""
PART = """
namespace part_%(n)d {
struct Item { int key; double weight; std::string name; std::vector<int> sizes;
	bool operator<(const Item &other) const { return key < other.key; } };
template <typename T, int N> struct Deep {
	static inline __attribute__((always_inline)) long leaf(T x, long sum) {
		for (int i = 0; i < N; i++) sum += ((long)x * i ^ sum) >> 3;
		return sum; }
	static inline __attribute__((always_inline)) long middle(T x, long sum) {
		return leaf(x, sum) + leaf(x + 1, sum * 3); }
};
__attribute__((noinline)) long work(long n) {
	std::map<std::string, Item> map; std::unordered_map<int, std::unique_ptr<Item>> pointers;
	std::set<Item> set; std::list<Item> list; std::deque<std::pair<int, Item>> queue;
	long sum = n;
	for (long i = 0; i < n; i++) {
		Item item{(int)i, i * .5, std::to_string(i), {(int)i}};
		map[item.name] = item; pointers[i] = std::make_unique<Item>(item); set.insert(item);
		list.push_back(item); queue.emplace_back(i, item);
		sum = Deep<long, %(n)d + 2>::middle(i, sum) + Deep<int, %(n)d + 3>::middle(i, sum);
	}
	std::vector<Item> sorted; for (auto &pair : map) sorted.push_back(pair.second);
	std::sort(sorted.begin(), sorted.end(),
		[](const Item &a, const Item &b) { return a.weight < b.weight; });
	std::function<long(long)> ask = [&](long x) { return x + sum + (long)sorted.size(); };
	std::ostringstream text; for (auto &item : list) text << item.name;
	return ask(sum) + (long)text.str().size() + (long)queue.size();
}
}
"""


def make_large(folder):
    """One unit is compiled, and linked many times under other names; it is never run."""
    source = os.path.join(folder, "unit.cc")
    with open(source, "w", encoding="ascii") as file:
        file.write(TEMPLATE % "".join(PART % {"n": n} for n in range(8)))
    unit = os.path.join(folder, "unit.o")
    subprocess.run(["g++", "-std=c++17", "-O2", "-g", "-c", source, "-o", unit], check=True)
    copies = []
    for number in range(COPIES):
        copy = os.path.join(folder, f"copy{number}.o")
        # Strings of debug information differ, too, or the linker would keep one of each.
        subprocess.run(["objcopy", f"--prefix-symbols=c{number}_", unit, copy], check=True)
        copies.append(copy)
    program = os.path.join(folder, "large")
    subprocess.run(["g++", "-nostdlib", "-static", "-Wl,--unresolved-symbols=ignore-all",
                    "-Wl,-e,0", "-o", program, *copies], check=True, stderr=subprocess.DEVNULL)
    for copy in copies:
        os.unlink(copy)
    return program


def default_programs(folder):
    if shutil.which("node"):
        yield os.path.realpath(shutil.which("node"))
    if shutil.which("rustc"):
        root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True,
                              check=False).stdout.strip()
        for path, _, names in os.walk(root):
            yield from (os.path.join(path, name) for name in names
                        if re.match(r"librustc_driver.*\.so$", name))
    if shutil.which("g++"):
        yield make_large(folder)


def write_addresses(program, count, path):
    """Addresses spread over .text, the same in every run."""
    sections = subprocess.run(["readelf", "-SW", program], check=True, capture_output=True,
                              text=True).stdout
    start, size = re.search(r" \.text +PROGBITS +(\w+) \w+ (\w+)", sections).groups()
    start, size = int(start, 16), int(size, 16)
    generator = random.Random(1)
    chosen = sorted({start + generator.randrange(size) for _ in range(count)})
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{address:#x}\n" for address in chosen)


def candidates(names_only, program, addresses):
    """What -> (our command, llvm-symbolizer's): both read the same file."""
    def reading(*command):
        return (["sh", "-c", 'exec "$@" < "$0"', addresses, *command], {})

    peer = ["llvm-symbolizer", "--obj=" + program]
    yield "names", reading(names_only, program), reading(*peer, "--no-inlines")
    yield "lines", reading(bench.PROFRUN, "symbolize", program), reading(*peer, "--inlines")


def measure(commands):
    """The medians of each, and ours in parts of theirs."""
    costs = bench.rounds(commands, ROUNDS)
    medians, text = [], []
    for name, of_name in costs.items():
        elapsed = bench.median(of_name, "elapsed")
        memory = bench.peak_memory(commands[name][0])
        failed = "" if all(cost.status == 0 for cost in of_name) else " (failed)"
        text.append(f"{name} {elapsed:7.3f} s {bench.median(of_name, 'cpu'):7.3f} s of CPU time "
                    f"{memory:7.1f} MB{failed}")
        medians.append((elapsed, memory))
    ours, theirs = medians
    text.append(f"time {ours[0] / theirs[0]:.2f}, memory {ours[1] / theirs[1]:.2f} of theirs")
    return "; ".join(text)


def compare(names_only, program, folder):
    size = os.path.getsize(program) / 1e6
    print(f"{os.path.basename(program)}, {size:.0f} MB")
    for count in COUNTS:
        addresses = os.path.join(folder, f"addresses{count}")
        write_addresses(program, count, addresses)
        for what, ours, theirs in candidates(names_only, program, addresses):
            print(f"  {count:6} {what}: " +
                  measure({"profrun": ours, "llvm-symbolizer": theirs}), flush=True)


def main():
    if not shutil.which("llvm-symbolizer"):
        print("llvm-symbolizer is not installed")
        return
    names_only, *programs = sys.argv[1:]
    with bench.folder() as folder:
        for program in programs or default_programs(folder):
            compare(names_only, program, folder)


main()
