# SPDX-License-Identifier: MIT
"""--debuginfod: names and lines of a stripped program from a debuginfod server on loopback; nothing
without the option; most ticks first; a silent server costs no more than the budget, or until
Ctrl-C.
Arguments: the C compiler.
"""

import ctypes
import http.server
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import harness

SOURCE = """
#define BURN(name, turns) static __attribute__((noinline)) void name(void) {\\
	for (unsigned long x = 3, i = 0; i < turns; i++) {\\
		x = x * 1664525UL + 3; __asm__ volatile("" : : "r"(x)); } }
BURN(NAME, TURNS)
void CALL(void);
#ifdef MAIN
int main(void) { NAME(); CALL(); return 0; }
#else
void CALL(void) { NAME(); }
#endif
"""


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True)
    return re.search(r"Build ID: (\w+)", notes.stdout)[1]


def build(compiler, folder):
    """A program and a library without symbols, whose debug files are in `debug`; their ids."""
    library, program = os.path.join(folder, "libcold.so"), os.path.join(folder, "program")
    debug = os.path.join(folder, "debug")
    os.mkdir(debug)
    common = [*compiler, "-O2", "-g", "-Wl,--build-id", "-DCALL=call_it"]
    path = os.path.join(folder, "source.c")
    with open(path, "w", encoding="ascii") as file:
        file.write(SOURCE)
    subprocess.run([*common, "-shared", "-fPIC", "-DNAME=colder", "-DTURNS=150000000", path,
                    "-o", library], check=True)
    subprocess.run([*common, "-DMAIN", "-DNAME=hotter", "-DTURNS=600000000", path, library,
                    "-o", program], check=True)
    for file in (program, library):
        subprocess.run(["objcopy", "--only-keep-debug", file,
                        os.path.join(debug, os.path.basename(file) + ".debug")], check=True)
        subprocess.run(["strip", "-s", file], check=True)
    return program, debug, [build_id(program), build_id(library)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Debian's debuginfod over a folder."""

    def __init__(self, folder, debug, identity):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        with open(os.path.join(folder, "log"), "wb") as log:
            self.process = subprocess.Popen(
                ["debuginfod", "-p", str(port), "-d", os.path.join(folder, "index.sqlite"), "-F",
                 debug], stdout=log, stderr=log, env={**os.environ, "HOME": folder})
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.url}/buildid/{identity}/debuginfo") as answer:
                    answer.read(1)
                    return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise AssertionError("debuginfod does not serve")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Asked(http.server.BaseHTTPRequestHandler):
    """Knows nothing, and who asked for what."""

    def do_GET(self):  # pylint: disable=invalid-name
        self.server.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def report(saved, environment, *options):
    run = harness.Run([harness.PROFRUN, *options, "--csv", "report", saved], environment)
    assert run.status == 0, run.errors.decode()
    return run


def check_fetched(saved, environment, folder, debug, identities):
    server = Server(folder, debug, identities[0])
    try:
        urls = {**environment, "DEBUGINFOD_URLS": server.url}
        without = report(saved, urls).output.decode()
        assert "hotter" not in without, f"fetched without being asked to: {without}"
        fetched = report(saved, urls, "--debuginfod=30", "--by=line").output.decode()
        print(fetched)
        assert re.search(r"^hotter,program,\S*source\.c,\d+,", fetched, re.M), fetched
        assert re.search(r"^colder,libcold\.so,\S*source\.c,\d+,", fetched, re.M), fetched
    finally:
        server.stop()


def check_order(saved, environment, identities):
    with http.server.HTTPServer(("127.0.0.1", 0), Asked) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        report(saved, {**environment, "DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_port}"},
               "--debuginfod=30", "--by=line")
        server.shutdown()
        first = [re.search(r"buildid/(\w+)/", path)[1] for path in server.asked]
        ours = [identity for identity in first if identity in identities]
        assert list(dict.fromkeys(ours)) == identities, f"asked for {first}, not {identities}"


def check_silent(saved, environment):
    """A server that takes connections and never answers."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        urls = {**environment, "DEBUGINFOD_URLS": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        start = time.monotonic()
        report(saved, urls, "--by=line")
        without = time.monotonic() - start
        run = report(saved, urls, "--by=line", "--debuginfod=1")
        elapsed = time.monotonic() - start - without
        print(f"a budget of 1 s took {elapsed:.1f} s, without it {without:.1f} s")
        assert elapsed < 5, f"{elapsed} s"
        assert b"func_" in run.output, run.output
        assert b"the time for it is over" in run.errors, run.errors
        nobody = report(saved, {**environment, "DEBUGINFOD_URLS": ""}, "--debuginfod=1")
        assert b"DEBUGINFOD_URLS names no server" in nobody.errors, nobody.errors
        silent.settimeout(60)
        silent.accept()[0].close()
        with subprocess.Popen([harness.PROFRUN, "--debuginfod=600", "--by=line", "--csv", "report",
                               saved],
                              env={**os.environ, **urls}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            connection = silent.accept()[0]
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
            connection.close()
        assert process.returncode == 0, f"{process.returncode}: {errors.decode()}"
        assert b"func_" in output, output


def main():
    if not shutil.which("debuginfod"):
        harness.skip("no debuginfod here")
    try:
        ctypes.CDLL("libdebuginfod.so.1")
    except OSError:
        harness.skip("no libdebuginfod here")
    with harness.scratch() as folder:
        program, debug, identities = build(sys.argv[1:], folder)
        saved = os.path.join(folder, "saved.pb.gz")
        run = harness.Run([harness.PROFRUN, f"--ticks={harness.TICKS}", "--no-save",
                           "--format=pprof", "-o", saved, program])
        assert run.status == 0, run.errors.decode()
        environment = {"DEBUGINFOD_CACHE_PATH": os.path.join(folder, "cache"), "HOME": folder,
                       "XDG_STATE_HOME": folder, "no_proxy": "*"}
        check_silent(saved, environment)
        shutil.rmtree(environment["DEBUGINFOD_CACHE_PATH"], ignore_errors=True)
        check_order(saved, environment, identities)
        shutil.rmtree(environment["DEBUGINFOD_CACHE_PATH"], ignore_errors=True)
        check_fetched(saved, environment, folder, debug, identities)


main()
