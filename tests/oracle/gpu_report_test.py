#!/usr/bin/env python3
"""Counts again in Python what `traceview stats --of` and gpu.json of `traceview report` say about GPUs. The traces are generated
here; samples of PyTorch (../shared/data/pytorch) are counted too, if they are present. Time is cut at every begin and end, and the
pieces are added up by what runs in them. Our program does it in another way."""

import argparse
import collections
import decimal
import gzip
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from real_files import too_large

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import shared_sample  # noqa: E402

KINDS = {
    "kernels": {"kernel"}, "memory": {"gpu_memcpy", "gpu_memset"}, "api": {"cuda_runtime", "cuda_driver"},
    "nvtx": {"user_annotation"}, "projected": {"gpu_user_annotation"},
}  # fmt: skip
WORK = KINDS["kernels"] | KINDS["memory"]
LEAST_GAP = 500_000
SAMPLES = [
    "megatron_tp2/result",
    "tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
]
failures = []


def check(what, got, expected, tolerance=0.0):
    if isinstance(expected, float):
        same = abs(got - expected) <= tolerance
    else:
        same = got == expected
    if not same:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


# --- what is in the files ---


def to_ns(us):
    return int((decimal.Decimal(us) * 1000).to_integral_value())


def read(path):
    opened = gzip.open(path) if path.suffix == ".gz" else open(path, "rb")
    with opened as file:
        document = json.load(file, parse_float=decimal.Decimal)
    rank = document.get("distributedInfo", {}).get("rank") if isinstance(document, dict) else None
    events = document["traceEvents"] if isinstance(document, dict) else document
    slices = []
    for event in events:
        if event.get("ph") != "X":
            continue
        begin, length = to_ns(event["ts"]), to_ns(event.get("dur", 0))
        slices.append((event.get("cat", ""), event["name"], begin, begin + length, (event["pid"], event["tid"])))
    return rank, slices


# --- counted again ---


def pieces(work):
    """(length, kinds that run) of the time from the first begin to the last end, in order; neighbours differ."""
    change = collections.defaultdict(lambda: collections.Counter())
    for kind, begin, end in work:
        if end > begin:
            change[begin][kind] += 1
            change[end][kind] -= 1
    out, running, last = [], collections.Counter(), None
    for time in sorted(change):
        if last is not None:
            kinds = frozenset(kind for kind, n in running.items() if n > 0)
            if out and out[-1][1] == kinds:
                out[-1] = (out[-1][0] + time - last, kinds)
            else:
                out.append((time - last, kinds))
        running.update(change[time])
        last = time
    return out


def kind_of(category, name):
    return "memory" if category in KINDS["memory"] else "communication" if "nccl" in name else "compute"


def gpu_sums(slices):
    parts = pieces([(kind_of(c, n), b, e) for c, n, b, e, _ in slices if c in WORK])
    sums = collections.Counter()
    for length, kinds in parts:
        state = "idle" if not kinds else "memory_alone"
        if "communication" in kinds:
            state = "overlapped" if "compute" in kinds else "exposed"
        elif "compute" in kinds:
            state = "computing"
        sums[state] += length
    gaps = [length for length, kinds in parts if not kinds and length >= LEAST_GAP]
    return {
        "busy_ns": sum(sums.values()) - sums["idle"],
        "compute_ns": sums["computing"] + sums["overlapped"],
        "communication_ns": sums["overlapped"] + sums["exposed"],
        "overlapped_ns": sums["overlapped"],
        "exposed_ns": sums["exposed"],
        "memory_alone_ns": sums["memory_alone"],
        "idle_ns": sums["idle"],
    }, gaps


def is_wait(category, name):
    if category not in KINDS["api"]:
        return False
    return "Synchronize" in name or ("Async" not in name and name.startswith(("cudaMemcpy", "cudaFree")))


def check_names(kind, rows, slices):
    durations = collections.defaultdict(list)
    for category, name, begin, end, _ in slices:
        if is_wait(category, name) if kind == "sync" else category in KINDS[kind]:
            durations[category, name].append(end - begin)
    check(f"names of {kind}", {(row["category"], row["name"]) for row in rows}, set(durations))
    for row in rows:
        values = durations.get((row["category"], row["name"]), [0])
        what = f"{kind} {row['name'][:60]}"
        check(what + " count", row["count"], len(values))
        check(what + " total", row["total_ns"], sum(values))
        check(what + " min, max", (row["min_ns"], row["max_ns"]), (min(values), max(values)))
        check(what + " median", row["p50_ns"], float(statistics.median(values)), 1e-6)
        check(what + " mean", row["mean_ns"], float(statistics.mean(values)), 1e-3)
        spread = float(statistics.stdev(values)) if len(values) > 1 else 0.0
        check(what + " stddev", row["stddev_ns"], spread, 1e-6 * max(spread, 1))


