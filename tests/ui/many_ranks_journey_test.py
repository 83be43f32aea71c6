#!/usr/bin/env python3
"""A journey: 64 ranks are open; one more is added, its clock is moved, and it is shown below the others. Ten ranks are closed, and
another one by its menu; then all are opened again.

    python3 tests/ui/many_ranks_journey_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
RANKS, EACH = 64, 20


def events_of(rank):
    base = {"ph": "X", "pid": 4000 + rank, "tid": 1, "cat": "cpu_op"}
    return [{"name": "process_name", "ph": "M", "pid": 4000 + rank, "args": {"name": f"rank {rank}"}}] + [
        base | {"name": f"step{rank}", "ts": 1000 * i + rank, "dur": 500} for i in range(EACH)
    ]


class ManyRanks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-ranks-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = os.environ | {"TRACEVIEW_CACHE_DIR": os.path.join(self.folder, "cache"), "HOME": self.folder}
        os.mkdir(os.path.join(self.folder, "run"))
        for rank in range(RANKS + 1):
            with open(self.rank(rank), "w", encoding="utf-8") as out:
                json.dump(events_of(rank), out)

    def rank(self, rank):
        return os.path.join(self.folder, "run" if rank < RANKS else ".", f"rank{rank}.json")

    def script(self, text):
        result = subprocess.run([TRACEVIEW, "script", "-"], capture_output=True, text=True, timeout=300, env=self.environment, input=text)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_add_close_open_again(self):
        ten = " ".join(self.rank(rank) for rank in range(10, 20))
        self.script(f"""
open {self.folder}/run
expect trace.segments = {RANKS}
click slice step3 "rank 3"
expect selected.name = step3
add {self.rank(RANKS)}
expect trace.segments = {RANKS + 1}
expect trace.slices = {(RANKS + 1) * EACH}
expect selected.name = step3
clock rank{RANKS}.json 0.03
expect trace.segments = {RANKS + 1}
press V
expect split.by = starts
expect split.upper.title ~ "rank 0"
expect split.upper.title ~ "and {RANKS - 2} more"
expect split.lower.title = "rank {RANKS}"
expect split.difference_ns = {30_000_000 + RANKS * 1000}
expect view.span_ns < {10**8}
half lower
move slice step{RANKS}
expect hovered.name = step{RANKS}
close {ten}
expect split.upper.title ~ "and {RANKS - 12} more"
expect split.lower.title = "rank {RANKS}"
expect split.difference_ns = {30_000_000 + RANKS * 1000}
move slice step{RANKS}
expect hovered.name = step{RANKS}
press V
expect split.on = false
expect trace.segments = {RANKS - 9}
expect trace.slices = {(RANKS - 9) * EACH}
expect selected.name = step3
press F5
expect trace.segments = {RANKS - 9}
rightclick name "rank 5"
click item "Close rank5.json"
expect trace.segments = {RANKS - 10}
add {self.rank(12)}
expect trace.segments = {RANKS - 9}
expect selected.name = step3
press Ctrl+Shift+P
type "closed files"
expect commands.chosen_id = file.open_closed
press Enter
expect trace.segments = {RANKS + 1}
expect trace.slices = {(RANKS + 1) * EACH}
close {self.rank(RANKS)}
expect trace.segments = {RANKS}
close {" ".join(self.rank(rank) for rank in range(RANKS))}
expect trace.slices = 0
""")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
