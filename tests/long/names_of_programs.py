#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What profrun calls the code of real programs, against llvm-symbolizer, addr2line and
eu-addr2line: programs run under profrun, and every address that was hit (with some more, spread
over their text) is asked of all. Prints a table of how often the answers differ and why, and writes
each difference that none of these reasons explains to a file:

alias       another name of the same code: several symbols cover it
none        the peer knows no name (stubs, functions that only .eh_frame tells)
neighbour   no symbol covers the address: the peer tells the one before
only peer   profrun knows no name

Usage: tests/long/names_of_programs.py BUILD [PROGRAM...]
"""

import collections
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SPREAD = int(os.environ.get("SPREAD", "1000"))  # more addresses of each object that was hit
Frame = collections.namedtuple("Frame", "function file line")

C_SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline int mix(int x) { return (x ^ (x >> 7)) * 31; }
static inline int twice(int x) { return mix(mix(x) + 1); }
static unsigned sum(const int *values, int count)
{
	unsigned total = 0;
	for (int i = 0; i < count; i++)
		total += (unsigned)twice(values[i]);
	return total;
}
int main(void)
{
	static int values[200000];
	unsigned total = 0;
	for (int round = 0; round < 25; round++) {
		for (int i = 0; i < 200000; i++)
			values[i] = mix(i * (round + 1));
		qsort(values, 200000, sizeof(int), compare);
		total += sum(values, 200000);
	}
	printf("%u\\n", total);
	return 0;
}
"""
CXX_SOURCE = """
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
namespace shop {
template <typename T> class Basket {
	std::map<std::string, T> items;
public:
	void add(const std::string &name, T price) { items[name] += price; }
	T total() const { T s{}; for (const auto &[name, price] : items) s += price; return s; }
};
struct Order { virtual ~Order() = default; virtual long weigh(long x) const { return x * 3; } };
struct Heavy : Order { long weigh(long x) const override { return x * 7 + 1; } };
}
int main()
{
	shop::Basket<long> basket;
	std::vector<long> values;
	shop::Heavy heavy;
	const shop::Order &order = heavy;
	for (long i = 0; i < 1500000; i++) {
		basket.add(std::to_string(i * 7919 % 5003), i);
		values.push_back(order.weigh(i * 7919 % 100003));
	}
	std::sort(values.begin(), values.end(), [](long a, long b) { return a > b; });
	std::printf("%ld %ld\\n", basket.total(), values[10]);
}
"""
RUST_SOURCE = """
use std::collections::HashMap;
mod shop {
    pub trait Weigh { fn weigh(&self, x: u64) -> u64; }
    pub struct Light; pub struct Heavy;
    impl Weigh for Light { fn weigh(&self, x: u64) -> u64 { x.wrapping_mul(3) } }
    impl Weigh for Heavy { fn weigh(&self, x: u64) -> u64 { x.wrapping_mul(7) ^ 1 } }
}
use shop::Weigh;
fn main() {
    let mut counts: HashMap<String, u64> = HashMap::new();
    let weighers: Vec<Box<dyn Weigh>> = vec![Box::new(shop::Light), Box::new(shop::Heavy)];
    let mut values: Vec<u64> = Vec::new();
    for i in 0..600000u64 {
        *counts.entry((i * 7919 % 5003).to_string()).or_insert(0) += i;
        values.push(weighers[(i % 2) as usize].weigh(i));
    }
    values.sort_by(|a, b| b.cmp(a));
    println!("{} {}", counts.values().sum::<u64>(), values[10]);
}
"""
GO_SOURCE = """
package main

import (
	"fmt"
	"sort"
	"strconv"
)

type weigher interface{ weigh(x int) int }
type light struct{}
type heavy struct{ factor int }

func (light) weigh(x int) int  { return x * 3 }
func (h *heavy) weigh(x int) int { return x*h.factor + 1 }

func main() {
	counts := map[string]int{}
	weighers := []weigher{light{}, &heavy{7}}
	values := []int{}
	for i := 0; i < 2000000; i++ {
		counts[strconv.Itoa(i*7919%5003)] += i
		values = append(values, weighers[i%2].weigh(i*7919%100003))
	}
	sort.Slice(values, func(a, b int) bool { return values[a] > values[b] })
	fmt.Println(len(counts), values[10])
}
"""
SOURCES = {"c": C_SOURCE, "cc": CXX_SOURCE, "rs": RUST_SOURCE, "go": GO_SOURCE}