def check_waits(waits, slices_by_rank):
    expected = []
    for slices in slices_by_rank:
        ends = sorted((end, begin) for category, _, begin, end, _ in slices if category in WORK)
        for category, name, begin, end, _ in slices:
            if not is_wait(category, name):
                continue
            within = [e for e, _ in ends if begin < e <= end]
            expected.append((end - begin, name, end - max(within) if within else None))
    got = [(wait["length_ns"], wait["call"], None if wait["waited_for"] is None else wait["after_ns"]) for wait in waits]
    check("waits", collections.Counter(got), collections.Counter(expected))
    check("waits, longest first", [length for length, *_ in got], sorted((length for length, *_ in expected), reverse=True))


def check_overlap(nccl, slices_by_rank):
    totals, overlapped = collections.Counter(), collections.Counter()
    for slices in slices_by_rank:
        kernels = [(c, n, b, e) for c, n, b, e, _ in slices if c == "kernel"]
        compute = [(b, e) for c, n, b, e in kernels if "nccl" not in n and e > b]
        for _, name, begin, end in kernels:
            if "nccl" not in name:
                continue
            totals[name] += end - begin
            beside = [("c", max(b, begin), min(e, end)) for b, e in compute if b < end and e > begin]
            overlapped[name] += sum(length for length, kinds in pieces(beside) if kinds)
    check("nothing recognised is null", nccl is None, not totals)
    got_totals, got_overlapped = collections.Counter(), collections.Counter()
    for row in nccl or []:
        got_totals[row["name"]] += row["total_ns"]
        got_overlapped[row["name"]] += row["overlapped_ns"]
        check("exposed", row["exposed_ns"], row["total_ns"] - row["overlapped_ns"])
    check("collectives", got_totals, totals)
    check("collectives, overlapped", +got_overlapped, +overlapped)


# --- asked ---


def stats(traceview, path, of, *more):
    command = [traceview, "stats", str(path), "--of", of, "--json", "--no-cache", *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)


def report(traceview, path):
    with tempfile.TemporaryDirectory() as out:
        command = [traceview, "report", str(path), "-o", out, "--format", "svg", "--no-cache"]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        charts = json.loads(pathlib.Path(out, "report.json").read_text())["charts"]
        for chart in charts:
            for key in ("picture", "csv", "table_csv"):
                if key in chart:
                    check(f"{chart['id']}: {key} is there", pathlib.Path(out, chart[key]).stat().st_size > 0, True)
        return json.loads(pathlib.Path(out, "gpu.json").read_text()), charts


def check_trace(traceview, path):
    before = len(failures)
    files = sorted(p for p in path.rglob("*.json*")) if path.is_dir() else [path]
    ranks = [read(file)[1] for file in files]
    every = [one for slices in ranks for one in slices]
    figures, charts = report(traceview, path)
    for kind in [*KINDS, "sync"]:
        check(f"{kind}: stats and report", stats(traceview, path, kind), figures[kind])
        check_names(kind, figures[kind], every)
    for of in ("gpus", "gaps", "nccl", "stragglers", "waits", "launches", "pace"):
        check(f"{of}: stats and report", stats(traceview, path, of), figures[of])
    with_work = [slices for slices in ranks if any(category in WORK for category, *_ in slices)]
    check("GPUs", len(figures["gpus"]), len(with_work))
    gaps = []
    recognised = any(c == "kernel" and "nccl" in n for slices in with_work for c, n, *_ in slices)
    for gpu, slices in zip(figures["gpus"], with_work):
        sums, of_gpu = gpu_sums(slices)
        gaps += of_gpu
        for key, value in sums.items():
            # If nothing is recognised as communication, its times are unknown and not 0.
            of_communication = key in ("communication_ns", "overlapped_ns", "exposed_ns")
            check(f"{gpu['gpu']} {key}", gpu[key], value if recognised or not of_communication else None)
    check("gaps", [gap["length_ns"] for gap in figures["gaps"]], sorted(gaps, reverse=True))
    check_waits(figures["waits"], ranks)
    check_overlap(figures["nccl"], ranks)
    kinds = {chart["kind"] for chart in charts}
    check("charts", {"gpu", "gpu_gaps", "kernels", "nccl_overlap", "sync", "launch_delay", "pace"} <= kinds, True)
    print(f"{path.name}: {len(every)} slices, {len(figures['gpus'])} GPUs, {len(gaps)} gaps,"
          f" {'as counted' if len(failures) == before else 'DIFFERENT'}")


