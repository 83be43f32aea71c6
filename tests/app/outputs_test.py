#!/usr/bin/env python3
"""The output of every verb: no input is lost, devices and pipes stay what they are, failed writes are reported, and an interrupted
verb leaves nothing behind.

    python3 tests/app/outputs_test.py --traceview build/traceview [TEST...]
"""

import argparse
import json
import os
import resource
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import skip_case, skip_part  # noqa: E402

FIXTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures")
RUN = os.path.join(FIXTURES, "verl_rollout", "all_events")
TRACEVIEW = ""
FAILED, INTERRUPTED = 1, 130
TO_FILE = {
    "pack": ["pack"],
    "chrome": ["export", "--to", "chrome"],
    "perfetto": ["export", "--to", "perfetto"],
    "csv": ["export", "--to", "csv"],
    "png": ["screenshot", "--size", "700x400"],
    "svg": ["screenshot", "--size", "700x400", "--timeline", "--svg"],
    "panel": ["screenshot", "--size", "700x400", "--panel", "statistics"],
}  # fmt: skip
BINARY = ("pack", "perfetto", "png", "panel")


def events(count):
    return json.dumps([
        {"ph": "X", "name": f"op{i % 50}", "pid": 1, "tid": i % 7, "ts": i, "dur": 1, "args": {"n": i}} for i in range(count)
    ])  # fmt: skip


def usual_signals():
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


def files_of_four_kib():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing fails instead
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


