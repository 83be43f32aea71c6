#!/usr/bin/env python3
"""The program is killed (-9) while it writes packed traces, the index cache or its parts: what is opened afterwards is never wrong.

    [TV_KILLS=500] [TV_SEED=N] python3 tests/app/killed_writing_test.py --traceview build/traceview
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TRACEVIEW = ""
# Sanitizers check what is opened afterwards, too; a few kills are enough, since where writing ends does not depend on them.
KILLS = int(os.environ.get("TV_KILLS", "4" if os.environ.get("TV_SANITIZED") else "12"))


class KilledWriting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-killed-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = os.environ | {"TRACEVIEW_CACHE_DIR": os.path.join(self.folder, "cache"), "HOME": self.folder}
        seed = int(os.environ.get("TV_SEED", random.randrange(10**6)))
        print(f"TV_SEED={seed}", file=sys.stderr)
        self.random = random.Random(seed)
        os.makedirs(os.path.join(self.folder, "run"))

    def write_rank(self, rank, events, name="op"):
        trace = [
            {"ph": "X", "name": f"{name}{i % 9}", "cat": "cpu_op", "pid": rank, "tid": 1, "ts": 1000 * i + rank, "dur": 700}
            for i in range(events)
        ]
        with open(os.path.join(self.folder, "run", f"rank{rank}.json"), "w", encoding="utf-8") as out:
            json.dump(trace, out)

    def traceview(self, *words):
        result = subprocess.run(
            [TRACEVIEW, *words], capture_output=True, text=True, timeout=100, env=self.environment, cwd=self.folder
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def kill_within(self, seconds, *words):
        """Kills it at a random time within these seconds. Returns whether it was still running."""
        at_work = subprocess.Popen(
            [TRACEVIEW, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder
        )
        try:
            at_work.wait(timeout=self.random.uniform(0, seconds))
            return False
        except subprocess.TimeoutExpired:
            at_work.kill()
            at_work.wait()
            return True

    def time_of(self, *words):
        begun = time.monotonic()
        self.traceview(*words)
        return time.monotonic() - begun

    def test_packed_traces(self):
        for rank in range(4):
            self.write_rank(rank, 2000)
        right = {rank: self.traceview("dump", f"run/rank{rank}.json", "--no-cache") for rank in range(4)}
        all_of_it = self.time_of("pack", "--each", "run", "-o", "packed")
        shutil.rmtree(os.path.join(self.folder, "packed"))
        killed = 0
        for kill in range(KILLS):
            how = ["--mapped"] if kill % 2 == 1 else []
            killed += self.kill_within(all_of_it, "pack", "--each", *how, "run", "-o", "packed")
            packed = os.path.join(self.folder, "packed")
            for name in os.listdir(packed) if os.path.isdir(packed) else []:
                if name.endswith(".tvx"):
                    self.assertEqual(self.traceview("dump", os.path.join("packed", name)), right[int(name[-5])])
            if kill % 3 == 2:
                shutil.rmtree(packed, ignore_errors=True)
        self.assertGreater(killed, 0)
        self.traceview("pack", "--each", "run", "-o", "packed")
        self.assertEqual(sorted(self.traceview("dump", "packed").splitlines()),
                         sorted(self.traceview("dump", "run", "--no-cache").splitlines()))  # fmt: skip

    def test_the_index_cache(self):
        # Large enough to be kept: 9 MB in memory.
        words = ("stats", "run", "--json")
        self.write_rank(0, 250_000)
        right = self.traceview(*words, "--no-cache")
        all_of_it = self.time_of(*words)
        killed = 0
        for kill in range(KILLS):
            if kill % 4 == 3:  # other content under the same name: what the cache has of it is wrong now
                self.write_rank(0, 250_000, f"changed{kill}_")
                right = self.traceview(*words, "--no-cache")
            else:
                shutil.rmtree(os.path.join(self.folder, "cache"), ignore_errors=True)
            killed += self.kill_within(all_of_it, *words)
            self.assertEqual(self.traceview(*words), right)
            self.assertEqual(self.traceview(*words), right)
        self.assertGreater(killed, 0)

    def test_ranks_that_do_not_fit_together(self):
        # About 22 MB each while they are read: they are read one by one, and a part of the cache is written for each.
        words = ("stats", "run", "--json", "--memory-limit", "60M")
        for rank in range(4):
            self.write_rank(rank, 250_000)
        right = self.traceview("stats", "run", "--json", "--no-cache")
        all_of_it = self.time_of(*words)
        cache = os.path.join(self.folder, "cache")
        self.assertEqual(sum(name.endswith(".tvx") for name in os.listdir(cache)), 4)
        killed = 0
        for kill in range(max(KILLS // 3, 3)):
            if kill % 3 == 2:  # one has another content under the same name
                self.write_rank(1, 250_000, f"changed{kill}_")
                right = self.traceview("stats", "run", "--json", "--no-cache")
            else:
                shutil.rmtree(cache, ignore_errors=True)
            killed += self.kill_within(all_of_it, *words)
            self.assertEqual(self.traceview(*words), right)
            self.assertEqual(self.traceview(*words), right)
        self.assertGreater(killed, 0)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
