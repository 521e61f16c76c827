# SPDX-License-Identifier: MIT
"""Small programs built in every way that writes symbols and lines down differently; the code itself
says at marked places which function is there, in which line, and into what it was inlined.
`profrun symbolize` must say the same. Ways that this machine's tools do not have are left out, and
listed.

Arguments: the C compiler.
"""

import concurrent.futures
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROFRUN = os.environ.get("PROFRUN", "profrun")
KEPT = "objcopy -R .marks whole program"
FOREIGN = "-O2 -g -DFREESTANDING -ffreestanding -fno-pic -nostdlib -Wno-unknown-attributes"
# A file without section headers: their place and number are taken out of the ELF header.
HEADLESS = {8: ((40, 8), (60, 4)), 4: ((32, 4), (48, 4))}

CHAIN = "$S/chain.c -DPROGRAM -o whole"
LIBRARY = "$S/chain.c -shared -fPIC -o whole"
SEPARATE = "objcopy --only-keep-debug {} program program.debug; strip -s program; " \
           "objcopy --add-gnu-debuglink=program.debug program"
MINI = """
nm -D program --format=posix --defined-only | cut -d' ' -f1 | sort > dynamic
nm program --format=posix --defined-only | awk '$2 ~ /[TtW]/ {print $1}' | sort > all
comm -13 dynamic all > wanted
objcopy -S --keep-symbols=wanted program mini
strip -s program
xz mini
objcopy --add-section .gnu_debugdata=mini.xz program
"""
SPLIT = "cp $S/chain.c $S/*.h .; {0} -O2 -g -gsplit-dwarf {1} -DPROGRAM -c chain.c -o chain.o; " \
        "{0} chain.o -o whole; " + KEPT + "; rm chain.c mark.h header.h"


class Case:
    """How the program is made, and what of it is known then: 'lines' all, 'names' the functions,
    'exported' those that other objects may call (the rest is told apart by .eh_frame), 'nothing'
    but what .eh_frame tells; 'outermost' lines, but nothing that was inlined; 'innermost lines'
    also of inlined code, but not all about it."""

    def __init__(self, commands, known="lines", finish=KEPT):
        self.commands, self.known, self.finish = commands, known, finish


def gcc(flags, source=CHAIN, **rest):
    return Case(f"gcc -O2 -g {flags} {source}", **rest)


def clang(flags, source=CHAIN, **rest):
    return Case(f"clang -O2 -g -Wno-unknown-attributes {flags} {source}", **rest)


def foreign(target, flags=""):
    return Case(f"clang -target {target} {FOREIGN} {flags} -c $S/chain.c -o part.o; "
                "ld.lld -e _start part.o -o whole", finish="llvm-objcopy -R .marks whole program")


def derived(commands, known="lines", flags="", source=CHAIN):
    return gcc(flags, source, known=known, finish=f"{KEPT}; {commands}")


