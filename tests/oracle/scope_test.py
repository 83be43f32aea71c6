#!/usr/bin/env python3
"""Counts again in Python what `traceview stats --range` and `--step` say about a part of a trace: GPUs, gaps, communication, waits,
launches, kernels, names and durations. The traces are generated here; a sample of PyTorch is counted too, if it is present."""

import argparse
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import shared_sample  # noqa: E402

SAMPLE = "pytorch/tracelens/b200/eager_trace.json.gz"
failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


def communicates(name):
    return "nccl" in name or "multimem" in name  # as kernels are named here and in the sample


def to_ns(us):
    return round(us * 1000)


class Trace:
    """The complete events, with times in ns since the first."""

    def __init__(self, events):
        self.slices = [
            (e.get("cat", ""), e["name"], to_ns(e["ts"]), to_ns(e["ts"]) + to_ns(e.get("dur", 0)), (e["pid"], e["tid"]))
            for e in events if e.get("ph") == "X"
        ]
        self.begin = min(s[2] for s in self.slices)
        self.slices = [(c, n, b - self.begin, e - self.begin, t) for c, n, b, e, t in self.slices]

    def of(self, *categories):
        return [s for s in self.slices if s[0] in categories]


def generate(seed):
    """A thread that launches, two streams, some NCCL kernels and marked steps. The slices are so close together that any range cuts
    some of them."""
    rng = random.Random(seed)
    events = [{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "python"}},
              {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}}]

    def add(cat, name, ts, dur, pid, tid):
        events.append({"ph": "X", "cat": cat, "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": tid,
                       "args": {"stream": tid, "device": 0} if cat in ("kernel", "gpu_memcpy") else {}})

    for step in range(4):
        add("user_annotation", f"ProfilerStep#{step + 6}", step * 1000, 950, 100, 100)
    for at in range(10, 3900, 130):
        add("cuda_runtime", rng.choice(["cudaLaunchKernel", "cudaStreamSynchronize", "cudaDeviceSynchronize"]), at,
            rng.randint(5, 60), 100, 100)
    for stream in (7, 20):
        at = rng.randint(20, 200)
        while at < 4000:
            dur = rng.randint(1, 180)
            name = rng.choice(["gemm", "softmax"] if stream == 7 else ["ncclDevKernel_AllReduce", "gemm"])
            memory = rng.random() < 0.15
            add("gpu_memcpy" if memory else "kernel", "Memcpy HtoD" if memory else name, at, dur, 0, stream)
            at += dur + rng.choice([0, 0, rng.randint(1, 300)])
    return {"traceEvents": events}


def inside(begin, end, part):
    return max(0, min(end, part[1]) - max(begin, part[0]))


def gpu_times(work, part):
    """Cuts the time at every begin and end, and adds up the pieces by what runs in them."""
    first, last = min(b for _, _, b, e, _ in work if e > b), max(e for _, _, b, e, _ in work if e > b)
    span = (max(first, part[0]), min(last, part[1]))
    cuts = sorted({span[0], span[1], *(t for _, _, b, e, _ in work for t in (b, e) if span[0] < t < span[1])})
    sums = dict.fromkeys(("compute_ns", "communication_ns", "overlapped_ns", "exposed_ns", "memory_alone_ns", "idle_ns"), 0)
    gaps = []
    for low, high in zip(cuts, cuts[1:]):
        runs = [(c, n) for c, n, b, e, _ in work if b <= low and e >= high and e > b]
        communication = any(communicates(n) for c, n in runs if c == "kernel")
        compute = any(not communicates(n) for c, n in runs if c == "kernel")
        length = high - low
        sums["compute_ns"] += length if compute else 0
        sums["communication_ns"] += length if communication else 0
        sums["overlapped_ns"] += length if compute and communication else 0
        sums["exposed_ns"] += length if communication and not compute else 0
        sums["memory_alone_ns"] += length if runs and not compute and not communication else 0
        if not runs:
            sums["idle_ns"] += length
            if gaps and gaps[-1][1] == low:
                gaps[-1][1] = high
            else:
                gaps.append([low, high])
    return sums, gaps


