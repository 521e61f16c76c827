# SPDX-License-Identifier: MIT
"""profrun finds the module that belongs to it, wherever both were moved.

Arguments: profrun, its module, the module's folder below a prefix, and the folder of links there.
"""

import os
import shutil
import subprocess
import sys

import harness
import launching

PROFRUN, MODULE = map(os.path.realpath, sys.argv[1:3])
MODULE_FOLDER = sys.argv[3]
ENTRANCE = sys.argv[4]
SHOW = 'echo "$LD_PRELOAD"; grep -m1 -o "/.*profrun-preload.so" /proc/$$/maps; kill -TERM $$'


def install(prefix):
    """(profrun, module) as `meson install` would leave them."""
    binary = os.path.join(prefix, "bin", "profrun")
    module = os.path.join(prefix, MODULE_FOLDER, os.path.basename(MODULE))
    for source, target in ((PROFRUN, binary), (MODULE, module)):
        os.makedirs(os.path.dirname(target))
        shutil.copy(source, target)
    shutil.copytree(os.path.join(os.path.dirname(MODULE), ENTRANCE),
                    os.path.join(os.path.dirname(module), ENTRANCE), symlinks=True)
    return binary, module


def preload(profrun):
    """What LD_PRELOAD is in a target that a signal ends, and the module that was loaded."""
    done = subprocess.run([profrun, "-q", "-o", "/dev/null", "sh", "-c", SHOW], env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == -15, done.returncode
    return done.stdout.decode().splitlines()


def entry(module):
    """What LD_PRELOAD should be for it."""
    return os.path.join(os.path.dirname(module), ENTRANCE, "$LIB", os.path.basename(module))


def environment():
    return {name: value for name, value in os.environ.items()
            if name not in ("LD_PRELOAD", "XDG_RUNTIME_DIR")}


def the_build_tree():
    assert preload(PROFRUN) == [entry(MODULE), MODULE], preload(PROFRUN)


def a_moved_prefix():
    with harness.scratch() as folder:
        profrun, module = install(os.path.join(folder, "moved"))
        assert preload(profrun) == [entry(module), module]
        os.symlink(profrun, os.path.join(folder, "link"))
        assert preload(os.path.join(folder, "link")) == [entry(module), module]


def paths_that_cannot_stand_in_a_preload():
    for name in ("with space", "a:colon", "$ORIGIN", "tab\tbed", " lines\n"):
        with harness.scratch() as folder:
            profrun, module = install(os.path.join(folder, name))
            shown, _, led = "\n".join(preload(profrun)).partition("\n")
            led = led.replace("\\011", "\t").replace("\\012", "\n")
            assert led.rstrip("\n") == module, f"{shown} leads to {led}, not {module}"
            private = shown.partition("/" + ENTRANCE)[0]
            assert not set(private) & set(": \t\n$"), shown
            assert not os.path.exists(private), f"{private} is left behind"


def a_private_folder_elsewhere():
    with harness.scratch() as folder:
        profrun, module = install(os.path.join(folder, "with space"))
        os.makedirs(os.path.join(folder, "also with space"))
        for wanted, parent in ((folder, folder), ("/tmp", os.path.join(folder, "also with space")),
                               ("/tmp", "/does/not/exist")):
            os.environ["TMPDIR"] = parent
            shown, led = preload(profrun)
            private = shown.partition("/" + ENTRANCE)[0]
            assert led == module and os.path.dirname(private) == wanted, shown
        del os.environ["TMPDIR"]


def a_target_that_becomes_another_user():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("skipped: only root can become another user")
        return
    with harness.scratch() as folder:
        os.chmod(folder, 0o755)
        profrun, _ = install(os.path.join(folder, "with space"))
        done = subprocess.run([profrun, "-q", "-o", "/dev/null", "setpriv", "--reuid=65534",
                               "--regid=65534", "--clear-groups", "sh", "-c", "id -u"],
                              env=environment(), cwd="/", capture_output=True, check=False)
        assert done.stdout == b"65534\n", done
        assert b"preload" not in done.stderr, done.stderr


def without_its_module_the_target_runs():
    with harness.scratch() as folder:
        profrun, module = install(folder)
        os.remove(module)
        done = subprocess.run([profrun, "-o", "/dev/null", "sh", "-c", "exit 9"],
                              capture_output=True, check=False)
        assert done.returncode == 9
        # The configured prefix may have one.
        assert not done.stderr or b"profrun-preload.so" in done.stderr, done.stderr


sys.exit(launching.run_tests((
    the_build_tree,
    a_moved_prefix,
    paths_that_cannot_stand_in_a_preload,
    a_private_folder_elsewhere,
    a_target_that_becomes_another_user,
    without_its_module_the_target_runs,
)))