class Outputs(unittest.TestCase):
    draws = None  # whether pictures can be made here

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-outputs-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.trace = self.write("t.json", events(300))
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def listing(self):
        """All files and folders except the cache."""
        found = set()
        for at, folders, files in os.walk(self.folder):
            found |= {os.path.relpath(os.path.join(at, name), self.folder) for name in folders + files}
        return {name for name in found if name.split(os.sep)[0] != "cache"}

    def run_it(self, *arguments, expect=0, **how):
        how = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL, **how}
        done = subprocess.run([TRACEVIEW, *arguments], stderr=subprocess.PIPE, cwd=self.folder, env=self.environment, **how)
        if expect is not None:
            self.assertEqual(done.returncode, expect, (arguments, done.stderr))
        return done

    def verbs(self):
        """The verbs that write a file; without screenshots where none can be drawn."""
        if Outputs.draws is None:
            probe = self.run_it("screenshot", "t.json", "-o", "probe.png", expect=None)
            Outputs.draws = probe.returncode == 0
            if Outputs.draws:
                os.remove(self.path("probe.png"))
            else:
                skip_part("Outputs: screenshot", probe.stderr.decode().replace("\n", " "))
        return {name: verb for name, verb in TO_FILE.items() if Outputs.draws or verb[0] != "screenshot"}

    def node(self, name, minor):
        """Makes a device of our own, so that the machine's are not touched."""
        try:
            os.mknod(self.path(name), stat.S_IFCHR | 0o666, os.makedev(1, minor))
            os.close(os.open(self.path(name), os.O_WRONLY))
        except OSError as error:
            skip_case(self, "needs root" if os.geteuid() != 0 else f"no device can be made: {error}")

    def refused(self, *arguments):
        done = self.run_it(*arguments, expect=FAILED)
        lines = [line for line in done.stderr.decode().splitlines() if "not written: it is one of the files that were read" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("(give another name with -o)", lines[0])

    # --- no input is lost ---

    def test_no_verb_writes_over_its_input(self):
        os.link(self.trace, self.path("hard.json"))
        os.symlink("t.json", self.path("soft.json"))
        os.makedirs(self.path("run"))
        os.link(self.trace, self.path("run/member.json"))
        before, names = self.read("t.json"), self.listing()
        for verb in self.verbs().values():
            for name in ("t.json", "./t.json", "hard.json", "soft.json", "run/member.json"):
                self.refused(*verb, "t.json", "-o", name)
            self.refused(*verb, "run", "-o", "run/member.json")
            self.refused(*verb, "run", "-o", "hard.json")
        self.assertEqual(self.read("t.json"), before)
        self.assertEqual(self.listing(), names)

    def test_a_packed_trace_and_a_view_are_inputs_too(self):
        self.run_it("pack", "t.json", "-o", "p.tvx")
        packed = self.read("p.tvx")
        for verb in self.verbs().values():
            self.refused(*verb, "p.tvx", "-o", "p.tvx")
        self.assertEqual(self.read("p.tvx"), packed)

    def nsys(self, name, does):
        """A program that behaves like nsys: $1 is the path of its database."""
        find = 'while [ "$1" != -o ]; do shift; done; shift\n'
        os.chmod(self.write(name, f"#!/bin/sh\n{find}{does}\n"), 0o700)
        self.write("x.nsys-rep", "NVIDIA Tegra Profiler Report 2025@5@1@121-255136380782v0.\n\n")
        return self.path(name)

    def test_databases_of_reports_are_inputs_too(self):
        small = os.path.join(FIXTURES, "nsys_sqlite", "small.sqlite")
        nsys = self.nsys("nsys", f"cp '{small}' \"$1\"")
        for database in ("beside", "exported"):
            if database == "beside":
                shutil.copy(small, self.path("x.sqlite"))
                path = "x.sqlite"
            else:
                os.remove(self.path("x.sqlite"))
                self.run_it("info", "--nsys", nsys, "x.nsys-rep")
                (name,) = [name for name in self.everything("cache") if name.endswith(".sqlite")]
                path = os.path.join("cache/traceview/nsys", name)
            for verb in self.verbs().values():
                for output in ("x.nsys-rep", path):
                    before = self.read(output)
                    self.refused(*verb, "--nsys", nsys, "x.nsys-rep", "-o", output)
                    self.assertEqual(self.read(output), before)

    def test_a_report_writes_over_no_input(self):
        self.run_it("report", RUN, "-o", "whole")
        chart = min(name for name in os.listdir(self.path("whole")) if name.endswith(".csv"))
        for name in ("index.html", "report.json", chart):
            with self.subTest(name):
                folder = self.path("r_" + name)
                shutil.copytree(RUN, folder)
                log = next(os.path.join(at, file) for at, _, files in os.walk(folder) for file in files if file.endswith(".jsonl"))
                before = self.read(log)
                os.link(log, os.path.join(folder, name))
                names = self.listing()
                self.refused("report", folder, "-o", folder)
                self.assertEqual(self.read(log), before)
                self.assertEqual(self.listing(), names)

    # --- devices, pipes, links, folders ---

    def test_devices_stay_devices(self):
        self.node("null", 3)
        self.node("full", 7)
        for verb in self.verbs().values():
            self.run_it(*verb, "t.json", "-o", "null")
            done = self.run_it(*verb, "t.json", "-o", "full", expect=FAILED)
            self.assertIn(b"full: cannot write: No space left on device", done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
            for name in ("null", "full"):
                self.assertTrue(stat.S_ISCHR(os.stat(self.path(name)).st_mode), (verb, name))
        self.assertEqual(self.listing(), {"t.json", "null", "full"})

    def test_pipes_links_and_standard_output_get_what_a_file_gets(self):
        os.mkfifo(self.path("pipe"))
        for name, verb in self.verbs().items():
            with self.subTest(name):
                for made in ("file", "there", "new"):
                    if os.path.lexists(self.path(made)):
                        os.remove(self.path(made))
                self.write("there", "old")
                self.run_it(*verb, "t.json", "-o", "file")
                wanted = self.read("file")
                self.assertEqual(self.run_it(*verb, "t.json", "-o", "-").stdout, wanted)

                got = []
                reader = threading.Thread(target=lambda: got.append(self.read("pipe")))
                reader.start()
                self.run_it(*verb, "t.json", "-o", "pipe")
                reader.join()
                self.assertEqual(got, [wanted])
                self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))

                for link, target in (("link", "there"), ("dangling", "new")):
                    if not os.path.lexists(self.path(link)):
                        os.symlink(target, self.path(link))
                    self.run_it(*verb, "t.json", "-o", link)
                    self.assertTrue(os.path.islink(self.path(link)))
                    self.assertEqual(self.read(target), wanted)
        self.assertFalse([name for name in self.listing() if name == "-" or name.endswith(".part")])

    def test_no_binary_data_to_a_terminal(self):
        for name, verb in self.verbs().items():
            ours, theirs = os.openpty()
            try:
                if name in BINARY:
                    done = self.run_it(*verb, "t.json", "-o", "-", stdout=theirs, expect=FAILED)
                    self.assertIn(b"stdout: it is a terminal", done.stderr)
            finally:
                os.close(ours)
                os.close(theirs)

    def test_a_folder_is_refused(self):
        os.mkdir(self.path("d"))
        for verb in self.verbs().values():
            done = self.run_it(*verb, "t.json", "-o", "d", expect=FAILED)
            self.assertIn(b"d: it is a folder", done.stderr)
        self.assertEqual(self.listing(), {"t.json", "d"})

    # --- what cannot be written ---

    def test_standard_output_on_a_full_disk_is_said_once(self):
        self.write("many.json", events(5000))
        verbs = [
            ["info", "t.json"], ["info", "--json", "t.json"], ["stats", "t.json"], ["stats", "--json", "t.json"],
            ["stats", "--csv", "t.json"], ["find", "op", "t.json"], ["find", "--json", "op", "t.json"], ["dump", "t.json"],
            ["dump", "many.json"], ["report", RUN, "-o", "r"], ["pack", "t.json", "-o", "p.tvx"],
            ["pack", "t.json", "--json", "-o", "p.tvx"],
            ["pack", "t.json", "-o", "-"], ["export", "t.json", "--to", "chrome", "-o", "-"],
            ["export", "t.json", "--to", "chrome", "--json", "-o", "e.json"], ["help"], ["help", "command-line"], ["keys"], ["settings"],
            ["cache"], ["--version"], ["--help"], ["info", "--help"], ["--diagnose"], ["bench", "load", "t.json"],
        ]  # fmt: skip
        for verb in verbs:
            with self.subTest(verb), open("/dev/full", "wb") as full:
                done = self.run_it(*verb, stdout=full, expect=FAILED)
                said = b"traceview: stdout: cannot write: No space left on device"
                self.assertEqual([line[: len(said)] for line in done.stderr.splitlines() if b"write" in line], [said], done.stderr)

    def test_closed_standard_output_is_said_and_no_file_takes_its_place(self):
        done = self.run_it("pack", "t.json", "-o", "p.tvx", preexec_fn=lambda: os.close(1), stdout=None, expect=FAILED)
        self.assertIn(b"stdout: cannot write: Bad file descriptor", done.stderr)
        self.run_it("info", "p.tvx")

    def test_a_reader_that_has_enough_ends_it_quietly(self):
        self.write("many.json", events(50000))
        process = subprocess.Popen([TRACEVIEW, "dump", "many.json"], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(), -signal.SIGPIPE)

    def test_on_a_full_disk_nothing_is_left(self):
        self.write("many.json", events(20000))
        self.write("old", "old")
        self.write("r_old/index.html", "old")
        names = self.listing()
        for verb in self.verbs().values():
            for output in ("new", "old"):
                done = self.run_it(*verb, "--no-cache", "many.json", "-o", output, preexec_fn=files_of_four_kib, expect=None)
                if done.returncode != 0:  # some are smaller
                    self.assertEqual(done.returncode, FAILED)
                    self.assertRegex(done.stderr, b"cannot write( to a temporary file)?: File too large")
                    self.assertEqual(self.read("old"), b"old")
                    self.assertEqual(self.listing(), names)
                self.write("old", "old")
                if os.path.exists(self.path("new")):
                    os.remove(self.path("new"))
        for output in ("r", "r/deep/er", "r_old"):
            done = self.run_it("report", "--no-cache", RUN, "-o", output, preexec_fn=files_of_four_kib, expect=FAILED)
            self.assertIn(b"cannot write: File too large", done.stderr)
            self.assertEqual(self.listing(), names)
            self.assertEqual(self.read("r_old/index.html"), b"old")

    # --- interrupted ---

    def stopped_while(self, arguments, begun):
        """The process, stopped while begun() is true; None if it ended before that."""
        process = subprocess.Popen([TRACEVIEW, *arguments], cwd=self.folder, env=self.environment, preexec_fn=usual_signals,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        while process.poll() is None:
            if begun():
                process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                if process.poll() is None and begun():
                    return process
                process.send_signal(signal.SIGCONT)
            time.sleep(0.0005)
        process.stderr.close()
        return None

    def parts(self, below):
        """Files that are not complete."""
        return [name for _, _, files in os.walk(self.path(below)) for name in files if name.endswith(".part")]

    def everything(self, below):
        return [name for _, folders, files in os.walk(self.path(below)) for name in folders + files]

    def interrupted_leaves_nothing(self, arguments, folder, left):
        def new_try():
            shutil.rmtree(self.path(folder), ignore_errors=True)
            os.mkdir(self.path(folder))
            return self.stopped_while(arguments, lambda: self.parts(folder))

        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(arguments=arguments, signal=which):
                process = next(filter(None, (new_try() for _ in range(20))), None)
                self.assertIsNotNone(process, "it is always done before it can be stopped")
                process.send_signal(which)
                process.send_signal(signal.SIGCONT)
                said = process.stderr.read()
                process.stderr.close()
                self.assertEqual(process.wait(), INTERRUPTED)
                self.assertEqual(said.splitlines()[-1], b"traceview: interrupted")
                self.assertEqual(left(folder), [])

    def test_interrupted_pack_and_export_leave_nothing(self):
        self.write("big.json", events(60000))
        for name in ("pack", "chrome", "csv", "perfetto"):
            self.interrupted_leaves_nothing([*TO_FILE[name], "--no-cache", "big.json", "-o", "o/x"], "o", self.everything)

    def test_interrupted_cache_leaves_nothing(self):
        self.write("big.json", events(250000))
        for verb in ("info", "stats"):
            self.interrupted_leaves_nothing([verb, "big.json"], "cache", self.parts)

    def test_interrupted_nsys_ends_and_leaves_nothing(self):
        os.mkfifo(self.path("begun"))
        os.mkfifo(self.path("never"))
        begin = f"echo half > \"$1\"; echo log > \"$1-wal\"; echo $$ > '{self.path('begun')}'"
        nsys = self.nsys("nsys", f"{begin}; exec cat '{self.path('never')}'")
        process = subprocess.Popen([TRACEVIEW, "info", "--nsys", nsys, "x.nsys-rep"], cwd=self.folder, env=self.environment,
                                   preexec_fn=usual_signals, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        with open(self.path("begun")) as begun:
            child = os.pidfd_open(int(begun.read()))
        self.assertEqual(len(self.everything("cache/traceview/nsys")), 2)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.stderr.read().splitlines()[-1], b"traceview: interrupted")
        process.stderr.close()
        self.assertEqual(process.wait(), INTERRUPTED)
        self.assertEqual(self.everything("cache/traceview/nsys"), [])
        self.assertTrue(select.select([child], [], [], 60)[0], "the program that it started still runs")
        os.close(child)

    def test_interrupted_report_leaves_nothing(self):
        self.interrupted_leaves_nothing(["report", "--no-cache", RUN, "-o", "r/deep/er"], "r", self.everything)

    def test_an_ignored_signal_does_not_interrupt(self):
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([TRACEVIEW, "export", "t.json", "--to", "csv", "-o", "pipe"], cwd=self.folder, env=self.environment,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        with open(self.path("pipe"), "rb") as reader:
            process.send_signal(signal.SIGHUP)  # as nohup does it
            self.assertTrue(reader.read())
        self.assertEqual(process.wait(), 0)
        process.stderr.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    ended = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
