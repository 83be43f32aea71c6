#!/usr/bin/env python3
"""The machine refuses a call: in each run of a verb, its n-th open, read, write, rename, mmap or allocation fails.

    python3 tests/app/faults_test.py --traceview build/traceview [TEST...]

Each run ends in time and without a signal. It exits with 0 only if its output is that of a run without faults. Otherwise it exits
with 1 and a message, leaves no partial output and no temporary file, and the next run gives the right answer. Since all runs have
--strict, a run may also exit with 4 and say that not all could be read; the rest is shown. Of each kind of call, four n are tried:
the first, the last and two between. TV_FAULTS=40 tries forty, TV_FAULTS=all all of up to 2,000 calls (hours), both also with all
later calls failing. tests/support/fault_at.c makes the faults.
"""

import argparse
import errno
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import case_without_sanitizers, compiler  # noqa: E402

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(TESTS, "fixtures")
TRACEVIEW = ""
OK, FAILED, LOSSES = 0, 1, 4
LOST = (b"read_error", b"could not be read again", b"not all files could be read")  # messages with which --strict may exit with 4
ASKED = os.environ.get("TV_FAULTS", "4")
ALL = ASKED == "all"
MOST = 2000 if ALL else max(int(ASKED), 2)  # of a family
ALSO_ALL_AFTER = MOST > 4
ERRORS = {"open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC, "rename": errno.EACCES, "mmap": errno.ENOMEM,
          "malloc": errno.ENOMEM}  # fmt: skip
VERBS = {
    "info": (["info", "--json"], None),
    "stats": (["stats", "--json"], None),
    "pack": (["pack"], "out"),
    "export": (["export", "--to", "chrome"], "out"),
    "report": (["report"], "out"),
}