def make_text(folder):
    with open(os.path.join(folder, "text"), "w", encoding="ascii") as file:
        file.write("\n".join(f"{(i * 2654435761) % 65521:x}" for i in range(2000000)))


def make_c(folder):
    with open(os.path.join(folder, "source.c"), "w", encoding="ascii") as file:
        for i in range(700):
            file.write(f"int f{i}(int x, int *p)\n{{\n\tint sum = {i};\n"
                       f"\tfor (int i = 0; i < x; i++)\n\t\tsum += p[i] * {i} + (p[i] >> 3);\n"
                       "\treturn sum;\n}\n")


def make_repository(folder):
    def git(*arguments):
        subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org",
                        *arguments], check=True, capture_output=True)

    git("init", "-q")
    for i in range(60):
        with open(os.path.join(folder, "file"), "w", encoding="ascii") as file:
            file.writelines(f"line {j * (i + 1) % 7919}\n" for j in range(6000))
        git("add", "file")
        git("commit", "-qm", f"change {i}")


def tool(*names):
    """The first that is installed."""
    return next((name for name in names if shutil.which(name)), None)


def compiled(extension, *command):
    """A program that is built first: what prepares it, and the command that runs it."""
    def prepare(folder):
        with open(os.path.join(folder, "main." + extension), "w", encoding="ascii") as file:
            file.write(SOURCES[extension])
        subprocess.run([*command, "-o", "program", "main." + extension], cwd=folder, check=True,
                       capture_output=True, env={**os.environ, "HOME": folder,
                                                 "RUSTUP_HOME": os.environ.get(
                                                     "RUSTUP_HOME",
                                                     os.path.expanduser("~/.rustup"))})
    return prepare, ["./program"], command[0]


NODE = "let s = {}; for (let i = 0; i < 3e6; i++) s['k' + i % 5003] = JSON.stringify([i]); " \
       "console.log(Object.keys(s).length)"
PERL = "my %c; $c{join '', sort split //, $_ * 7919}++ for 1 .. 700_000; print scalar keys %c"
# name -> what prepares it, its command, what must be installed
PROGRAMS = {
    "python3": (None, ["/usr/bin/python3", "-c", "import json\nfor i in range(400000): "
                       "json.loads(json.dumps({'a': [i, str(i)]}))"], "/usr/bin/python3"),
    "node": (None, ["node", "-e", NODE], "node"),
    "cc1": (make_c, [subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True,
                                    text=True, check=True).stdout.strip(),
                     "-quiet", "-O2", "source.c", "-o", "/dev/null"], "gcc"),
    "git": (make_repository, ["git", "--no-pager", "log", "--stat"], "git"),
    "perl": (None, ["perl", "-e", PERL], "perl"),
    "openssl": (None, ["openssl", "speed", "-seconds", "1", "-bytes", "16384", "sha256", "rsa2048"],
                "openssl"),
    "xz": (make_text, ["xz", "-6", "-k", "-c", "text"], "xz"),
    "gzip": (make_text, ["gzip", "-9", "-k", "-c", "text"], "gzip"),
    "go": compiled("go", "go", "build"),
    **{f"gcc {level}": compiled("c", "gcc", level, "-g") for level in ("-O0", "-O1", "-O2", "-O3")},
    **{f"clang {level}": compiled("c", "clang", level, "-g")
       for level in ("-O0", "-O1", "-O2", "-O3")},
    **{f"g++ {level}": compiled("cc", "g++", "-std=c++17", level, "-g")
       for level in ("-O0", "-O2", "-O3")},
    **{f"clang++ {level}": compiled("cc", "clang++", "-std=c++17", level, "-g")
       for level in ("-O0", "-O2", "-O3")},
    **{f"rustc {level}": compiled("rs", "rustc", f"-Copt-level={level}", "-g") for level in "023"},
    "gcc LTO": compiled("c", "gcc", "-O2", "-g", "-flto"),
    "g++ LTO": compiled("cc", "g++", "-std=c++17", "-O2", "-g", "-flto"),
    "clang LTO": compiled("c", "clang", "-O2", "-g", "-flto", "-fuse-ld=lld"),
    "clang++ thin LTO": compiled("cc", "clang++", "-std=c++17", "-O2", "-g", "-flto=thin",
                                 "-fuse-ld=lld"),
    "rustc LTO": compiled("rs", "rustc", "-O", "-g", "-Clto=fat"),
}


# The peers: each gives the frames of an address, innermost first, in one list.

