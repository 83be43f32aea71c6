#!/usr/bin/env python3
"""A mapped packed trace with damage: each page is zeroed, or one bit of it is flipped. Each verb then gives the right result or
names the damage. `TV_PAGES=all` runs every verb for every page; otherwise two verbs run for each damage, in rotation.

    python3 tests/app/damaged_packed_test.py --traceview build/traceview
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
PAGE = 4096


def kineto():
    """Two streams of a GPU, launches with arrows, a counter; more than one page of everything."""
    rng = random.Random(1)
    events = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}}]
    for i in range(1500):
        at = 100 * i
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 1, "ts": at, "dur": 8,
                       "args": {"correlation": i + 1}})
        events.append({"ph": "X", "cat": "kernel", "name": f"gemm_{i % 7}" if i % 3 else "ncclDevKernel_AllReduce", "pid": 0, "tid": 7 + i % 2,
                       "ts": at + 20, "dur": 20 + rng.randrange(60), "args": {"correlation": i + 1, "stream": 7 + i % 2, "device": 0}})
        if i % 10 == 0:
            events.append({"ph": "C", "name": "memory", "pid": 0, "ts": at, "args": {"bytes": rng.randrange(10**6)}})
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0}], "distributedInfo": {"rank": 0}, "traceEvents": events}


class Damaged(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-damaged-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = os.environ | {f"TRACEVIEW_{kind}_DIR": self.path(kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
        trace = self.path("rank0.json")
        pathlib.Path(trace).write_text(json.dumps(kineto()))
        self.packed = self.path("rank0.tvx")
        self.call("pack", trace, "--mapped", "-o", self.packed)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_verb(self, *words):
        done = subprocess.run([TRACEVIEW, *words], capture_output=True, timeout=200, env=self.environment)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def call(self, *words):
        code, out, said = self.run_verb(*words)
        self.assertEqual(code, 0, said)
        return out

    def verbs(self, path):
        """For each verb a function that runs it and returns exit code, output as bytes, and messages."""
        def into(name, *words):
            def ask():
                out = self.path(name)
                if os.path.exists(out):
                    os.remove(out)
                code, _, said = self.run_verb(*words, "-o", out)
                return code, pathlib.Path(out).read_bytes() if os.path.exists(out) else b"", said
            return ask
        return {
            "stats": lambda: self.run_verb("stats", path, "--strict"),
            "where": lambda: self.run_verb("stats", path, "--where", "arg.stream == 7", "--strict"),
            "by arg": lambda: self.run_verb("stats", path, "--group-by", "arg:device", "--strict"),
            "gpus": lambda: self.run_verb("stats", path, "--of", "gpus", "--strict"),
            "dump": lambda: self.run_verb("dump", path, "--strict"),
            "find": lambda: self.run_verb("find", "gemm_3", path, "--strict"),
            "records": lambda: self.run_verb("find", "correlation", path, "--records", "--strict"),
            "export": into("out.json", "export", path, "--to", "chrome", "--strict"),
            "pack": into("again.tvx", "pack", path, "--strict"),
            "screenshot": into("out.png", "screenshot", path, "--size", "900x600", "--strict"),
        }  # fmt: skip

    def test_each_page(self):
        whole = pathlib.Path(self.packed).read_bytes()
        right = {name: ask() for name, ask in self.verbs(self.packed).items()}
        for name, (code, out, said) in right.items():
            self.assertEqual(code, 0, name + said)
            self.assertTrue(out, name)
        packed_again = self.call("dump", self.path("again.tvx"))
        self.assertEqual(packed_again, right["dump"][1])
        every = os.environ.get("TV_PAGES") == "all"
        # The damaged copy has the same file name, because pictures show it.
        os.mkdir(self.path("damaged"))
        rng, damaged = random.Random(7), self.path("damaged/rank0.tvx")
        turn, told, silent = 0, 0, 0
        for page in range(0, len(whole), PAGE):
            for kind in ("zeros", "a bit"):
                data = bytearray(whole)
                if kind == "zeros":
                    data[page : page + PAGE] = bytes(min(PAGE, len(data) - page))
                else:
                    data[min(page + rng.randrange(PAGE), len(data) - 1)] ^= 1 << rng.randrange(8)
                pathlib.Path(damaged).write_bytes(data)
                verbs = self.verbs(damaged)
                names = list(verbs) if every else [list(verbs)[(turn + i) % len(verbs)] for i in range(2)]
                turn += 2
                for name in names:
                    code, out, said = verbs[name]()
                    where = f"{name}, page {page // PAGE}, {kind}: exit {code}, {said}"
                    self.assertNotIn(code, (-6, -11, 134, 139), where)
                    if name == "pack" and code == 0:
                        out = self.call("dump", self.path("again.tvx"))
                    expected = packed_again if name == "pack" else right[name][1]
                    if code == 0:
                        self.assertEqual(out == expected, True, where)
                        silent += 1
                    else:
                        self.assertRegex(said, "damaged|not a file of traceview|cannot|contradict|another version|no such|not found", where)
                        told += 1
        print(f"{len(whole) // PAGE + 1} pages: {told} answers named the damage, {silent} were right")
        self.assertGreater(told, 20)

    def test_strict_and_the_place(self):
        whole = pathlib.Path(self.packed).read_bytes()
        right = self.call("stats", self.packed, "--strict")
        # If a sound trace is opened with a damaged one, the sound one is shown.
        other = self.path("rank1.json")
        pathlib.Path(other).write_text(json.dumps({"distributedInfo": {"rank": 1}, "traceEvents": [
            {"ph": "X", "name": "alone", "pid": 5, "tid": 1, "ts": 1, "dur": 9}]}))  # fmt: skip
        damaged, told, hidden = self.path("damaged.tvx"), 0, 0
        for eighth in range(1, 8):
            data = bytearray(whole)
            data[len(data) * eighth // 8] ^= 0xFF
            pathlib.Path(damaged).write_bytes(data)
            code, out, said = self.run_verb("stats", damaged, "--strict")
            if code == 0:
                self.assertEqual(out, right, eighth)
            else:
                self.assertEqual(code, 4, said)
                self.assertRegex(said, r"damaged.*at byte \d+")
                told += 1
            code, out, said = self.run_verb("stats", damaged, other, "--strict")
            if b"gemm" not in out:
                self.assertEqual(code, 4, said)
                self.assertIn(b"alone", out)
                self.assertRegex(said, r"damaged.*at byte \d+")
                hidden += 1
        self.assertGreater(told, 0)
        self.assertGreater(hidden, 0)

    def test_a_picture_of_damage_replaces_nothing(self):
        whole = pathlib.Path(self.packed).read_bytes()
        other = self.path("rank1.json")
        pathlib.Path(other).write_text(json.dumps({"distributedInfo": {"rank": 1}, "traceEvents": [
            {"ph": "X", "name": "alone", "pid": 5, "tid": 1, "ts": 1, "dur": 9}]}))  # fmt: skip
        good, dash, damaged, refused = self.path("good.png"), self.path("-"), self.path("damaged.tvx"), 0
        for eighth in range(1, 8):
            data = bytearray(whole)
            data[len(data) * eighth // 8] ^= 0xFF
            pathlib.Path(damaged).write_bytes(data)
            for kept in (good, dash):
                pathlib.Path(kept).write_text("good")
            code, _, said = self.run_verb("screenshot", damaged, "-o", good, "--size", "900x600", "--panel", "nonexistent")
            self.assertNotEqual(code, 0, said)
            self.assertEqual(pathlib.Path(good).read_text(), "good", eighth)
            code, _, said = self.run_verb("screenshot", damaged, "-o", good, "--size", "900x600")
            if code != 0:
                self.assertEqual(pathlib.Path(good).read_text(), "good", said)
                refused += 1
            done = subprocess.run([TRACEVIEW, "screenshot", damaged, other, "-o", "-", "--size", "900x600"], capture_output=True,
                                  timeout=200, env=self.environment, cwd=self.folder)  # fmt: skip
            self.assertEqual(done.stdout.count(b"\x89PNG\r\n"), 1, done.stderr)
            self.assertEqual(pathlib.Path(dash).read_text(), "good", eighth)
        self.assertGreater(refused, 0)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    sys.exit(0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