def look_at(traceview, path, trace, words, part, what):
    def ask(*more, expect=0):
        result = subprocess.run([traceview, "stats", path, "--json", "--no-cache", *words, *more], capture_output=True, text=True)
        check(f"{what} {more}: exit", (result.returncode, result.stderr if result.returncode != expect else ""), (expect, ""))
        return json.loads(result.stdout) if result.stdout else None

    work = trace.of("kernel", "gpu_memcpy", "gpu_memset")
    sums, gaps = gpu_times(work, part)
    gpu = ask("--of", "gpus")[0]
    for key, value in sums.items():
        check(f"{what} {key}", gpu[key], value)
    check(f"{what} parts", gpu["busy_ns"] + gpu["idle_ns"], gpu["end_ns"] - gpu["begin_ns"])
    found = ask("--of", "gaps", "--set", "gap_least=1")
    check(f"{what} gaps", sorted((g["begin_ns"], g["begin_ns"] + g["length_ns"]) for g in found),
          sorted((b, e) for b, e in gaps if e - b >= 1000))
    nccl = [s for s in work if communicates(s[1])]
    if any(inside(b, e, part) for _, _, b, e, _ in nccl):
        rows = ask("--of", "nccl")
        check(f"{what} nccl", sum(r["total_ns"] for r in rows), sum(inside(b, e, part) for _, _, b, e, _ in nccl))
    waits = [s for s in trace.of("cuda_runtime") if "Synchronize" in s[1] and inside(s[2], s[3], part)]
    check(f"{what} waits", sorted((w["begin_ns"], w["length_ns"]) for w in ask("--of", "waits")),
          sorted((b, e - b) for _, _, b, e, _ in waits))
    begun = [s for s in work if part[0] <= s[2] < part[1]]
    launches = ask("--of", "launches")[0]
    check(f"{what} launches", launches["launched"] + launches["without_launch"], len(begun))
    pace = ask("--of", "pace")
    steps = sorted(int(n.split("#")[1]) for _, n, b, e, _ in trace.of("user_annotation") if n.startswith("Prof") and inside(b, e, part))
    if pace and pace["name"].startswith("ProfilerStep"):
        check(f"{what} pace", sorted(t["number"] for line in pace["lines"] for t in line["turns"]), steps)
    lengths = sorted(e - b for c, n, b, e, _ in work if n == "gemm" and b < part[1] and e > part[0])
    if lengths:
        facts = next(c for c in ask("--of", "durations", "--set", "durations_of=gemm") if c["id"] == "durations")["facts"]
        check(f"{what} durations: count", facts["count"], len(lengths))
        for name, p in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("min", 0), ("max", 1)):
            at = (len(lengths) - 1) * p
            low, high = lengths[int(at)], lengths[min(int(at) + 1, len(lengths) - 1)]
            check(f"{what} durations: {name}", round(facts[f"{name} (s)"] * 1e9, 3), round(low + (high - low) * (at - int(at)), 3))
    for of, categories in (("kernels", ("kernel",)), (None, None)):
        expected = {}
        for c, n, b, e, _ in trace.slices:
            touches = b < part[1] and e > part[0] or b == e and part[0] <= b < part[1]
            if touches and (categories is None or c in categories):
                row = expected.setdefault((n, c), [0, 0])
                row[0] += 1
                row[1] += inside(b, e, part)
        rows = ask(*(["--of", of] if of else []))
        check(f"{what} names {of}", {(r["name"], r["category"]): [r["count"], r["total_ns"]] for r in rows}, expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True)
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(6):
            document = generate(seed)
            trace = Trace(document["traceEvents"])
            path = os.path.join(folder, f"{seed}.json")
            pathlib.Path(path).write_text(json.dumps(document))
            rng = random.Random(seed + 100)
            low, high = sorted(rng.sample(range(300, 3600), 2))
            look_at(traceview, path, trace, ["--range", f"{low}us..{high}us"], (low * 1000, high * 1000), f"seed {seed}")
            look_at(traceview, path, trace, ["--step", "7"], (1000 * 1000, 1950 * 1000), f"seed {seed}, step 7")
            look_at(traceview, path, trace, ["--step", "ProfilerStep#8"], (2000 * 1000, 2950 * 1000), f"seed {seed}, step 8")
    if sample := shared_sample(SAMPLE):
        with gzip.open(sample) as file:
            document = json.load(file)
        trace = Trace(document["traceEvents"])
        for low, high in ((20, 60), (80, 87)):
            look_at(traceview, str(sample), trace, ["--range", f"{low}ms..{high}ms"], (low * 1_000_000, high * 1_000_000), "sample")
    if failures:
        print("\n".join(failures))
        sys.exit(1)
    print("all counts agree")


if __name__ == "__main__":
    main()
