#!/usr/bin/env python3
"""A journey through a run that grows while it is open (J10's growing part): step folders and lines appear, half lines wait, view and
selection stay, a view of the end follows the end, a slow step is named when it appears, and a log that is truncated, replaced or
deleted is noticed. In the end everything is as if the files had been opened at once.

    python3 tests/ui/follow_journey_test.py --traceview build/release/app/traceview
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from rollout_journeys_test import Log, REQUESTS, SLOW_STEP, WORKERS, play

TRACEVIEW = ""
FIRST, LAST = 5, 10  # the last step when the run is opened, and in the end


class Follow(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="traceview-follow-"))
        self.addCleanup(shutil.rmtree, self.folder)
        os.environ.update(TRACEVIEW_CACHE_DIR=str(self.folder / "cache"), HOME=str(self.folder))
        self.all, self.run = self.folder / "whole" / "run", self.folder / "run"
        Log(steps=LAST).write(self.all)
        for step in range(1, FIRST + 1):
            shutil.copytree(self.all / f"step_{step}", self.run / f"step_{step}")

    def files(self, step):
        return [f"step_{step}/worker_{worker}.jsonl" for worker in range(WORKERS)]

    def comes(self, step):
        return "\n".join(f"append {self.run}/{name} {self.all}/{name}" for name in self.files(step)) + "\ncatch_up"

    def comes_in_halves(self, step):
        """Each file cut within a line."""
        first, second = [], []
        for number, name in enumerate(self.files(step)):
            text = (self.all / name).read_bytes()
            cut = text.rindex(b"\n", 0, len(text) // 2) + 30
            for part, lines, bytes_of in (("a", first, text[:cut]), ("b", second, text[cut:])):
                piece = self.folder / f"piece_{step}_{number}_{part}"
                piece.write_bytes(bytes_of)
                lines.append(f"append {self.run}/{name} {piece}")
        return "\n".join(first) + "\ncatch_up", "\n".join(second) + "\ncatch_up"

    def test_a_run_that_goes_on(self):
        half, other_half = self.comes_in_halves(8)
        truncated = self.run / "step_1" / "worker_0.jsonl"
        cut = truncated.read_bytes().rindex(b"\n", 0, 2000) + 1
        script = f"""
open {self.run}
expect follow.on = false
expect follow.text = ""
expect rollout.steps = {FIRST}
click slice async_generate_duration "worker 1"
go step 2
keep selected selected.begin_ns
keep begin view.begin_ns
keep span view.span_ns
press Shift+F5
catch_up
expect follow.on = true
expect follow.text ~ "Following {FIRST * WORKERS} files"
expect view.begin_ns = $begin

{self.comes(6)}
expect rollout.steps = 6
expect rollout.outliers = 0
expect view.begin_ns = $begin
expect view.span_ns = $span
expect selected.begin_ns = $selected

{self.comes(SLOW_STEP)}
expect rollout.steps = 7
expect rollout.outlier.step = {SLOW_STEP}
expect window.notice ~ "step {SLOW_STEP} stands out"
expect window.notice ~ "worker 0: async_generate"
expect view.begin_ns = $begin
expect selected.begin_ns = $selected

{half}
expect rollout.steps = 8
expect trace.lost = 0
expect view.begin_ns = $begin
{other_half}
expect trace.lost = 0
expect rollout.requests = {8 * WORKERS * REQUESTS}

press Home
settle
keep all view.span_ns
{self.comes(9)}
expect view.span_ns > $all
press W 3
hold D 200
settle
keep begin view.begin_ns
keep end view.end_ns
keep span view.span_ns
{self.comes(10)}
expect rollout.steps = {LAST}
expect view.span_ns = $span
expect view.begin_ns > $begin
expect view.end_ns > $end
state
"""
        state = self.play(script + f"""
cut {truncated} {cut}
catch_up
expect follow.text ~ "worker_0.jsonl was truncated"
remove {truncated}
append {truncated} {self.all}/step_1/worker_0.jsonl
catch_up
expect rollout.requests = {LAST * WORKERS * REQUESTS}
remove {self.run}/step_2
catch_up
expect rollout.steps = {LAST - 1}
expect follow.text ~ "was deleted"
press Shift+F5
wait
expect follow.on = false
{self.comes(2)}
expect rollout.steps = {LAST - 1}
press F5
wait
expect rollout.steps = {LAST}
""")
        self.assertEqual(state["trace"]["slices"], self.play(f"open {self.all}\nstate")["trace"]["slices"])
        dump = lambda folder: subprocess.run([TRACEVIEW, "dump", folder], capture_output=True, check=True, text=True).stdout
        self.assertEqual(dump(self.run).replace(str(self.run), ""), dump(self.all).replace(str(self.all), ""))

    def play(self, script):
        return play(TRACEVIEW, script)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
