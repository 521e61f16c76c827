# SPDX-License-Identifier: MIT
"""What the signal handler of the preload module may do, by its machine code.

Argument: the module. From `handle` on every call and jump is followed. No system call, no call
through a pointer and no function outside of the list may be reached, but through the one door that
a signal which is no tick takes; and the stack that all of them use together is bounded.
"""

import re
import sys

import lint

START = "handle"
# A signal that is no tick: the program's own handler, or a thread that is asked to arm itself.
DOOR = "owner_foreign_signal"
ALLOWED = {START, "slots_from_value", "timers_take_ticks", "timers_schedule", "region_tick",
           "region_holds", "histogram_count", "late_in_kernel", "raw_tick", "count", "count_at",
           "count_thread", "count_raw", "delayed", "program_counter", "system_call_result",
           "slot_at", "chunk_of", "start_of", "count_at_or_below", "after_system_call",
           "changed_mask", "carry_append", "schedule_take", "takes_early", "happens", "scramble"}
STACK_MAX = 256

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
TRANSFER = re.compile(r"\b(?:call|j[a-z]+|bl?|b\.[a-z]+|cbn?z|tbn?z)\b.*"
                      r"<([^+>]+)[^>]*>")
INDIRECT = re.compile(r"\b(?:call|jmp|notrack jmp)\s+\*|\bblr\b")
SYSTEM = re.compile(r"\b(?:syscall|sysenter|int\s+\$0x80|svc)\b")
PUSH = re.compile(r"\bpush\b")
# gcc adds -128 where that is shorter than to subtract 128.
SUBTRACT = re.compile(r"\bsub\s+\$0x([0-9a-f]+),%rsp|\bsub\s+sp, sp, #0x([0-9a-f]+)|"
                      r"\[sp, #-([0-9]+)\]!")
ADD = re.compile(r"\badd\s+\$0x(f[0-9a-f]{15}),%rsp|\badd\s+\$-0x([0-9a-f]+),%rsp")


class Function:
    def __init__(self):
        self.targets, self.problems, self.stack = set(), [], 8

    def read(self, line):
        if SYSTEM.search(line):
            self.problems.append("makes a system call")
        if INDIRECT.search(line):
            self.problems.append(f"calls through a pointer: {line.split(chr(9))[-1].strip()}")
        transfer = TRANSFER.search(line)
        if transfer:
            self.targets.add(transfer.group(1))
        self.stack += 8 * bool(PUSH.search(line))
        subtract = SUBTRACT.search(line)
        if subtract:
            first, second, decimal = subtract.groups()
            self.stack += int(first or second, 16) if first or second else int(decimal)
        add = ADD.search(line)
        if add:
            self.stack += 2 ** 64 - int(add.group(1), 16) if add.group(1) else int(add.group(2), 16)


def functions_of(module):
    functions, current = {}, None
    for line in lint.output("objdump", "-d", "--no-show-raw-insn", module).splitlines():
        start = FUNCTION.match(line)
        if start:
            current = functions.setdefault(start.group(1), Function())
        elif current:
            current.read(line)
    return functions


def walk(functions, name, above, problems, path):
    """The stack that @name and what it calls use at most."""
    function = functions.get(name)
    base = name.split(".")[0]
    if base == DOOR:
        return 0
    if base not in ALLOWED:
        problems.append(f"{' -> '.join(path)} reaches {name}")
        return 0
    if not function:
        problems.append(f"{name} has no code here")
        return 0
    problems += [f"{name} {problem}" for problem in function.problems]
    if name in above:
        problems.append(f"{name} calls itself")
        return 0
    below = [walk(functions, target, above | {name}, problems, path + [target])
             for target in function.targets if target != name]
    return function.stack + max(below, default=0)


def main():
    functions = functions_of(sys.argv[1])
    problems = []
    if START not in functions:
        lint.finish([f"{sys.argv[1]} has no function {START}"])
    stack = walk(functions, START, frozenset(), problems, [START])
    print(f"the handler and what it calls use {stack} bytes of stack at most")
    if stack > STACK_MAX:
        problems.append(f"{stack} bytes of stack; {STACK_MAX} are allowed")
    lint.finish(sorted(set(problems)))


main()
