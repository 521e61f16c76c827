# SPDX-License-Identifier: MIT
"""A real browser without a screen, for pages, and for what others read in pages."""

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time

PATIENCE = 100.0  # seconds


def command_line(folder, *options):
    return ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={folder}/chromium", *options]


def end(browser):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(browser.pid, signal.SIGKILL)
    browser.wait()


def dump(address, folder, *options):
    """The document after its scripts, or None where the browser itself fails."""
    with subprocess.Popen(command_line(folder, "--dump-dom", *options, address),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          start_new_session=True) as browser:
        try:
            text, _ = browser.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            text = None
        end(browser)
    return text.decode() if text and browser.returncode == 0 else None


def works(folder):
    """Whether there is one, and it runs here."""
    return bool(shutil.which("chromium")) and dump("about:blank", folder) is not None


class Page:
    """An open page, for documents that go on changing after they were loaded.

    Speaks the DevTools protocol, messages of JSON that end with a zero byte, by the descriptors 3
    and 4 of the browser."""

    def __init__(self, address, folder, *options):
        ends = os.pipe(), os.pipe()
        theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (ends[0][0], ends[1][1])]
        self.commands, self.answers = ends[0][1], ends[1][0]
        self.browser = subprocess.Popen(
            command_line(folder, "--remote-debugging-pipe", *options), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            pass_fds=(3, 4), preexec_fn=lambda: (os.dup2(theirs[0], 3), os.dup2(theirs[1], 4)))
        for fd in (ends[0][0], ends[1][1], *theirs):
            os.close(fd)
        self.count, self.text, self.session = 0, b"", {}
        self.deadline = time.monotonic() + PATIENCE
        try:
            self.open(address)
        except BaseException:
            end(self.browser)
            raise

    def open(self, address):
        target = self.ask("Target.createTarget", url=address)
        self.session = {"sessionId": self.ask("Target.attachToTarget", flatten=True,
                                              **target)["sessionId"]}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.browser)
        os.close(self.commands)
        os.close(self.answers)

    def receive(self):
        while b"\0" not in self.text:
            left = max(0, self.deadline - time.monotonic())
            assert select.select([self.answers], [], [], left)[0], "the browser says nothing"
            more = os.read(self.answers, 1 << 16)
            assert more, "the browser has ended"
            self.text += more
        message, _, self.text = self.text.partition(b"\0")
        return json.loads(message)

    def ask(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters, **self.session}
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.count:
            pass
        assert "result" in answer, answer
        return answer["result"]

    def evaluate(self, expression):
        return self.ask("Runtime.evaluate", returnByValue=True,
                        expression=expression)["result"].get("value")

    def wait(self, condition):
        """The document, as soon as condition(document) holds, or as it is in the end."""
        while True:
            document = self.evaluate("document.documentElement.outerHTML") or ""
            if condition(document) or time.monotonic() > self.deadline - 1:
                return document
            time.sleep(0.1)
