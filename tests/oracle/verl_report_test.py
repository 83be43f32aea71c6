#!/usr/bin/env python3
"""Compares `traceview report --like verl-scripts` with what verl's scripts compute, number by number to 1e-9.

    python3 tests/oracle/verl_report_test.py --traceview build/release/app/traceview

First the program's sample run, for which this file computes the numbers again from the definitions (verl's scripts), in the
plainest way. Then the sample data in $TV_SHARED_DIR or ../shared, if it is present, with the numbers of the original scripts.
"""

import argparse
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import below_shared, shared_sample  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parents[1]
SAMPLE = TESTS.parent / "assets" / "samples" / "rl_run" / "rollout"
TOLERANCE = 1e-9


def report_of(traceview, folder):
    with tempfile.TemporaryDirectory() as out:
        command = [traceview, "report", str(folder), "-o", out, "--like", "verl-scripts", "--format", "svg", "--no-cache"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return json.loads(pathlib.Path(out, "report.json").read_text())


def differences(wanted, found, path=""):
    """What is wanted and missing or not equal. Types are compared; additional members of objects are not."""
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            return [f"{path}: not an object"]
        return [d for key in wanted for d in
                (differences(wanted[key], found[key], f"{path}/{key}") if key in found else [f"{path}/{key}: missing"])]
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(wanted) != len(found):
            return [f"{path}: not {len(wanted)} long"]
        return [d for i, (a, b) in enumerate(zip(wanted, found)) for d in differences(a, b, f"{path}/{i}")]
    if isinstance(wanted, float) and type(found) in (float, int):
        close = math.isclose(wanted, found, rel_tol=TOLERANCE, abs_tol=1e-15)
        return [] if close else [f"{path}: {found}, not {wanted}"]
    return [] if wanted == found and type(wanted) is type(found) else [f"{path}: {found!r}, not {wanted!r}"]


# --- the definitions, plainly ---

def records(path):
    for line in path.read_text().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def quantile(values, percent):
    ordered = sorted(values)
    h = (len(ordered) - 1) * percent / 100
    low = math.floor(h)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (h - low) * (ordered[high] - ordered[low])


def mean(values):
    return math.fsum(values) / len(values)


def expected(folder):
    steps = {int(re.fullmatch(r"step_(\d+)", path.name)[1]): path for path in folder.glob("step_*")}
    logs = {(step, path.name): list(records(path)) for step in sorted(steps) for path in sorted(steps[step].glob("*.jsonl"))}
    done = {step: [r for (s, _), log in logs.items() if s == step for r in log
                   if r["event"] == "async_rollout_request_complete"] for step in sorted(steps)}
    cdf = {}
    for step, requests in [*done.items(), ("all", [r for some in done.values() for r in some])]:
        seconds = [r.get("duration_sec") or 0.0 for r in requests]
        middle = mean(seconds)
        cdf[str(step)] = {"n": len(seconds), "mean": middle, "median": quantile(seconds, 50), "min": min(seconds),
                          "max": max(seconds), "std": math.sqrt(mean([(x - middle) ** 2 for x in seconds]))}
    totals, starts = {}, {}
    for (step, _), log in logs.items():
        last = [r["duration_sec"] for r in log if r["event"] == "total_step_duration"]
        if last:
            totals[step] = max(totals.get(step, 0), last[-1])
        begin = (datetime.datetime.fromisoformat(log[0]["timestamp"])
                 - datetime.timedelta(seconds=log[0].get("duration_sec") or 0))
        starts[step] = min(starts.get(step, begin), begin)
    begins = [starts[step] for step in sorted(starts)]
    turns = {}
    for requests in done.values():
        for timing in (t for r in requests for t in r["extra"]["turn_timings"]):
            turns.setdefault(str(timing["turn"]), []).append(float(timing["engine_call_duration"]))
    workers = {f"step_{step}/{name}": {r["event"]: r["duration_sec"] for r in log
                                      if "extra" not in r and r["event"].endswith("_duration")}
               for (step, name), log in logs.items()}
    shares = {}
    for step in sorted(steps):
        of = lambda event: mean([r["duration_sec"] for (s, _), log in logs.items() if s == step for r in log
                                 if r["event"] == event])
        shares[str(step)] = {"async_generate_duration_pct":
                             of("async_generate_duration") / of("total_step_duration") * 100}
    counts = {}
    for number in sorted({r["extra"]["turns"] for some in done.values() for r in some}):
        counts[str(number)] = [sum(r["extra"]["turns"] == number for r in done[step]) for step in sorted(steps)]
    return {"cdf_per_step": cdf,
            "overview_duration": {"steps": sorted(totals), "max_total": [totals[step] for step in sorted(totals)],
                                  "intervals": [(b - a).total_seconds() for a, b in zip(begins, begins[1:])]},
            "per_step_all_workers": workers,
            "turn_difference": {turn: {"engine_call_duration": mean(values), "n": len(values)}
                                for turn, values in turns.items()},
            "turn_distribution": {"counts": counts},
            "event_persentage_step": shares}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    cases = [(SAMPLE, expected(SAMPLE))]
    for name in ("small", "step32"):
        golden, run = below_shared("reference", "verl", f"{name}_golden.json"), shared_sample(f"verl/constructed/{name}")
        if golden and run:
            cases.append((run, json.loads(golden.read_text())))
    failures = 0
    for folder, wanted in cases:
        wrong = differences(wanted, report_of(options.traceview, folder))
        print(f"{'FAILED' if wrong else 'ok    '} {folder}")
        for line in wrong[:20]:
            print("   ", line)
        failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