# --- made here ---


def made_trace(seed, rank):
    """A GPU of two streams and a thread that launches, waits, and marks iterations; times are whole nanoseconds."""
    rng = random.Random(seed)
    gpu, cpu, events, flow = rank, 100 + rank, [], 0
    events.append({"ph": "M", "name": "process_labels", "pid": gpu, "tid": 0, "args": {"labels": f"GPU {rank}"}})

    def add(category, name, pid, tid, begin, length):
        events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin / 1000, "dur": length / 1000})

    for number in range(5):
        add("user_annotation", f"iteration {number}", cpu, 1, number * 4_000_000, rng.randrange(2_500_000, 3_900_000))
    for stream, names in ((7, ["gemm", "softmax"]), (22, ["ncclDevKernel_AllReduce", "ncclDevKernel_AllGather"])):
        at = 1_000_000
        while at < 20_000_000:
            length = rng.randrange(1_000, 900_000)
            memory = rng.random() < 0.15
            add("gpu_memcpy" if memory else "kernel", "Memcpy HtoD (Pageable -> Device)" if memory else rng.choice(names),
                gpu, stream, at, length)
            if rng.random() < 0.9:
                flow += 1
                launch = at - rng.randrange(20_000, 900_000)
                add("cuda_runtime", "cudaLaunchKernel", cpu, 2 + stream, launch, 9_000)
                for phase, pid, tid, time in (("s", cpu, 2 + stream, launch), ("f", gpu, stream, at)):
                    events.append({"ph": phase, "bp": "e", "id": flow, "pid": pid, "tid": tid, "ts": time / 1000,
                                   "cat": "ac2g", "name": "ac2g"})
            at += length + rng.choice([0, 0, 2_000, 300_000, 1_500_000])
    for number in range(12):
        add("cuda_runtime", rng.choice(["cudaStreamSynchronize", "cudaMemcpy", "cudaMemcpyAsync"]), cpu, 3,
            number * 1_700_000, rng.randrange(10_000, 1_600_000))
    return {"schemaVersion": 1, "distributedInfo": {"rank": rank}, "traceEvents": events}


def check_made(traceview, folder):
    for seed in range(4):
        run = pathlib.Path(folder, f"run{seed}")
        run.mkdir()
        for rank in range(1 + seed % 3):
            (run / f"rank{rank}.json").write_text(json.dumps(made_trace(10 * seed + rank, rank)))
        check_trace(traceview, run)
        pace = stats(traceview, run, "pace")
        check("pace", pace["name"].startswith("iteration"), True)
        check("lines of the pace", len(pace["lines"]), 1 + seed % 3)
        for line in pace["lines"]:
            check("numbers", [turn["number"] for turn in line["turns"]], [0, 1, 2, 3, 4])
            check("deltas", [turn["delta_ns"] for turn in line["turns"]], [None] + 4 * [4_000_000])
        longest = stats(traceview, run, "gaps", "--set", "gap_least=1000")
        check("gap_least", all(gap["length_ns"] >= 1_000_000 for gap in longest), True)
        check("--top", len(stats(traceview, run, "kernels", "--top", "1")), 1)


def check_usage(traceview, folder):
    path = pathlib.Path(folder, "cpu_only.json")
    path.write_text(json.dumps([{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 5}]))

    def exit_of(*words):
        return subprocess.run([traceview, "stats", str(path), *words], capture_output=True, text=True, timeout=60).returncode

    check("no GPU", exit_of("--of", "gpus"), 3)
    check("names of no kind", exit_of("--of", "kernels"), 0)
    check("an unknown word", exit_of("--of", "everything"), 2)
    check("a range of no GPU", exit_of("--of", "gaps", "--range", "0s..1s"), 3)
    check("a step there is none of", exit_of("--of", "gaps", "--step", "7"), 2)
    check("a setting without a question", exit_of("--set", "gap_least=1"), 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:
        check_made(traceview, folder)
        check_usage(traceview, folder)
    for sample in SAMPLES:
        path = shared_sample(f"pytorch/{sample}")
        if path and not too_large(path):
            check_trace(traceview, path)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
