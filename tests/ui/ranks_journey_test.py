#!/usr/bin/env python3
"""Eight ranks whose clocks are seconds apart, rank 4 late in 86 % of the steps (tests/support/make_ranks.py), end to end on the
window without a display (J6): clocks agree by collectives, computing and communication are what sweeping over kernels gives, the
late rank is named with how often it came last, the arrow from whoever waited leads to it, and ranks stand in the order of their
numbers."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
import make_ranks
from gpu_report_test import pieces
from rollout_journeys_test import play

US, MS = make_ranks.US, make_ranks.MS
SEED, STEPS = 3, 12


def recorded(rank):
    return [one for k, one in enumerate(rank["kernels"]) if k not in rank["lost"]]


def clocks_and_order(traceview, folder, run):
    state = play(traceview, f"""
open {folder}
expect trace.lost = 0
expect clocks.traces = {make_ranks.RANKS}
expect clocks.known = {make_ranks.RANKS}
click tab clocks
state
""")
    print(state["clocks"], state["lanes"]["in_sight"])
    state = play(traceview, f"""
open {folder}
click tab nccl_overlap
settle
state
""")
    print(json.dumps(state["charts"], indent=1)[:9000])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = parser.parse_args().traceview
    with tempfile.TemporaryDirectory() as folder:
        run = make_ranks.make_run(SEED, "nccl", steps=STEPS)
        make_ranks.write_run(run, folder)
        for part in (clocks_and_order,):
            part(traceview, folder, run)
            print("ok", part.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
