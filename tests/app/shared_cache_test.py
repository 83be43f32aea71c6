#!/usr/bin/env python3
"""Several programs use one index cache at once, while their files change and another one clears the cache: each is always right.

    [TV_SEED=N] python3 tests/app/shared_cache_test.py --traceview build/traceview
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
ROUNDS = 6 if os.environ.get("TV_SANITIZED") else 15
RANKS, EVENTS = 4, 70_000  # together large enough for the cache: 10 MB in memory
WORDS = ("stats", "run", "--json")


class SharedCache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-shared-cache-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache = os.path.join(self.folder, "cache")
        self.environment = os.environ | {"TRACEVIEW_CACHE_DIR": self.cache, "HOME": self.folder}
        seed = int(os.environ.get("TV_SEED", random.randrange(10**6)))
        print(f"TV_SEED={seed}", file=sys.stderr)
        self.random = random.Random(seed)
        os.makedirs(os.path.join(self.folder, "run"))

    def written(self, rank, name):
        """Writes another file for a rank, for replace(). Returns its path."""
        part = os.path.join(self.folder, f"rank{rank}.json")
        with open(part, "w", encoding="utf-8") as out:
            out.write("[" + ",\n".join(f'{{"ph":"X","name":"{name}{i % 9}","cat":"cpu_op","pid":{rank},"tid":1,"ts":{1000 * i + rank},"dur":700}}'
                                       for i in range(EVENTS)) + "]")  # fmt: skip
        return part

    def replace(self, part):
        """Replaces the file of a rank in one step, so that a program reads either the old one or the new one."""
        os.replace(part, os.path.join(self.folder, "run", os.path.basename(part)))

    def begun(self, *words):
        return subprocess.Popen([TRACEVIEW, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)

    def said(self, program):
        out, complaint = program.communicate(timeout=100)
        self.assertEqual(program.returncode, 0, complaint)
        return json.loads(out)

    def test_both_are_right_while_files_change_and_the_cache_is_cleared(self):
        for rank in range(RANKS):
            self.replace(self.written(rank, "op"))
        right = self.said(self.begun(*WORDS, "--no-cache"))
        begin = time.monotonic()
        self.assertEqual(self.said(self.begun(*WORDS)), right)
        length = time.monotonic() - begin
        self.assertEqual(sum(name.endswith(".tvx") for name in os.listdir(self.cache)), RANKS)
        for turn in range(ROUNDS):
            # In each third turn no file changes: all use what is in the cache, or fill it after it was cleared.
            change = self.written(self.random.randrange(RANKS), f"op{turn}_") if turn % 3 < 2 else None
            before, first = right, self.begun(*WORDS)
            time.sleep(self.random.uniform(0, length))
            if turn % 2 == 1:
                self.begun("cache", "--clear").communicate(timeout=100)
            if change:
                self.replace(change)
            second = self.begun(*WORDS)
            time.sleep(self.random.uniform(0, length))
            third = self.begun(*WORDS)
            right = self.said(self.begun(*WORDS, "--no-cache"))
            with self.subTest(turn=turn):
                self.assertEqual(right != before, change is not None)
                self.assertIn(self.said(first), [before, right])  # it began before the change
                self.assertEqual(self.said(second), right)
                self.assertEqual(self.said(third), right)
                self.assertEqual(self.said(self.begun(*WORDS)), right)  # from what they left


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
