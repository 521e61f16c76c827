# SPDX-License-Identifier: MIT
"""A program on a terminal of its own, and what one would see on it.

Screen understands the control sequences that profrun writes, and refuses all others, so that a
test fails where another terminal might do anything.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(rb"\x1b(?:\[([?]?)([\d;]*)([A-Za-z])|([78D]))")


class Screen:
    def __init__(self, lines, columns):
        self.lines, self.columns = lines, columns
        self.main = self.blank()
        self.cells = self.main
        self.alternate = False
        self.at, self.saved, self.saved_main = [0, 0], [0, 0], [0, 0]
        self.region = (0, lines - 1)
        self.history = []
        self.visible_cursor = self.wraps = True
        self.style = ""
        self.rest = b""

    def blank(self):
        return [self.blank_line() for _ in range(self.lines)]

    def blank_line(self):
        return [(" ", "")] * self.columns

    def text(self):
        return ["".join(cell for cell, _ in line).rstrip() for line in self.cells]

    def feed(self, data):
        data = self.rest + data
        self.rest = b""
        while data:
            if data[0] == 0x1b:
                match = SEQUENCE.match(data)
                if not match and b"\x1b" in data[1:16]:
                    # Where a terminal takes nothing for a while, sequences are cut.
                    data = data[data.index(b"\x1b", 1):]
                    continue
                if not match:
                    assert len(data) < 16, f"unknown sequence: {data[:16]!r}"
                    self.rest = data
                    return
                self.control(*match.groups())
                data = data[match.end():]
                continue
            length = 1 if data[0] < 0xc0 else 2 if data[0] < 0xe0 else 3 if data[0] < 0xf0 else 4
            if len(data) < length:
                self.rest = data
                return
            self.put(data[:length].decode())
            data = data[length:]

    def put(self, letter):
        if letter == "\r":
            self.at[1] = 0
        elif letter == "\n":
            self.index()
        elif letter == "\b":
            self.at[1] = max(self.at[1] - 1, 0)
        else:
            assert letter >= " ", f"control character {letter!r}"
            if self.at[1] >= self.columns and self.wraps:
                self.at[1] = 0
                self.index()
            column = min(self.at[1], self.columns - 1)
            self.cells[self.at[0]][column] = (letter, self.style)
            self.at[1] = column + 1

    def index(self):
        top, bottom = self.region
        if self.at[0] != bottom:
            self.at[0] = min(self.at[0] + 1, self.lines - 1)
            return
        line = self.cells.pop(top)
        if top == 0 and not self.alternate:
            self.history.append("".join(cell for cell, _ in line).rstrip())
        self.cells.insert(bottom, self.blank_line())

    def control(self, private, numbers, final, short):
        if short:
            {b"7": self.save, b"8": self.restore, b"D": self.index}[short]()
            return
        values = [int(number) for number in numbers.split(b";") if number]
        name = final.decode()
        if private:
            self.mode(values[0], name == "h")
        elif name == "H":
            row, column = (values + [1, 1])[:2] if len(values) != 1 else (values[0], 1)
            self.at = [min(row, self.lines) - 1, min(column, self.columns) - 1]
        elif name == "A":
            self.at[0] = max(self.at[0] - (values or [1])[0], 0)
        elif name == "K":
            assert not values
            self.cells[self.at[0]][self.at[1]:] = self.blank_line()[self.at[1]:]
        elif name == "J":
            assert values == [2]
            self.cells[:] = self.blank()
        elif name == "r":
            top, bottom = values or (1, self.lines)
            self.region = (top - 1, bottom - 1)
            self.at = [0, 0]
        elif name == "m":
            self.style = {(): "", (0,): "", (27,): ""}.get(
                tuple(values), f"{self.style};{numbers.decode()}")
        else:
            raise AssertionError(f"unknown sequence ending in {name}")

    def save(self):
        self.saved = list(self.at)

    def restore(self):
        self.at = list(self.saved)

    def mode(self, number, on):
        if number == 25:
            self.visible_cursor = on
        elif number == 7:
            self.wraps = on
        elif number == 1049:
            if on != self.alternate:
                self.alternate = on
                if on:
                    self.saved_main = list(self.at)
                    self.cells = self.blank()
                else:
                    self.at = list(self.saved_main)
                    self.cells = self.main
        else:
            raise AssertionError(f"unknown mode {number}")

    def is_as_before(self):
        """The terminal works as it does for a shell."""
        return (not self.alternate and self.visible_cursor and self.wraps and not self.style
                and self.region == (0, self.lines - 1))

    def resize(self, lines, columns):
        for cells in {id(self.main): self.main, id(self.cells): self.cells}.values():
            for line in cells:
                line[:] = (line + [(" ", "")] * columns)[:columns]
            cells[:] = (cells + [[(" ", "")] * columns for _ in range(lines)])[:lines]
        self.lines, self.columns = lines, columns
        self.region = (0, lines - 1)
        self.at = [min(self.at[0], lines - 1), min(self.at[1], columns - 1)]


class Terminal:
    """A pseudo-terminal; start() makes it the controlling one of a new session."""

    def __init__(self, lines=24, columns=100):
        self.ours, self.theirs = pty.openpty()
        self.screen = Screen(lines, columns)
        self.output = b""
        self.set_size()
        self.modes = termios.tcgetattr(self.theirs)

    def close(self):
        os.close(self.ours)
        os.close(self.theirs)

    def set_size(self):
        size = struct.pack("HHHH", self.screen.lines, self.screen.columns, 0, 0)
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, size)

    def resize(self, lines, columns):
        self.read(0)
        self.screen.resize(lines, columns)
        self.set_size()

    def start(self, command, environment=None, stdin=None, stdout=None, stderr=None):
        """Runs it on this terminal, but for the streams that are paths. Returns its pid."""
        pid = os.fork()
        if pid:
            return pid
        try:
            os.setsid()
            fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)
            for number, path in enumerate((stdin, stdout, stderr)):
                stream = (os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
                          if path else self.theirs)
                os.dup2(stream, number)
            for number in range(3, 64):
                try:
                    os.close(number)
                except OSError:
                    pass
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "NO_COLOR": "1",
                                             **(environment or {})})
        finally:
            os._exit(127)

    def read(self, seconds):
        """Takes what comes in this time, or what is there."""
        end = time.monotonic() + seconds
        while True:
            wait = max(end - time.monotonic(), 0)
            if not select.select([self.ours], [], [], wait)[0]:
                return
            data = os.read(self.ours, 65536)
            self.output += data
            self.screen.feed(data)

    def wait_for(self, what, seconds=20):
        """Until what(screen) holds; returns what that is."""
        end = time.monotonic() + seconds
        while not (found := what(self.screen)):
            assert time.monotonic() < end, "it never came:\n" + "\n".join(self.screen.text())
            self.read(0.02)
        return found

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def modes_are_as_before(self):
        return termios.tcgetattr(self.theirs) == self.modes

    def end_of(self, pid, seconds=20):
        """The wait status of a process that ends in this time."""
        end = time.monotonic() + seconds
        while True:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                self.read(0)
                return status
            assert time.monotonic() < end, "it does not end:\n" + "\n".join(self.screen.text())
            self.read(0.02)
