# SPDX-License-Identifier: MIT
"""A real browser without a screen, for pages, and for what others read in pages."""

import contextlib
import os
import shutil
import signal
import subprocess


def dump(address, folder, *options):
    """The document after its scripts, or None where the browser itself fails."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
               "--disable-dev-shm-usage", f"--user-data-dir={folder}/chromium", *options, address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          start_new_session=True) as browser:
        try:
            text, _ = browser.communicate(timeout=100)
        except subprocess.TimeoutExpired:
            text = None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(browser.pid, signal.SIGKILL)
    return text.decode() if text and browser.returncode == 0 else None


def works(folder):
    """Whether there is one, and it runs here."""
    return bool(shutil.which("chromium")) and dump("about:blank", folder) is not None
