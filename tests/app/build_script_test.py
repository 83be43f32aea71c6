#!/usr/bin/env python3
"""app/run and third_party/*.sh: which build they run, what they print, what they ask for. Stubs stand in for cmake, ninja, apt and
sudo, so that nothing is built or installed.

    python3 tests/app/build_script_test.py [--traceview IGNORED] [TEST...]
"""

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import skip_case  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

CMAKE = """#!/bin/bash
echo "cmake $PWD $*" >>"$STUB_LOG"
[ -z "${CMAKE_SAYS:-}" ] || { printf '%s\\n' "$CMAKE_SAYS"; exit 1; }
while [ $# -gt 0 ]; do [ "$1" = -B ] && folder=$2; shift; done
mkdir -p "$folder"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$folder/CMakeCache.txt"
touch "$folder/build.ninja"
"""

# Builds when a source is newer than the program, as ninja does. The program prints the source that it was made from.
NINJA = """#!/bin/bash
echo "ninja $*" >>"$STUB_LOG"
folder=$2
root=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
touch "$folder/.ninja_log"
echo "ninja: Entering directory $folder"
program=$folder/app/traceview
if [ -e "$program" ] && [ -z "$(find "$root/app/main.cpp" -newer "$program")" ]; then
    echo "ninja: no work to do."
    exit 0
fi
for i in $(seq 1 40); do echo "[$i/40] Building CXX object x$i.o"; done
echo "main.cpp:1: warning: a thing the compiler said"
mkdir -p "$folder/app"
printf '#!/bin/bash\\necho "program of %s: $*"\\n' "$(cat "$root/app/main.cpp")" >"$program"
chmod +x "$program"
"""

DPKG = """#!/bin/bash
case " $NOT_INSTALLED " in *" ${!#} "*) echo not-installed ;; *) echo -n installed ;; esac
"""
APT_CACHE = "#!/bin/bash\necho Package: ${!#}\n"
APT_GET = '#!/bin/bash\necho "apt-get $*" >>"$STUB_LOG"\n'
SUDO = '#!/bin/bash\necho "sudo $*" >>"$STUB_LOG"\n[ -z "${SUDO_REFUSES:-}" ]\n'
STUBS = {"cmake": CMAKE, "ninja": NINJA, "dpkg-query": DPKG, "apt-cache": APT_CACHE, "apt-get": APT_GET, "sudo": SUDO, "c++": "#!/bin/bash\n"}
# The other programs that the scripts may call.
TOOLS = "bash sh env cat chmod cp cut date dirname find grep head id ln mkdir mktemp mv printf readlink rm sed seq sort tail tee touch tr uname".split()


def nobody():
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return 65534


class BuildScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-build-")
        self.addCleanup(self.clean)
        os.chmod(self.folder, 0o755)
        self.stubs = os.path.join(self.folder, "bin")
        os.mkdir(self.stubs)
        for name, text in STUBS.items():
            self.program(name, text)
        for name in TOOLS:
            os.symlink(shutil.which(name), os.path.join(self.stubs, name))
        self.log = os.path.join(self.folder, "log")
        with open(self.log, "w"):
            pass
        os.chmod(self.log, 0o666)
        self.checkout = self.make_checkout("checkout")
        self.environment = {"PATH": self.stubs, "STUB_LOG": self.log, "HOME": self.folder, "TMPDIR": tempfile.gettempdir()}

    def clean(self):
        subprocess.run(["chmod", "-R", "u+w", self.folder], check=True)
        shutil.rmtree(self.folder)

    def program(self, name, text):
        path = os.path.join(self.stubs, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def without(self, *names):
        for name in names:
            os.remove(os.path.join(self.stubs, name))

    def make_checkout(self, name):
        checkout = os.path.join(self.folder, name)
        for folder in ("app", "core", "ui", "third_party"):
            os.makedirs(os.path.join(checkout, folder))
        for path in ("app/run", "third_party/build.sh", "third_party/install.sh", "third_party/packages.txt"):
            shutil.copy(os.path.join(ROOT, path), os.path.join(checkout, path))
        for path in ("CMakeLists.txt", "CMakePresets.json", "core/a.cpp", "ui/a.cpp"):
            with open(os.path.join(checkout, path), "w"):
                pass
        self.edit(checkout, "first")
        return checkout

    def edit(self, checkout, text):
        """Writes the source that the program is made from."""
        path = os.path.join(checkout, "app/main.cpp")
        with open(path, "w") as file:
            file.write(text)

    def age(self, checkout):
        """Dates all files back by a minute, so that later changes are newer, however coarse the disk's clock is."""
        for folder, folders, files in os.walk(checkout):
            for name in [*folders, *files, "."]:
                path = os.path.join(folder, name)
                before = os.stat(path).st_mtime_ns - 60_000_000_000
                os.utime(path, ns=(before, before))

    def run_it(self, *arguments, checkout=None, expect=0, user=None, environment=None, **more):
        command = [os.path.join(checkout or self.checkout, "app/run"), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=self.folder, user=user,
                                env=self.environment | (environment or {}) | more)  # fmt: skip
        self.assertEqual(result.returncode, expect, result.stderr + result.stdout)
        return result

    def called(self):
        """The programs that were called since this was last asked."""
        with open(self.log) as file:
            lines = file.read().splitlines()
        with open(self.log, "w"):
            pass
        return lines

    def test_builds_once_and_says_how_far_it_is(self):
        result = self.run_it("info", "x")
        self.assertEqual(result.stdout, "program of first: --without-display traceview.png info x\n")
        said = re.findall(r"building build/release (\d+) %", result.stderr)
        self.assertEqual(said, ["2", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"])
        self.called()
        self.age(self.checkout)
        again = self.run_it("info", "x")
        self.assertEqual((again.stdout, again.stderr), (result.stdout, ""))
        self.edit(self.checkout, "second")
        self.assertIn("program of second:", self.run_it("info").stdout)

    def test_what_the_compiler_said_is_kept(self):
        self.run_it("info")
        log = os.path.join(self.checkout, "build/release/build.log")
        with open(log) as file:
            self.assertIn("a thing the compiler said", file.read())
        self.age(self.checkout)
        with open(os.path.join(self.checkout, "core/b.cpp"), "w"):  # newer than the build, but ninja finds nothing to do
            pass
        self.run_it("info")
        self.assertIn("ninja", " ".join(self.called()))
        with open(log) as file:
            text = file.read()
        self.assertEqual(text.count("a thing the compiler said"), 1)
        self.assertNotIn("no work", text)

    def test_a_finished_build_runs_where_nothing_can_be_written(self):
        self.run_it("info")
        self.age(self.checkout)
        self.called()
        for stamp in (True, False):  # False: a build without its mark
            with self.subTest(stamp=stamp):
                if not stamp:
                    os.remove(os.path.join(self.checkout, "build/release/build.done"))
                self.read_only(self.checkout)
                result = self.run_it("info", user=self.somebody())
                self.assertEqual((result.stdout, result.stderr), ("program of first: --without-display traceview.png info\n", ""))
                self.assertEqual(self.called(), [])
                subprocess.run(["chmod", "-R", "u+w", self.checkout], check=True)

    def test_an_old_build_that_cannot_be_made_anew_says_so(self):
        self.run_it("info")
        self.age(self.checkout)
        self.edit(self.checkout, "second")
        self.read_only(self.checkout)
        result = self.run_it("info", user=self.somebody())
        self.assertIn("program of first", result.stdout)
        self.assertIn("app/main.cpp changed since", result.stderr)

    def test_where_nothing_can_be_written_and_nothing_is_built(self):
        self.read_only(self.checkout)
        result = self.run_it("info", user=self.somebody(), expect=1)
        self.assertIn("TV_BUILD=", result.stderr)
        self.assertNotIn("mkdir", result.stderr)
        elsewhere = os.path.join(self.folder, "elsewhere")
        os.mkdir(elsewhere)
        os.chmod(elsewhere, 0o777)
        result = self.run_it("info", user=self.somebody(), TV_BUILD=elsewhere)
        self.assertIn("program of first", result.stdout)
        self.assertTrue(os.path.exists(os.path.join(elsewhere, "release/app/traceview")))

    def test_a_moved_checkout_is_built_anew(self):
        self.run_it("info")
        moved = os.path.join(self.folder, "moved")
        os.rename(self.checkout, moved)
        self.edit(moved, "second")
        result = self.run_it("info", checkout=moved)
        self.assertIn("program of second", result.stdout)
        self.assertIn("was made for " + self.checkout, result.stderr)
        self.assertFalse(os.path.exists(self.checkout))

    def test_a_copied_checkout_is_built_from_its_own_sources(self):
        self.run_it("info")
        copy = os.path.join(self.folder, "copy")
        shutil.copytree(self.checkout, copy)
        self.edit(copy, "second")
        self.assertIn("program of second", self.run_it("info", checkout=copy).stdout)
        self.assertIn("program of first", self.run_it("info").stdout)

    def test_missing_tools_are_named_every_time(self):
        self.without("cmake", "apt-get", "dpkg-query", "apt-cache")
        for _ in range(2):
            result = self.run_it("info", expect=1)
            self.assertIn("cmake must be installed first", result.stderr)
            self.assertIn("apt-get install g++ cmake ninja-build", result.stderr)
            self.assertNotIn("command not found", result.stderr)
            self.assertNotIn("|", result.stderr)

    def test_without_root_the_command_for_root_is_printed(self):
        self.without("sudo")
        os.chown(self.checkout, self.somebody() or -1, -1)
        environment = {"NOT_INSTALLED": "libfmt-dev libfontconfig-dev libfontconfig1-dev"}
        if not self.somebody():
            skip_case(self, "needs root")
        result = self.run_it("info", user=self.somebody(), environment=environment)
        self.assertIn("apt-get install --no-install-recommends libfmt-dev libfontconfig-dev\n", result.stderr)
        self.assertIn("program of first", result.stdout)

    def test_a_refused_sudo_is_not_asked_again(self):
        if not self.somebody():
            skip_case(self, "needs root")
        os.chown(self.checkout, self.somebody(), -1)
        result = self.run_it("info", user=self.somebody(), NOT_INSTALLED="libfmt-dev", SUDO_REFUSES="1")
        self.assertEqual([line for line in self.called() if line.startswith("sudo")], ["sudo -v"])
        self.assertIn("apt-get install --no-install-recommends libfmt-dev", result.stderr)

    def test_a_failed_configure_names_packages_and_the_log(self):
        says = "-- simdjson: no system package that fits (third_party/install.sh build), downloading\nCMake Error: it failed"
        result = self.run_it("info", expect=1, CMAKE_SAYS=says)
        self.assertIn("CMake Error: it failed", result.stderr)
        self.assertIn("apt-get install g++ cmake", result.stderr)
        log = re.search(r"is in (\S+)", result.stderr).group(1)
        with open(log) as file:
            self.assertIn("CMake Error: it failed", file.read())

    def somebody(self):
        """The id of a user without root's rights if we are root, else None."""
        return nobody() if os.getuid() == 0 else None

    def read_only(self, checkout):
        for folder, folders, files in os.walk(checkout):
            for name in [".", *files]:
                path = os.path.join(folder, name)
                os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) & ~0o222)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "--traceview" in arguments:
        at = arguments.index("--traceview")
        del arguments[at : at + 2]
    unittest.main(argv=[sys.argv[0], *arguments])