def ask(command, addresses):
    return subprocess.run(command, input="".join(f"{a:#x}\n" for a in addresses), text=True,
                          capture_output=True, check=False, errors="replace").stdout


def frames_of_json(text, frames, names):
    for line in text.splitlines():
        answer = json.loads(line)
        yield [Frame(frame.get(names[0]) or "", frame.get(names[1]) or "",
                     frame.get(names[2]) or 0) for frame in answer.get(frames) or []]


def ask_profrun(path, addresses):
    text = ask([PROFRUN, "--json", "-q", "symbolize", path], addresses)
    return list(frames_of_json(text, "frames", ("function", "file", "line")))


def ask_llvm(path, addresses):
    text = ask(["llvm-symbolizer", "--obj=" + path, "--output-style=JSON", "--inlines"], addresses)
    return list(frames_of_json(text, "Symbol", ("FunctionName", "FileName", "Line")))


def ask_addr2line(command):
    def do(path, addresses):
        answers, waiting = [], None
        for line in ask([command, "-f", "-i", "-a", "-C", "-e", path], addresses).splitlines():
            place = re.fullmatch(r"(.*?):(\d+|\?)(?::\d+)?(?: \(discriminator \d+\))?", line)
            if re.fullmatch("0x[0-9a-f]+", line):
                answers.append([])
                waiting = None
            elif waiting is None:
                waiting = re.sub(r" inlined at .* in .*$| inlined in .*$", "", line)
            elif place:
                number = int(place[2]) if place[2].isdigit() else 0
                answers[-1].append(Frame(waiting, place[1] if number else "", number))
                waiting = None
        return answers
    return do


PEERS = {"llvm-symbolizer": ask_llvm, "addr2line": ask_addr2line("addr2line"),
         "eu-addr2line": ask_addr2line("eu-addr2line")}


def symbols_of(path):
    """(start, size, name) of all symbols, also those of the debug file."""
    files = [path]
    build_id = re.search(r"Build ID: (\w+)", subprocess.run(
        ["readelf", "-n", path], capture_output=True, text=True, check=False).stdout)
    if build_id:
        files.append(f"/usr/lib/debug/.build-id/{build_id[1][:2]}/{build_id[1][2:]}.debug")
    symbols = []
    for file in filter(os.path.exists, files):
        listed = subprocess.run(["readelf", "-sW", file], capture_output=True, text=True,
                                check=False, errors="replace").stdout
        for start, size, name in re.findall(
                r"^ *\d+: (\w+) +(\w+) (?:FUNC|NOTYPE|IFUNC|OBJECT) +\w+ +\w+ +"
                r"(?:\[.*?\] )?\d+ (\S+)", listed, re.M):
            symbols.append((int(start, 16), int(size, 0), name.split("@")[0]))
    return sorted(symbols)


def covering(symbols, addresses):
    """For each address the raw names of the symbols that cover it."""
    found = collections.defaultdict(set)
    ordered = sorted(addresses)
    for start, size, name in symbols:
        low = next_index(ordered, start)
        while low < len(ordered) and ordered[low] < start + size:
            found[ordered[low]].add(name)
            low += 1
    return found


def next_index(ordered, value):
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if ordered[middle] < value else (low, middle)
    return low


RUST_ESCAPES = {"$LT$": "<", "$GT$": ">", "$u7b$": "{", "$u7d$": "}", "$C$": ",", "$RF$": "&",
                "$u20$": " ", "..": "::"}


def base_of(name):
    """A name without what is written differently by each: parameters, templates, clones, paths."""
    name = re.sub(r" ?\[clone [^]]*\]| \(\.llvm\.\d+\)", "", name)
    for escape, text in RUST_ESCAPES.items():
        name = name.replace(escape, text)
    name = re.sub(r"::_(?=[<{])", "::", name)
    name = re.sub(r"\.(cold|part|constprop|isra|lto_priv|llvm|localalias)(\.\d+)*", "", name)
    name = re.sub(r"::h[0-9a-f]{16}$|@@?[A-Z]\w*[\d.]*$", "", name)
    if "operator" in name:
        return "operator"
    previous = None
    while previous != name:
        previous, name = name, re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}|\[[^][]*\]", "", name)
    return re.split(r"::|\.| |\$", name.replace(" const", "").strip())[-1].strip("_")


def why_functions_differ(ours, theirs, names):
    """None where they agree on the function that the code belongs to."""
    our = ours[-1].function if ours else ""
    their = theirs[-1].function if theirs else ""
    if their == "??":
        their = ""
    if our == their or base_of(our) == base_of(their) != "":
        return None
    if not their:
        return "none"
    if not our:
        return "neighbour" if not names else "only peer"
    if our.startswith("func_") or our.endswith("@plt"):
        return "neighbour" if not names else "differs"
    return "alias" if len(names) > 1 else "differs"


