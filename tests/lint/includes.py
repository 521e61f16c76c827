# SPDX-License-Identifier: MIT
"""Who may include whom: the pipeline is the folder tree, and its arrows go one way."""

import re

import lint

# The project's headers that a folder may include beside its own.
NEIGHBOURS = {
    "cli": ("symbolize/symbolize.h", "symbolize/error.h", "symbolize/util.h",
            "libsample/arena.h", "libsample/raw.h"),
    "symbolize": (),
    "libsample": (),
}

# Headers of other libraries, and the folders that may use them; everything else is libc's.
LIBRARIES = {
    "libelf.h": ("symbolize", "cli"),
    "gelf.h": ("symbolize", "cli"),
    "dwarf.h": ("symbolize",),
    "elfutils/": ("symbolize",),
    "libiberty/": ("symbolize",),
    "zstd.h": ("symbolize",),
    "lzma.h": ("symbolize",),
    "zlib.h": ("symbolize", "cli"),
    "json-c/": ("cli",),
    "protobuf-c/": ("cli",),
    "capstone/": ("cli",),
    "criterion/": (),
}

INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')


def allowed(folder, quote, header):
    if quote == '"':
        if header.endswith(".pb-c.h"):
            return folder == "cli"
        return header.startswith(folder + "/") or header in NEIGHBOURS[folder]
    return all(folder in folders for name, folders in LIBRARIES.items()
               if header.startswith(name))


def main():
    problems = []
    for path in lint.files(".c", ".h"):
        folder = path.split("/")[0]
        if folder not in NEIGHBOURS:
            continue
        for number, line in enumerate(lint.lines(path), 1):
            match = INCLUDE.match(line)
            if match and not allowed(folder, *match.groups()):
                problems.append(f"{path}:{number}: {folder} may not include {match.group(2)}")
    lint.finish(problems)


main()
