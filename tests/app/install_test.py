#!/usr/bin/env python3
"""Where `cmake --install` puts the files, and that man, shells and desktops accept them. A check whose program is not installed
here is skipped, and says so.

    python3 tests/app/install_test.py --traceview build/dev/app/traceview [TEST...]
"""

import argparse
import configparser
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import case_needs  # noqa: E402

TRACEVIEW = ""

FILES = """
bin/traceview
share/applications/traceview.desktop
share/bash-completion/completions/traceview
share/fish/vendor_completions.d/traceview.fish
share/icons/hicolor/16x16/apps/traceview.png
share/icons/hicolor/512x512/apps/traceview.png
share/icons/hicolor/scalable/apps/traceview.svg
share/man/man1/traceview.1
share/metainfo/traceview.metainfo.xml
share/mime/packages/traceview.xml
share/traceview/recipes/pack_over_ssh.sh
share/traceview/recipes/pack_ray.py
share/traceview/recipes/pack_slurm.sh
share/traceview/samples/rl_run/console.log
""".split()  # and the completions of zsh, whose folder is the packager's choice

# The project's owner has to choose the licence, also that of the metadata; appstreamcli cannot be told to accept this.
NOT_YET = "metadata-license-missing"


def clean_environment(**more):
    keep = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH") or key.endswith("SAN_OPTIONS")}
    return keep | {"LC_ALL": "C.UTF-8"} | more


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="traceview-install-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # Installed in one place and used in another, like a folder that a user unpacked.
        there = os.path.join(cls.folder, "first")
        build = os.path.dirname(os.path.dirname(TRACEVIEW))
        done = subprocess.run(["cmake", "--install", build, "--prefix", there], capture_output=True, text=True, env=clean_environment())
        assert done.returncode == 0, done.stdout + done.stderr
        cls.prefix = os.path.join(cls.folder, "moved here")
        os.rename(there, cls.prefix)

    def path(self, *parts):
        return os.path.join(self.prefix, *parts)

    def zsh_file(self):
        for folder in ("site-functions", "vendor-completions"):
            if os.path.exists(self.path("share/zsh", folder, "_traceview")):
                return self.path("share/zsh", folder, "_traceview")
        self.fail("no completions for zsh")

    def tool(self, name):
        case_needs(self, name)
        return name

    def run_it(self, *command, expect=0, **more):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment(HOME=self.folder), **more)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}{done.stderr}")
        return done

    def test_files(self):
        for name in FILES:
            self.assertTrue(os.path.getsize(self.path(name)) > 0, name)
        self.zsh_file()
        # Nothing of the libraries is installed, and of our files only those for users.
        self.assertEqual(sorted(set(os.listdir(self.prefix)) - {"lib"}), ["bin", "share"])
        self.assertEqual(os.listdir(self.path("bin")), ["traceview"])

    def test_the_sample_is_found_from_the_program(self):
        info = json.loads(self.run_it(self.path("bin/traceview"), "info", "--sample", "--json").stdout)
        self.assertGreater(len(info["sources"]), 10)
        for source in info["sources"]:
            self.assertTrue(source["path"].startswith(self.prefix + "/share/traceview/samples/rl_run"), source["path"])
        self.assertEqual(info["lost"], 0)

    def test_a_link_on_the_path_is_enough(self):
        link = os.path.join(self.folder, "traceview-link")
        os.symlink(self.path("bin/traceview"), link)
        self.assertIn(self.prefix, self.run_it(link, "info", "--sample", "--json").stdout)

    def test_version_needs_no_display(self):
        said = self.run_it(self.path("bin/traceview"), "--version").stdout
        self.assertRegex(said, r"^traceview \d+\.\d+\.\d+ \(.*\)\nbuilt with (gcc|clang) \d.* for .*\nlibraries: Dear ImGui ")

    def test_man_page(self):
        page = self.path("share/man/man1/traceview.1")
        said = self.run_it(self.tool("man"), "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page)
        self.assertEqual(said.stderr, "")
        text = self.run_it("man", "-E", "ascii", "-P", "cat", "-l", page).stdout
        for words in ("traceview screenshot [OPTION]...", "--color-blind", "EXIT CODES"):
            self.assertIn(words, text)

    def test_bash_completes(self):
        self.tool("bash")

        def completed(*words):
            script = 'compopt() { :; }; . "$1"; complete -p traceview >&2; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _traceview; printf "%s\\n" "${COMPREPLY[@]}"'
            done = self.run_it("bash", "--norc", "-c", script, "bash", self.path("share/bash-completion/completions/traceview"), "traceview", *words, cwd=self.path("bin"))
            self.assertIn("-F _traceview traceview", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            return done.stdout.split("\n")[:-1]

        self.assertEqual(completed("scr"), ["screenshot", "script"])
        self.assertEqual(completed("trace"), ["traceview"])  # a file
        self.assertEqual(completed("--ver"), ["--version"])
        self.assertEqual(completed("info", "--js"), ["--json"])
        self.assertEqual(completed("bench", ""), ["load", "add", "frame", "query", "export"])
        self.assertEqual(completed("bench", "load", "--js"), ["--json"])
        self.assertEqual(completed("screenshot", "x", "--times", "s"), ["since\\ begin", "since\\ step", "seconds"])
        self.assertEqual(completed("screenshot", "x", "--times", "=", "w"), ["wall\\ clock"])
        self.assertEqual(completed("screenshot", "--times", "="), ["since\\ begin", "wall\\ clock", "since\\ step", "seconds"])
        self.assertEqual(completed("export", "x", "--to", "p"), ["paddle", "perfetto"])
        self.assertEqual(completed("info", "--rank", ""), [""])

    def test_fish_completes(self):
        self.tool("fish")

        def completed(line):
            done = self.run_it("fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]', self.path("share/fish/vendor_completions.d/traceview.fish"), line, cwd=self.path("bin"))
            self.assertEqual(done.stderr, "")
            return [each.split("\t")[0] for each in done.stdout.splitlines()]

        self.assertEqual(completed("traceview scr"), ["screenshot", "script"])
        self.assertEqual(completed("traceview info --js"), ["--json"])
        self.assertEqual(sorted(completed("traceview bench l")), ["load"])
        self.assertEqual(completed("traceview bench load --js"), ["--json"])
        self.assertEqual(completed("traceview screenshot x --times w"), ["wall clock"])
        self.assertEqual(completed("traceview export x --to p"), ["paddle", "perfetto"])

    def test_zsh_completes(self):
        self.tool("zsh")
        functions = os.path.dirname(self.zsh_file())
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], clean_environment(HOME=self.folder, TERM="dumb"))
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.close, terminal)  # which ends the shell
        seen = ""

        def wait_for(text):
            nonlocal seen
            end = time.monotonic() + 60
            while text not in seen:
                self.assertLess(time.monotonic(), end, f"{text!r} did not come; there is {seen!r}")
                if select.select([terminal], [], [], 1)[0]:
                    seen += os.read(terminal, 65536).decode(errors="replace")
            seen = seen.split(text, 1)[1]

        def send(text):
            os.write(terminal, text.encode())

        send(f"PS1=; unsetopt zle_bracketed_paste prompt_cr; cd '{self.path('bin')}'; fpath=('{functions}' $fpath)\n")
        send("autoload -Uz compinit && compinit -u -D && print loaded ${_comps[traceview]} '<'\n")
        wait_for("loaded _traceview <")
        for typed, completed in (("traceview repo\t", "report"), ("traceview info --js\t", "--json"), ("traceview bench load --js\t", "--json"),
                                 ("traceview screenshot --times w\t", "wall\\ clock"), ("traceview export --to pad\t", "paddle")):  # fmt: skip
            send(typed)
            wait_for(completed)
            send("\x15")  # clears the line

    def test_desktop_entry(self):
        path = self.path("share/applications/traceview.desktop")
        entry = configparser.RawConfigParser()
        entry.optionxform = str
        entry.read(path)
        types = entry["Desktop Entry"]["MimeType"].strip(";").split(";")
        told = xml.etree.ElementTree.parse(self.path("share/mime/packages/traceview.xml")).getroot()
        self.assertEqual([each.get("type") for each in told], types)
        self.assertEqual(self.run_it(self.tool("desktop-file-validate"), path).stdout, "")

    def test_mime_types(self):
        self.tool("update-mime-database")
        shutil.copytree(self.path("share/mime/packages"), os.path.join(self.folder, "mime/packages"))
        self.run_it("update-mime-database", os.path.join(self.folder, "mime"))
        with open(os.path.join(self.folder, "mime/globs")) as file:
            globs = file.read()
        self.assertIn("application/x-traceview-trace:*.tvx\n", globs)
        self.assertIn("application/x-traceview-view:*.tvview\n", globs)
        with open(os.path.join(self.folder, "mime/magic"), "rb") as file:
            self.assertIn(b"\x89TVX\r\n\x1a\n", file.read())

    def test_metainfo(self):
        said = subprocess.run([self.tool("appstreamcli"), "validate", "--no-net", self.path("share/metainfo/traceview.metainfo.xml")],
                              capture_output=True, text=True, env=clean_environment(HOME=self.folder))  # fmt: skip
        errors = [line for line in said.stdout.splitlines() if line.startswith("E:")]
        self.assertEqual([line for line in errors if NOT_YET not in line], [], said.stdout)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True, help="the program to test, in its build folder")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Install)
    if options.tests:
        suite = unittest.TestSuite(Install(name) for name in options.tests)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