def why_lines_differ(ours, theirs):
    if not theirs or not theirs[0].line:
        return "none" if ours and ours[0].line else None
    if not ours or not ours[0].line:
        return "only peer"
    same_place = (os.path.basename(ours[0].file), ours[0].line) == \
        (os.path.basename(theirs[0].file), theirs[0].line)
    if not same_place:
        return "differs"
    # What the outermost function is called was compared already.
    chains = [[(base_of(frame.function), frame.line) for frame in frames[:-1]] + [frames[-1].line]
              for frames in (ours, theirs)]
    return None if chains[0] == chains[1] else "chain"


def show(frames):
    return " < ".join(f"{frame.function}@{os.path.basename(frame.file)}:{frame.line}"
                      for frame in frames) or "(nothing)"


def hit_addresses(name, folder):
    """Object -> addresses that had ticks while the program ran under profrun."""
    prepare, command, _ = PROGRAMS[name]
    if prepare:
        prepare(folder)
    report = os.path.join(folder, "report.csv")
    subprocess.run([PROFRUN, "-q", "--no-save", "--rate=2000", "--csv", "--by=address", "-o",
                    report, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    program = os.path.join(folder, command[0]) if "/" in command[0] else shutil.which(command[0])
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    paths = {os.path.basename(path): path for path in re.findall(r"(/\S+) \(0x", listed)}
    paths[os.path.basename(os.path.realpath(program))] = os.path.realpath(program)
    paths[os.path.basename(program)] = os.path.realpath(program)
    hit = collections.defaultdict(set)
    with open(report, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["address"] and row["object"] in paths:
                hit[paths[row["object"]]].add(int(row["address"], 16))
    return hit


def spread(path, count):
    """Addresses all over the text, the same in every run."""
    sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                              check=True).stdout
    found = re.search(r" \.text +PROGBITS +(\w+) \w+ (\w+)", sections)
    start, size = (int(part, 16) for part in found.groups()) if found else (0, 0)
    generator = random.Random(path)
    return {start + generator.randrange(size) for _ in range(count)} if size else set()


def compare(name, path, addresses, totals):
    ours = ask_profrun(path, addresses)
    names = covering(symbols_of(path), addresses)
    for peer, asking in PEERS.items():
        if not shutil.which(peer):
            continue
        functions, lines = collections.Counter(), collections.Counter()
        for address, our, their in zip(addresses, ours, asking(path, addresses)):
            why = why_functions_differ(our, their, names.get(address, ()))
            why_line = why_lines_differ(our, their)
            functions[why] += why is not None
            lines[why_line] += why_line is not None
            if why in ("differs", "only peer") or why_line in ("differs", "chain", "only peer"):
                DETAILS.write(f"{name}\t{os.path.basename(path)}\t{address:#x}\t{peer}\t{why}\t"
                              f"{why_line}\t{show(our)}\t{show(their)}\n")
        totals[peer].update(functions)
        text = [", ".join(f"{count} {why}" for why, count in sorted(counter.items()) if count)
                or "-" for counter in ({key: value for key, value in functions.items() if key},
                                       {key: value for key, value in lines.items() if key})]
        print(f"{name:18} {os.path.basename(path):24} {len(addresses):6} {peer:16} "
              f"{text[0]:44} {text[1]}", flush=True)


def main():
    totals = collections.defaultdict(collections.Counter)
    print(f"{'program':18} {'object':24} {'asked':>6} {'peer':16} {'functions':44} lines")
    for name in sys.argv[2:] or PROGRAMS:
        if not shutil.which(PROGRAMS[name][2]):
            print(f"{name:18} not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="profrun-names-") as folder:
            try:
                hit = hit_addresses(name, folder)
            except subprocess.CalledProcessError as failure:
                print(f"{name:18} failed: {failure}")
                continue
            if not hit:
                print(f"{name:18} nothing was hit")
            for path, addresses in sorted(hit.items()):
                asked = sorted(addresses | spread(path, SPREAD))
                compare(name, path, asked, totals)


PROFRUN = os.path.join(os.path.abspath(sys.argv[1]), "cli", "profrun")
with open("names_of_programs.tsv", "w", encoding="utf-8") as DETAILS:
    main()
print("each difference: names_of_programs.tsv")
