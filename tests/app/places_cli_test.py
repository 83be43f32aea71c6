#!/usr/bin/env python3
"""Gaps of any lane, going to places and ways to write times, on the command line.

    python3 tests/app/places_cli_test.py --traceview build/traceview [TEST...]
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
OK, FAILED, USAGE, NOT_RECOGNISED = 0, 1, 2, 3


def event(name, ts, dur, tid=2):
    return {"ph": "X", "name": name, "cat": "test", "pid": 1, "tid": tid, "ts": ts, "dur": dur}


class Places(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-places-")
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, events):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump(events, file)
        return path

    def run_it(self, *arguments, expect=OK):
        result = subprocess.run([TRACEVIEW, *arguments, "--no-cache"], capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual(result.returncode, expect, f"{arguments}\n{result.stderr}")
        return result

    def test_gaps_of_a_lane_are_where_nothing_of_it_runs(self):
        chance = random.Random(5)
        spans = []
        for i in range(300):
            begin = chance.randrange(0, 100_000)
            spans.append((begin, begin + chance.randrange(1, 200), i))
        path = self.write("t.json", [event(f"s{i}", b, e - b) for b, e, i in spans] + [event("other", 0, 7, tid=3)])
        expected, until = [], None
        for begin, end, _ in sorted(spans):
            if until is not None and begin > until:
                expected.append(((until) * 1000, (begin - until) * 1000))
            until = end if until is None else max(until, end)
        first = min(0, min(b for b, _, _ in spans)) * 1000
        rows = json.loads(self.run_it("stats", path, "--of", "gaps", "--lanes", "thread 2", "--json").stdout)
        self.assertEqual(sorted((r["begin_ns"] + first, r["length_ns"]) for r in rows), sorted(expected))
        self.assertEqual([r["length_ns"] for r in rows], sorted((r["length_ns"] for r in rows), reverse=True))
        names = {b * 1000: {f"s{i}" for x, _, i in spans if x == b} for b, _, _ in spans}
        for row in rows:
            self.assertIn(row["after"], names[row["begin_ns"] + row["length_ns"]])
        text = self.run_it("stats", path, "--of", "gaps", "--lanes", "thread 2", "--top", "3").stdout
        self.assertTrue(text.startswith(f"{len(expected)} gaps of 1 lane, "), text)
        self.assertIn("(--top N)", text)

    def test_gaps_of_lanes_say_what_is_wrong(self):
        path = self.write("t.json", [event("a", 0, 5), event("b", 10, 5)])
        self.assertIn("no lane with slices", self.run_it("stats", path, "--of", "gaps", "--lanes", "gpu", expect=NOT_RECOGNISED).stderr)
        self.assertIn("--of gaps", self.run_it("stats", path, "--lanes", "thread", expect=USAGE).stderr)
        said = self.run_it("stats", path, "--of", "gaps", "--lanes", "thread", "--csv", expect=USAGE).stderr
        self.assertIn("--csv does not go with --lanes", said)

    def test_options_that_change_nothing_are_refused(self):
        path = self.write("t.json", [event("a", 0, 5) | {"cat": "kernel"}])
        for words in (["--range", "0s..1s"], ["--step", "1"], ["--set", "gap_least=1"], ["--csv"]):
            self.assertIn("--of findings", self.run_it("stats", path, "--of", "findings", *words, expect=USAGE).stderr, words)
        for of, form in (("findings", "--json"), ("durations", "--json"), ("durations", "--csv"), ("gpus", "--csv"),
                         ("stragglers", "--json"), ("pace", "--json")):  # fmt: skip
            said = self.run_it("stats", path, "--of", of, "--top", "3", form, expect=USAGE).stderr
            self.assertIn(f"--top does not go with --of {of} and {form}", said)
        for of in ("findings", "gpus", "gaps", "durations"):
            for words in (["--where", "dur > 1us"], ["--group-by", "lane"]):
                said = self.run_it("stats", path, "--of", of, *words, expect=USAGE).stderr
                self.assertIn(f"--where and --group-by do not go with --of {of}", said)
        # Names of one kind are statistics of slices.
        self.run_it("stats", path, "--of", "kernels", "--where", "dur > 1us", "--group-by", "lane")

    def test_a_picture_of_a_place(self):
        path = self.write("t.json", [event("ProfilerStep#6", 0, 500), event("ProfilerStep#7", 600, 300)])
        picture = os.path.join(self.folder, "a.png")
        self.assertEqual(self.run_picture(path, picture, "step 7").returncode, OK)
        self.assertTrue(os.path.exists(picture))
        said = self.run_picture(path, picture, "step 8")
        self.assertEqual(said.returncode, FAILED)
        self.assertIn("--go: there is no step 8 (there are ProfilerStep# 6 to 7", said.stderr)

    def run_picture(self, path, picture, place):
        return subprocess.run([TRACEVIEW, "screenshot", path, "-o", picture, "--go", place, "--times", "since step", "--no-cache"],
                              capture_output=True, text=True, timeout=300)  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    ended = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
