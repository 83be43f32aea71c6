#!/usr/bin/env python3
"""A PyTorch trace with what others lose, end to end on the window without a display (J5): 1,000 kernels that begin before the
one before them on their stream has ended, and 10 of no length. Nothing is lost or nested that does not nest, busy time is their
union, a search finds them all, W goes from everything to one kernel of 5 us, [ from it to its launch, and the table of kernels is
what counting gives. The trace is made here with a fixed seed."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from rollout_journeys_test import play

US = 1_000
KERNELS, OVERLAPPING, EMPTY, NCCL = 3_000, 1_000, 10, 120
NAMES = [f"void kernel_{n:02}<float, {n}>(float*, int)" for n in range(24)]
PDL, ZERO, TINY, ALL_REDUCE = "pdl_kernel", "empty_kernel", "tiny_kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"


class Run:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.kernels = []  # (stream, name, begin, end, launch)
        kinds = ["plain"] * KERNELS + ["pdl"] * OVERLAPPING + ["empty"] * EMPTY + ["tiny"]
        rng.shuffle(kinds)
        kinds.insert(0, "plain")
        now, before = 1_000 * US, 0
        for kind in kinds:
            if kind == "pdl":  # within the last quarter of the one before, and beyond its end
                begin = now - (now - before) // 4 - 1
                end = now + rng.randrange(2 * US, 20 * US)
                name = PDL
            elif kind == "empty":
                begin = end = now + 500
                name = ZERO
            else:
                begin = now + rng.randrange(1 * US, 6 * US)
                end = begin + (5 * US if kind == "tiny" else rng.randrange(8 * US, 60 * US))
                name = TINY if kind == "tiny" else rng.choice(NAMES)
            self.add(rng, 7, name, begin, end)
            before, now = begin, max(now, end)
        for n in range(NCCL):
            begin = 1_000 * US + n * (now // NCCL)
            self.add(rng, 20, ALL_REDUCE, begin, begin + rng.randrange(100 * US, 300 * US))

    def add(self, rng, stream, name, begin, end):
        launch = begin - rng.randrange(100 * US, 900 * US)
        self.kernels.append((stream, name, begin, end, launch))

    def write(self, path):
        base = 1_700_000_000_000_000 * US
        micros = lambda ns: f"{ns // US}.{ns % US:03}"
        lines = ['{"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}}']
        for n, (stream, name, begin, end, launch) in enumerate(self.kernels):
            at, starts = micros(base + launch), micros(base + begin)
            lines.append(f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":100,"tid":{100 + stream},"ts":{at},'
                         f'"dur":3.000,"args":{{"correlation":{n + 1}}}}}')
            lines.append(f'{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":{stream},"ts":{starts},'
                         f'"dur":{micros(end - begin)},"args":{{"correlation":{n + 1},"device":0,"stream":{stream}}}}}')
            lines.append(f'{{"ph":"s","id":{n + 1},"pid":100,"tid":{100 + stream},"ts":{at},"cat":"ac2g","name":"ac2g"}}')
            lines.append(f'{{"ph":"f","bp":"e","id":{n + 1},"pid":0,"tid":{stream},"ts":{starts},"cat":"ac2g","name":"ac2g"}}')
        pathlib.Path(path).write_text('{"schemaVersion":1,"traceEvents":[\n' + ",\n".join(lines) + "\n]}\n")

    def busy(self, *streams):
        total, until = 0, 0
        for begin, end in sorted((k[2], k[3]) for k in self.kernels if k[0] in streams):
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total


def nothing_lost(traceview, trace, run):
    longest = max((k for k in run.kernels if k[1] == PDL), key=lambda k: k[3] - k[2])
    state = play(traceview, f"""
open {trace}
expect trace.lost = 0
expect trace.slices = {2 * len(run.kernels)}
expect trace.flows = {len(run.kernels)}
press /
type {PDL}
expect search.hits = {OVERLAPPING}
press Esc
press /
type {ZERO}
expect search.hits = {EMPTY}
press Esc
press /
type nccl
expect search.hits = {NCCL}
expect search.places > {NCCL // 2}
press Esc
scroll_to {PDL}
click slice {PDL}
expect selected.duration_ns = {longest[3] - longest[2]}
state
""")
    assert "parent" not in state["selected"], state["selected"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = parser.parse_args().traceview
    run = Run(5)
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder, "train.pt.trace.json")
        run.write(trace)
        for part in (nothing_lost,):
            part(traceview, trace, run)
            print("ok", part.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