CASES = {
    **{f"DWARF {version}": gcc(f"-gdwarf-{version}") for version in (3, 4, 5)},
    "strict DWARF 2": gcc("-gdwarf-2 -gstrict-dwarf", known="innermost lines"),
    "DWARF 2 with extensions": gcc("-gdwarf-2"),
    "64-bit DWARF 4": gcc("-gdwarf-4 -gdwarf64"),
    "64-bit DWARF 5": gcc("-gdwarf-5 -gdwarf64"),
    **{f"clang, DWARF {version}": clang(f"-gdwarf-{version}") for version in (2, 3, 4, 5)},
    "clang, 64-bit DWARF": clang("-gdwarf-5 -gdwarf64"),
    **{f"gcc {level}": Case(f"gcc {level} -g {CHAIN}") for level in ("-O0", "-Og", "-O1", "-O3")},
    **{f"clang {level}": Case(f"clang {level} -g -Wno-unknown-attributes {CHAIN}")
       for level in ("-O0", "-O1", "-O3")},
    "lines and calls alone": gcc("-g1"),
    "macros": gcc("-g3"),
    "type units": gcc("-fdebug-types-section"),
    "type units, DWARF 4": gcc("-gdwarf-4 -fdebug-types-section"),
    "no .debug_aranges": derived("objcopy -R .debug_aranges program"),
    "at a fixed address": gcc("-no-pie -fno-pie"),
    "static": gcc("-static"),
    "static, at any address": gcc("-static-pie"),
    "library": gcc("", LIBRARY),
    "sections collected": gcc("-fuse-ld=lld -ffunction-sections -Wl,--gc-sections"),
    "far away": gcc("-no-pie -fno-pie -Wl,-Ttext=0x7012300"),
    "no page for code alone": gcc("-Wl,-z,noseparate-code"),
    "where kernels are": gcc("-fno-pie -no-pie -static -nostdlib -ffreestanding -mcmodel=kernel "
                             "-Wl,-Ttext=0xffffffff81000000",
                             "$S/chain.c -DFREESTANDING -o whole"),
    "packed relocations": gcc("-Wl,-z,pack-relative-relocs"),
    **{f"linked by {linker}": gcc(f"-fuse-ld={linker}") for linker in ("lld", "gold", "mold")},
    "identical code folded": gcc("-fuse-ld=lld -ffunction-sections -Wl,--icf=all"),
    "without unwinding": gcc("-fno-asynchronous-unwind-tables"),

    "stripped of lines": derived("strip -g program", "names"),
    "stripped by llvm-strip": derived("llvm-strip --strip-debug program", "names"),
    "stripped": derived("strip -s program", "nothing"),
    "stripped of what is not needed": derived("strip --strip-unneeded program", "nothing"),
    "stripped library": derived("strip -s program", "exported", source=LIBRARY),
    "headless library": derived("strip -s program; headless program", "exported", source=LIBRARY),
    "headless, old hash table": derived("strip -s program; headless program", "exported",
                                        "-Wl,--hash-style=sysv", LIBRARY),
    "debug file beside": derived(SEPARATE.format(""), flags="-Wl,--build-id=none"),
    "debug file in .debug": derived(SEPARATE.format("")
                                    + "; mkdir .debug; mv program.debug .debug"),
    "debug file, compressed": derived(SEPARATE.format("--compress-debug-sections=zlib")),
    "debug file by eu-strip": derived("eu-strip -f program.debug program"),
    "debug file by llvm-objcopy": derived(
        "llvm-objcopy --only-keep-debug program program.debug; llvm-strip program; "
        "llvm-objcopy --add-gnu-debuglink=program.debug program"),
    "debug file of another build": derived(
        "objcopy --only-keep-debug program program.debug; strip -g program; "
        "objcopy --add-gnu-debuglink=program.debug program; "
        "objcopy -R .comment program.debug", "names", "-Wl,--build-id=none"),
    "mini debug info": derived(MINI, "names"),
    **{f"compressed: {kind}": derived(f"objcopy --compress-debug-sections={kind} program")
       for kind in ("zlib-gabi", "zlib-gnu", "zstd")},
    "everything compressed": derived("eu-elfcompress -q -t zlib --name=.symtab --name=.strtab "
                                     "'--name=.debug*' program"),
    "dwz": derived("dwz program"),
    "dwz, shared": derived("cp program twin; dwz -m common.dwz program twin"),
    **{f"split DWARF {version}": Case(SPLIT.format("gcc", f"-gdwarf-{version}"), finish="")
       for version in (4, 5)},
    **{f"clang, split DWARF {version}": Case(SPLIT.format("clang", f"-gdwarf-{version}"),
                                             finish="") for version in (4, 5)},
    "split DWARF, stripped": Case(SPLIT.format("gcc", ""), finish=SEPARATE.format("")),
    "split DWARF, lost": Case(SPLIT.format("gcc", ""), "outermost", "rm *.dwo"),
    "package by dwp": Case(SPLIT.format("gcc", "-gdwarf-4"),
                           finish="dwp -e program -o program.dwp; rm *.dwo"),
    **{f"package by llvm-dwp, DWARF {version}": Case(
        SPLIT.format("clang", f"-gdwarf-{version}"),
        finish="llvm-dwp -e program -o program.dwp; rm *.dwo") for version in (4, 5)},

    "parts and copies": gcc("", "$S/clones.c -o whole"),
    "parts and copies, names": derived("strip -g program", "names", source="$S/clones.c -o whole"),
    "parts and copies, clang": clang("", "$S/clones.c -o whole"),
    **{f"link time, {how}": gcc(f"-flto {flags}", "$S/link_time.c $S/link_time_main.c -o whole")
       for how, flags in (("gcc", ""), ("gcc in parts", "-flto-partition=max"))},
    **{f"link time, clang {kind}": clang(f"-flto={kind} -fuse-ld=lld",
                                         "$S/link_time.c $S/link_time_main.c -o whole")
       for kind in ("full", "thin")},
    "aliases": gcc("-Wl,--version-script=$S/names.map", "$S/names.c -shared -fPIC -o whole"),
    "aliases, names": derived("strip -g program", "names", "-Wl,--version-script=$S/names.map",
                              "$S/names.c -shared -fPIC -o whole"),
    "assembly": Case("gcc $S/assembly.S -o whole", "names"),
    "assembly with lines": Case("gcc -g $S/assembly.S -o whole", "names"),
    "assembly by lld": Case("gcc -fuse-ld=lld $S/assembly.S -o whole", "names"),
    **{f"C++ by {' '.join(words)}": Case(f"{' '.join(words)} $S/plus.cc -o whole")
       for words in (("g++", "-O2", "-g"), ("g++", "-O0", "-g"),
                     ("g++", "-O2", "-g", "-fdebug-types-section"),
                     ("clang++", "-O2", "-g", "-Wno-unknown-attributes"))},
    "C++, names": Case("g++ -O2 $S/plus.cc -o whole", "names"),

    "32 bits": gcc("-m32"),
    "32 bits, DWARF 4": gcc("-m32 -gdwarf-4"),
    "32 bits, headless library": derived("strip -s program; headless program", "exported", "-m32",
                                         LIBRARY),
    **{target: foreign(target) for target in (
        "aarch64-linux-gnu", "aarch64_be-linux-gnu", "armv7-linux-gnueabihf",
        "thumbv7-linux-gnueabihf", "mips-linux-gnu", "mips64el-linux-gnuabi64",
        "powerpc-linux-gnu", "powerpc64-linux-gnu", "powerpc64le-linux-gnu", "riscv32-linux-gnu",
        "riscv64-linux-gnu")},
    "powerpc64, 64-bit DWARF": foreign("powerpc64-linux-gnu", "-gdwarf64"),
    "powerpc64 with descriptors": foreign("powerpc64-linux-gnu", "-mabi=elfv1"),
}

