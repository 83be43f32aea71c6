#!/usr/bin/env python3
"""A PyTorch trace with kernels that other viewers lose, end to end on the window without a display (J5): 1,000 kernels begin before
the previous one on their stream has ended, and 10 have no length. No kernel is lost or nested in another, busy time is their union,
a search finds them all, W zooms from everything to one kernel of 5 us, [ goes from it to its launch, and the table of kernels has the
numbers that are counted here. The trace is made here with a fixed seed."""

import argparse
import json
import pathlib
import random
import statistics
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
            if kind == "pdl":  # begins in the last quarter of the previous kernel, and ends after it
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


def sums(traceview, trace, run):
    """Busy time is the union of all kernels; the table of kernels has the numbers that are counted here."""
    state = play(traceview, f"""
open {trace}
click tab gpu
settle
state
""")
    row, = state["charts"]["gpu_time"]["rows"]
    assert row["compute"] == run.busy(7) and row["communication"] == run.busy(20), (row, run.busy(7), run.busy(20))
    assert row["busy"] == run.busy(7, 20) and row["exposed"] == run.busy(7, 20) - run.busy(7), row
    assert sum(k[3] - k[2] for k in run.kernels if k[0] == 7) > run.busy(7), "nothing overlaps"
    state = play(traceview, f"""
open {trace}
click tab kernels
settle
state
""")
    rows = state["charts"]["summary_kernels"]["rows"]
    lengths = {}
    for _, name, begin, end, _ in run.kernels:
        lengths.setdefault(name, []).append(end - begin)
    first = sorted(lengths.items(), key=lambda item: -sum(item[1]))[:20]
    for row, (name, of_name) in zip(rows, first):
        assert row["name"] == name.removeprefix("void ").split("(")[0], (row, name)
        assert row["times"] == len(of_name) and row["total"] == sum(of_name), (row, of_name)
        assert row["median"] == statistics.median(of_name) and row["max"] == max(of_name), (row, of_name)
        assert abs(row["mean"] - statistics.fmean(of_name)) < 1e-3, (row, of_name)


def nothing_nested(traceview, trace, run):
    """All kernels are there with their times; none is nested in another, and none overlaps another in its row."""
    dump = subprocess.run([traceview, "dump", trace], capture_output=True, text=True, timeout=120, check=True).stdout
    kernels = [event for event in map(json.loads, dump.splitlines()) if event.get("cat") == "kernel" and "dur_ns" in event]
    base = 1_700_000_000_000_000 * US
    found = sorted((event["name"], event["begin_ns"] - base, event["dur_ns"], event["self_ns"]) for event in kernels)
    assert found == sorted((name, begin, end - begin, end - begin) for _, name, begin, end, _ in run.kernels)
    rows = {}
    for event in kernels:
        rows.setdefault((*event["lane"], event["row"]), []).append((event["begin_ns"], event["begin_ns"] + event["dur_ns"]))
    assert len(rows) > 2, "kernels that overlap have no rows of their own"
    for of_row in rows.values():
        of_row.sort()
        assert all(a[1] <= b[0] for a, b in zip(of_row, of_row[1:])), "kernels of a row overlap"


def down_to_one(traceview, trace, run):
    """Holding W zooms from everything to 5 us; [ goes to the call that launched the kernel, ] back."""
    _, name, begin, end, launch = next(k for k in run.kernels if k[1] == TINY)
    origin = min(k[4] for k in run.kernels)
    play(traceview, f"""
open {trace}
scroll_to {TINY}
zoom_until {TINY} 20us
expect view.span_ns < 20000
expect view.begin_ns < {begin - origin}
expect view.end_ns > {end - origin}
expect hovered.name = {TINY}
expect frame.texts > 0
click slice {TINY}
expect selected.duration_ns = {5 * US}
press [
expect selected.name = cudaLaunchKernel
expect selected.begin_ns = {launch - origin}
press ]
expect selected.name = {TINY}
expect selected.begin_ns = {begin - origin}
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = parser.parse_args().traceview
    run = Run(5)
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder, "train.pt.trace.json")
        run.write(trace)
        for part in (nothing_lost, sums, nothing_nested, down_to_one):
            part(traceview, trace, run)
            print("ok", part.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
