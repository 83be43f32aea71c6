#!/usr/bin/env python3
"""Checks the arrows from launches to their work on generated traces whose truth is known.

    python3 tests/oracle/launches_test.py --traceview build/release/app/traceview [--seeds 40] [--seed N]

Each trace is written as some version of kineto writes it: flow events right behind their slices, all of them at the end, those
of a pair behind the kernel (2021), ends only (graphs on ROCm), or none at all. Times are nanoseconds or whole microseconds, and
calls may begin at the same time. Names are unique, so that an arrow to the wrong slice is seen. The real traces in
$TV_SHARED_DIR are compared with a join of their correlation ids, if they have any.
"""

import argparse
import collections
import decimal
import glob
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

from real_files import too_large

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import shared_sample  # noqa: E402

STYLES = ("behind", "sorted", "2021", "ends", "none")
CALL = ("cuda_runtime", "cuda_driver", "hip_runtime", "xpu_runtime", "Runtime", "mtia_runtime")
WORK = ("kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset", "mtia_ccp_events")


def dump(traceview, path):
    done = subprocess.run([traceview, "dump", "--no-cache", path], capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def arrows(lines):
    found = (line for line in lines if "flow" in line)
    return collections.Counter((*line["flow"], line["from_ns"], line["to_ns"]) for line in found)


class Generated:
    """One trace: its events in file order, and the arrows that are in it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.style = STYLES[seed % len(STYLES)]
        self.whole = self.random.random() < 0.7
        self.records = []  # groups of events that stay together
        self.flows = []  # flow events of style "sorted"
        self.truth = collections.Counter()
        self.correlation = self.random.choice([1, 20_000, 4_000_000_000])
        self.free = collections.Counter()  # by stream
        now = 1_000_000
        for _ in range(self.random.randint(5, 60)):
            now = self.step(now)
        if self.random.random() < 0.5:
            self.random.shuffle(self.records)
        self.events = [event for group in self.records for event in group] + self.flows

    def ns(self, microseconds):
        return microseconds * 1000 if self.whole else microseconds * 1000 + self.random.randint(0, 999)

    def slice(self, name, cat, pid, tid, begin, dur, correlation):
        args = {"External id": self.random.randint(0, 9), "cbid": 211, "correlation": correlation}
        if correlation is None or (cat.endswith("runtime") and self.random.random() < 0.1):
            args = {"words": 'a "correlation": 3 in a text', **args}
        if correlation is None:
            del args["correlation"]
        if self.random.random() < 0.1:
            args["name"] = "ü"  # not plain, so the general parser reads it
        return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": begin / 1000, "dur": dur / 1000, "args": args}

    def flow(self, ph, number, of):
        end = {"bp": "e"} if ph == "f" else {}
        return {"ph": ph, "id": number, "cat": "ac2g", "name": "ac2g", "pid": of["pid"], "tid": of["tid"], "ts": of["ts"]} | end

    def add(self, bar, flow=None):
        group = [bar] + ([flow] if flow and self.style in ("behind", "ends") else [])
        if flow and self.style == "sorted":
            self.flows.append(flow)
        self.records.append(group)

    def call(self, name, tid, begin, dur, launches):
        """-> the call's slice and correlation id."""
        self.correlation += 1
        bar = self.slice(f"{name} {self.correlation}", "cuda_runtime", 100, tid, begin, dur, self.correlation)
        ph = "s" if launches and self.style != "ends" else "f"
        self.add(bar, self.flow(ph, self.correlation, bar))
        return bar, self.correlation

    def work(self, call, number, begin):
        """A kernel on some stream, not before `begin`."""
        device, stream = self.random.randint(0, 1), self.random.choice([7, 13])
        begin = max(self.ns(begin), self.free[device, stream])
        dur = self.ns(self.random.randint(0, 30))
        self.free[device, stream] = begin + dur
        cat = self.random.choice(["kernel", "kernel", "gpu_memcpy", "gpu_memset"])
        self.kernels = getattr(self, "kernels", 0) + 1
        bar = self.slice(f"kernel {self.kernels}", cat, device, stream, begin, dur, number)
        end = self.flow("f", number, bar)
        if self.style == "2021" and call:
            self.records.append([bar, self.flow("s", number, call), end])
        else:
            self.add(bar, end)
        if call:
            self.truth[call["name"], bar["name"], round(call["ts"] * 1000), begin] += 1

    def step(self, now):
        tid = self.random.choice([100, 101])
        begin = self.ns(now)
        kind = self.random.random()
        if kind < 0.1:  # launched before the recording
            self.correlation += 1
            self.work(None, self.correlation, now)
            return now + 50
        bar, number = self.call("cudaGraphLaunch" if kind < 0.3 else "cudaLaunchKernel", tid, begin, 12_000, True)
        if self.random.random() < 0.6:  # a call within it, which begins in the same microsecond
            self.call("cudaFuncSetAttribute", tid, begin + (0 if self.whole else 1), 1_000, False)
        if self.random.random() < 0.5:
            self.call("cudaPeekAtLastError", tid, begin + 2_000, self.random.choice([0, 500]), False)
        for _ in range(self.random.randint(2, 12) if kind < 0.3 else self.random.random() < 0.9):
            self.work(bar, number, now + self.random.randint(13, 300))
        return now + self.random.randint(13, 40)

    def write(self, path):
        text = json.dumps({"schemaVersion": 1, "traceEvents": self.events}, ensure_ascii=False).encode()
        with (gzip.open if path.endswith(".gz") else open)(path, "wb") as file:
            file.write(text)


def check_generated(traceview, seed, folder):
    trace = Generated(seed)
    path = os.path.join(folder, f"{seed}.json" + (".gz" if seed % 3 == 0 else ""))
    trace.write(path)
    lines = dump(traceview, path)
    found = arrows(lines)
    wrong = [f"missing: {arrow}" for arrow in (trace.truth - found)] + [f"wrong: {arrow}" for arrow in (found - trace.truth)]
    # An end at a call that launched nothing, as kineto writes it, is not reported.
    counted = sum(line["count"] for line in lines if line.get("problem") == "unmatched_flow")
    kernels = sum(1 for e in trace.events if e["ph"] == "X" and e["name"].startswith("kernel"))
    unknown = kernels - sum(trace.truth.values())
    idle = sum(1 for e in trace.events if e["ph"] == "s") if trace.style in ("behind", "sorted") else 0
    idle -= len({arrow[0] for arrow in trace.truth}) if idle else 0
    expected = 0 if trace.style in ("none", "2021") else unknown + max(idle, 0)
    if counted != expected:
        wrong.append(f"{counted} flow events without another end, {expected} expected")
    return [f"seed {seed}, {trace.style}: {problem}" for problem in wrong]


def check_real(traceview, path):
    """Compares the arrows with a plain join of calls and work by their correlation ids."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        try:
            document = json.loads(file.read(), parse_float=decimal.Decimal, strict=False)
        except ValueError:
            return None
    if not isinstance(document, dict) or not isinstance(document.get("traceEvents"), list):
        return None
    base = int(document.get("baseTimeNanoseconds") or 0)
    ns = lambda time: int((decimal.Decimal(time) * 1000).to_integral_value(decimal.ROUND_HALF_UP)) + base
    calls, work = {}, []
    for event in document["traceEvents"]:
        args = event.get("args") if isinstance(event, dict) else None
        number = args.get("correlation") if isinstance(args, dict) else None
        if event.get("ph") != "X" or not number or int(number) <= 0:
            continue
        if event.get("cat") in CALL:
            calls[int(number)] = event
        elif event.get("cat") in WORK:
            work.append((int(number), event))
    wanted = collections.Counter(
        (calls[n]["name"], w["name"], ns(calls[n]["ts"]), ns(w["ts"])) for n, w in work if n in calls
    )
    if not wanted:
        return None
    lines = dump(traceview, path)
    begins = {(ns(w["ts"]), w["name"]) for _, w in work}
    apis = {c["name"] for c in calls.values()}
    found = collections.Counter(
        {arrow: n for arrow, n in arrows(lines).items() if (arrow[3], arrow[1]) in begins and arrow[0] in apis}
    )
    # Tools may have added arrows between the same slices (HTA its critical path).
    wrong = [f"missing: {arrow}" for arrow in wanted - found] + [f"wrong: {arrow}" for arrow in found if arrow not in wanted]
    return sum(wanted.values()), [f"{os.path.basename(path)}: {problem}" for problem in wrong]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="traceview-launches-") as folder:
        for seed in range(options.seeds) if options.seed is None else [options.seed]:
            wrong += check_generated(options.traceview, seed, folder)
    folder = shared_sample("pytorch")
    files = launches = 0
    for path in sorted(glob.glob(f"{folder}/**/*.json*", recursive=True)) if folder else ():
        result = check_real(options.traceview, path) if options.only in path and not too_large(path) else None
        if result:
            files, launches = files + 1, launches + result[0]
            wrong += result[1][:5]
    for problem in wrong[:40]:
        print(problem, file=sys.stderr)
    print(f"{options.seeds} generated traces, {launches} launches of {files} real ones: {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