# Stubs of the functions of a library: how the calling program is linked.
STUBS = {f"{linker} {how}": f"-fuse-ld={linker} {flags}"
         for linker in ("bfd", "lld", "gold", "mold")
         for how, flags in (("lazy", "-Wl,-z,lazy"), ("now", "-Wl,-z,now"),
                            ("at a fixed address", "-no-pie -fno-pie"),
                            ("for branch tracking", "-fcf-protection -Wl,-z,ibtplt"))}

# The same of a program's own functions: how it is linked.
RESOLVED = {f"{linker}{flags}, resolved": f"-fuse-ld={linker}{flags}"
            for linker in ("bfd", "lld", "gold", "mold")
            for flags in ("", " -static", " -static-pie", " -no-pie")}


class Unbuildable(Exception):
    pass


def build(commands, folder):
    script = commands.replace("headless program", f"{sys.executable} {__file__} headless program")
    done = subprocess.run(["bash", "-ec", script], cwd=folder, capture_output=True, check=False,
                          env={**os.environ, "S": HERE})
    if done.returncode != 0:
        raise Unbuildable(done.stderr.decode(errors="replace").strip().split("\n")[-1][:90])


def take_headers_off(path):
    with open(path, "r+b") as file:
        wide = 8 if file.read(5)[4] == 2 else 4
        for offset, size in HEADLESS[wide]:
            file.seek(offset)
            file.write(bytes(size))