def spread(count, most):
    """Of 1..count: all, or `most` numbers from the first to the last at even distances."""
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        case_without_sanitizers(cls, "must be loaded first and replaces malloc")
        cls.top = tempfile.mkdtemp(prefix="traceview-faults-")
        cls.addClassCleanup(shutil.rmtree, cls.top)
        cls.library = os.path.join(cls.top, "fault_at.so")
        source = os.path.join(TESTS, "support", "fault_at.c")
        subprocess.run([compiler(), "-O1", "-shared", "-fPIC", "-o", cls.library, source, "-ldl"], check=True)
        cls.tried, cls.found = {}, []

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.top)
        self.environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, "cache")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_it(self, arguments, **fault):
        environment = self.environment | ({"LD_PRELOAD": self.library} | fault if fault else {})
        return subprocess.run([TRACEVIEW, *arguments], cwd=self.folder, env=environment, capture_output=True, timeout=60)

    def result(self, done, output):
        """The output: the bytes of the file, of each file in the folder, or of stdout."""
        if not output:
            return done.stdout
        top = self.path(output)
        if os.path.isdir(top):
            files = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
            return {os.path.relpath(path, top): self.bytes_of(path) for path in files}
        return self.bytes_of(top) if os.path.exists(top) else None

    @staticmethod
    def bytes_of(path):
        with open(path, "rb") as file:
            return file.read()

    def remove(self, output):
        path = self.path(output)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)

    def kept(self):
        """All files in the folder, except complete entries of the cache."""
        found = [os.path.join(folder, name) for folder, _, names in os.walk(self.folder) for name in names]
        found = [os.path.relpath(path, self.folder) for path in found]
        return sorted(path for path in found if not path.startswith("cache/") or ".part" in path)

    def try_all(self, verb, given, cache=None):
        """Tries the faults of a verb. Cache "old": one that was written before; "new": an empty one for each run; None: none."""
        arguments, output = VERBS[verb]
        self.cache = cache
        kept = [] if cache else ["--no-cache"]
        to = ["-o", output] if output else []
        arguments = [*arguments, "--strict", *kept, "--threads", "1", given, *to]
        done = self.run_it(arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        whole = self.result(done, output)
        if output:
            self.remove(output)
        names = self.kept()
        self.empty_cache()
        counted = self.run_it(arguments, FAULT_COUNT="2").stderr.decode().splitlines()
        counts = {line.split()[0]: int(line.split()[1]) for line in counted if line.split()[0] in ERRORS}
        if output:
            self.remove(output)
        for family, code in ERRORS.items():
            for n in spread(counts[family], MOST):
                for more in ({}, {"FAULT_ALL": "1"}) if ALSO_ALL_AFTER else ({},):
                    self.check(arguments, output, whole, names, family,
                               {"FAULT_CALL": family, "FAULT_N": str(n), "FAULT_ERRNO": str(code), **more})
        done = self.run_it(arguments)
        self.assertEqual((done.returncode, self.result(done, output)), (OK, whole), done.stderr)
        if output:
            self.remove(output)

    def empty_cache(self):
        if self.cache == "new":
            shutil.rmtree(self.path("cache"), ignore_errors=True)

    def check(self, arguments, output, whole, names, family, fault):
        key = f"{arguments[0]}{'' if self.cache is None else f' ({self.cache} cache)'} {family}"
        Faults.tried[key] = Faults.tried.get(key, 0) + 1
        self.empty_cache()
        what = f"{arguments} {fault}"
        try:
            done = self.run_it(arguments, **fault)
        except subprocess.TimeoutExpired:
            return Faults.found.append(f"{what}: hangs")
        got = self.result(done, output)
        wrong = []
        lost = done.returncode == LOSSES and any(word in done.stderr for word in LOST)
        if done.returncode not in (OK, FAILED) and not lost:
            wrong.append(f"exit {done.returncode}")
        if done.returncode == OK and got != whole:
            wrong.append("exit 0 with another output")
        mute = family == "write" and "FAULT_ALL" in fault  # not even the message can be written
        if done.returncode == FAILED and not done.stderr.strip() and not mute:
            wrong.append("exit 1 without a message")
        # A report is a folder of files that are put in place one by one: those that are there are whole.
        files_whole = isinstance(got, dict) and all(whole.get(name) == text for name, text in got.items())
        # The failed call may have come after the output was complete, as for the line that says how large it is.
        if done.returncode == FAILED and output and got not in (None, whole) and not files_whole:
            wrong.append("half an output")
        if output and got is not None:
            self.remove(output)
        if self.kept() != names:
            wrong.append(f"left behind: {self.kept()}")
        if self.cache and self.result(self.run_it(arguments), output) != whole:  # from what the fault left in the cache
            wrong.append("the next run gives another answer")
        if wrong:
            Faults.found.append(f"{what}: {', '.join(wrong)}: {done.stderr.decode(errors='replace')}")

    def try_verbs(self, given, verbs=("info", "stats", "pack", "export"), caches=(None,)):
        Faults.found = []
        for verb in verbs:
            for cache in caches:
                self.try_all(verb, given, cache)
        self.assertFalse(Faults.found, f"{len(Faults.found)} findings\n" + "\n".join(Faults.found[: None if ALL else 20]))

    def kineto(self):
        return os.path.join(FIXTURES, "chrome_json", "kineto.json")

    def test_a_trace(self):
        self.try_verbs(shutil.copy(self.kineto(), self.path("t.json")))

    def test_a_cache(self):
        self.try_verbs(shutil.copy(self.kineto(), self.path("t.json")), ["info"], ["new", "old"])

    def clear_cache(self, call, n, code):
        """Clears a cache of three entries, and returns what was said and the entries that are left."""
        folder = self.path("cache/traceview")
        os.makedirs(folder, exist_ok=True)
        for name in "abc":
            with open(os.path.join(folder, name + ".tvx"), "w"):
                pass
        done = self.run_it(["cache", "--clear"], FAULT_CALL=call, FAULT_N=str(n), FAULT_ERRNO=str(code))
        return done, os.listdir(folder)

    def test_a_cache_whose_folder_cannot_be_read_to_its_end(self):
        failed = 0
        for n in range(1, 14):
            done, left = self.clear_cache("readdir", n, errno.EIO)
            if left or done.returncode != OK:
                failed += 1
                self.assertEqual(done.returncode, FAILED, n)
                self.assertEqual(done.stderr.decode(), f"traceview: {self.path('cache/traceview')}: Input/output error\n")
        self.assertGreater(failed, 0)

    def test_a_cache_that_another_program_clears_too(self):
        done, left = self.clear_cache("remove", 2, errno.ENOENT)
        self.assertEqual(len(left), 1)  # its removal failed, although the error says that it is gone
        self.assertEqual((done.returncode, done.stderr), (OK, b""))

    def test_a_rollout(self):
        run = shutil.copytree(os.path.join(FIXTURES, "verl_rollout", "agent_loop"), self.path("run"))
        self.try_verbs(run, ["info", "pack", "report"])

    def test_a_compressed_trace(self):
        with open(self.kineto(), "rb") as text, open(self.path("t.json.gz"), "wb") as file:
            file.write(gzip.compress(text.read()))
        self.try_verbs(self.path("t.json.gz"))

    def test_a_zip(self):
        with zipfile.ZipFile(self.path("t.zip"), "w", zipfile.ZIP_DEFLATED) as file:
            file.write(self.kineto(), "t.json")
        self.try_verbs(self.path("t.zip"))

    def test_a_packed_trace(self):
        subprocess.run([TRACEVIEW, "pack", self.kineto(), "-o", self.path("t.tvx")], check=True, capture_output=True)
        self.try_verbs(self.path("t.tvx"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    ended = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    if getattr(Faults, "tried", None):
        print("faults:", Faults.tried)
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