def tags():
    """The line of each tag, as (file, number)."""
    found = {}
    for name in os.listdir(HERE):
        with open(os.path.join(HERE, name), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                found.update({tag: (name, number) for tag in re.findall(r"/\*@(\w+)@\*/", line)})
    return found


def section(path, name, folder):
    copy = os.path.join(folder, "section")
    for tool in ("objcopy", "llvm-objcopy"):
        subprocess.run([tool, f"--dump-section={name}={copy}", path, os.devnull],
                       capture_output=True, check=False)
        if os.path.exists(copy):
            with open(copy, "rb") as file:
                return file.read()
    return b""


def marks(path, folder):
    """(address, frames) of every mark; a frame is (function, line or None)."""
    with open(path, "rb") as file:
        ident = file.read(6)
    form = ("<" if ident[5] == 1 else ">") + ("QI" if ident[4] == 2 else "II")
    data, at = section(path, ".marks", folder), 0
    lines = tags()
    while at + struct.calcsize(form) < len(data):
        address, line = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        end = data.index(b"\0", at)
        first, *callers = data[at:end].decode().split(";")
        at = end + 1
        frames = [(first, line)]
        for function, tag in (caller.split("@") for caller in callers):
            frames.append((function, lines[tag][1]))
        yield address, frames


def symbolize(path, addresses):
    run = subprocess.run([PROFRUN, "--json", "symbolize", path], capture_output=True, check=False,
                         input="".join(f"{address:#x}\n" for address in addresses).encode(),
                         env={key: value for key, value in os.environ.items()
                              if key != "DEBUGINFOD_URLS"})
    if run.returncode != 0:
        raise AssertionError(f"status {run.returncode}: {run.stderr.decode()}")
    return [json.loads(line)["frames"] for line in run.stdout.splitlines()]


def exported_names(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                            check=False).stdout
    return {line.split()[2] for line in listed.splitlines()}


def is_right(known, exported, expected, frames):
    """Whether an answer tells what is known of the expected one, and nothing else."""
    names = [frame["function"] for frame in frames]
    lines = [frame.get("line") for frame in frames]
    outermost = expected[-1][0]
    if outermost == "?":
        return not frames
    if known == "lines":
        return list(zip(names, lines)) == expected
    if known == "innermost lines":
        return names[-1] == outermost and lines[0] == expected[0][1]
    if known == "outermost":
        return names == [outermost] and lines[0] == expected[0][1]
    if known == "names" or (known == "exported" and outermost in exported):
        return names == [outermost]
    return len(names) == 1 and names[0].startswith("func_")


def check_case(name, folder):
    case = CASES[name]
    build(f"{case.commands}\n{case.finish}", folder)
    program = os.path.join(folder, "program")
    expected = list(marks(os.path.join(folder, "whole"), folder))
    if not expected:
        raise AssertionError("no marks")
    exported = exported_names(program) if "headless" not in case.finish else None
    if exported is None:
        exported = exported_names(os.path.join(folder, "whole"))
    answers = symbolize(program, [address for address, _ in expected])
    return [f"{address:#x} is {frames}, not {wanted}"
            for (address, wanted), frames in zip(expected, answers, strict=True)
            if not is_right(case.known, exported, wanted, frames)], len(expected)


def check_stubs(name, folder):
    """Every address of the stubs that objdump names too."""
    build(f"gcc -O2 $S/chain.c -shared -fPIC -o libchain.so\n"
          f"gcc -O2 $S/calls.c {STUBS[name]} -L. -lchain -o program", folder)
    program = os.path.join(folder, "program")
    listed = subprocess.run(["objdump", "-d", program], capture_output=True, text=True,
                            check=True).stdout
    stubs = re.findall(r"^([0-9a-f]+) <(host|exported)@plt>:$", listed, re.M)
    if not stubs:
        raise Unbuildable("objdump names no stubs of it")
    answers = symbolize(program, [int(start, 16) + 4 for start, _ in stubs])
    return [f"{start} is {frames}, not {function}@plt"
            for (start, function), frames in zip(stubs, answers, strict=True)
            if [frame["function"] for frame in frames] != [f"{function}@plt"]], len(stubs)


def check_resolved(name, folder):
    """What main() calls, in its order."""
    build(f"gcc -O2 $S/resolved.c {RESOLVED[name]} -o program", folder)
    program = os.path.join(folder, "program")
    listed = subprocess.run(["objdump", "-d", "--disassemble=main", program], capture_output=True,
                            text=True, check=True).stdout
    called = [int(address, 16) for address in re.findall(r"\tcall +([0-9a-f]+)", listed)]
    expected = [["first@plt"], ["second@plt"]]
    if len(called) != len(expected):
        raise Unbuildable("main does not call it")
    names = [[frame["function"] for frame in frames] for frames in symbolize(program, called)]
    return [f"{names} are called, not {expected}"] if sorted(names) != expected else [], len(called)


# Languages without marks: the program's own symbols tell where functions are.
LANGUAGES = {
    **{f"Rust, {scheme} names{', stripped of lines' if not debug else ''}": (
        f"RUSTC_BOOTSTRAP=1 rustc -O {debug} -Zunstable-options "
        f"-Csymbol-mangling-version={scheme} --crate-name rusty $S/rusty.rs -o program",
        r"5total", ("rusty::shop::total",), r"3sum", ("<rusty::shop::Pair<u64>>::sum",
                                                      "rusty::shop::Pair<u64>::sum"),
        r"5weigh", ("<rusty::shop::Pair<u64> as rusty::shop::Weigh>::weigh",))
       for scheme in ("legacy", "v0") for debug in ("-g", "")},
    **{f"D{flags}": (f"gdc -O2{flags} $S/dee.d -o program",
                     r"_D3dee5plain", ("dee.plain(int)",),
                     r"_D3dee__T5twice", ("dee.twice!(int).twice(int)",),
                     r"_D3dee4Shop5total", ("dee.Shop.total(int)",)) for flags in ("", " -g")},
}


def check_language(name, folder):
    commands, *expected = LANGUAGES[name]
    build(commands, folder)
    program = os.path.join(folder, "program")
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    wrong, count = [], 0
    for pattern, names in zip(expected[::2], expected[1::2]):
        for address, symbol in re.findall(rf"^([0-9a-f]+) [tTwW] (\S*{pattern}\S*)$", listed, re.M):
            if not re.match(r"_D3dee|_R.*rusty|_ZN.*rusty", symbol):
                continue
            frames = symbolize(program, [int(address, 16)])[0]
            count += 1
            if not frames or frames[-1]["function"] not in names:
                wrong.append(f"{symbol} is {frames}, not {names[0]}")
    if count == 0:
        wrong.append("none of its functions is there")
    return wrong, count


def run_one(check, name):
    with tempfile.TemporaryDirectory(prefix="profrun-corpus-") as folder:
        try:
            wrong, count = check(name, folder)
        except Unbuildable as why:
            return name, None, str(why)
        except AssertionError as why:
            wrong, count = [str(why)], 0
        return name, wrong, count


def main():
    if sys.argv[1:2] == ["headless"]:
        take_headers_off(sys.argv[2])
        return 0
    chosen = sys.argv[1:]
    checks = [(check, name) for check, names in ((check_case, CASES), (check_stubs, STUBS),
                                                 (check_resolved, RESOLVED),
                                                 (check_language, LANGUAGES)) for name in names
              if not chosen or name in chosen]
    failed = skipped = total = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, wrong, count in pool.map(lambda item: run_one(*item), checks):
            if wrong is None:
                skipped += 1
                print(f"not tested: {name}: {count}")
                continue
            total += count
            failed += bool(wrong)
            for text in wrong:
                print(f"FAILED {name}: {text}")
    print(f"{len(checks) - skipped - failed} cases right ({total} addresses), {failed} wrong, "
          f"{skipped} not tested")
    return 1 if failed or skipped == len(checks) else 0


sys.exit(main())
