#!/usr/bin/env python3
"""Compares `traceview report --like verl-scripts` of training logs with what verl's plot_timing_metrics.py computes.

    python3 tests/oracle/training_report_test.py --traceview build/release/app/traceview

The script's way to read logs is written here again from its definition (verl's scripts): a regular expression over every line. It
is compared first on the project's fixtures, then on the sample data in $TV_SHARED_DIR or ../shared, also with what the original
printed, if that is present.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import below_shared, shared_sample  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parents[1]
KEPT = ("timing_s/", "timing_per_token_ms/", "perf/")
PAIR = re.compile(r"([\w/]+):([\d.eE+-]+)")


def report_of(traceview, log, *options):
    with tempfile.TemporaryDirectory() as out:
        command = [traceview, "report", str(log), "-o", out, "--format", "svg", "--no-cache", *options]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        figures = json.loads(pathlib.Path(out, "training.json").read_text())
        summary = pathlib.Path(out, "timing_summary.txt")
        return figures, summary.read_text() if summary.exists() else "", sorted(p.name for p in pathlib.Path(out).iterdir())


def as_script(log):
    """The metrics as the script reads them, but only from lines with metrics: the script also reads texts that look like them."""
    metrics = {}
    for line in log.read_text(errors="replace").splitlines():
        if not re.search(r"\bstep:\d+ - \S+:", line):
            continue
        for name, value in PAIR.findall(line):
            if name.startswith(KEPT):
                metrics.setdefault(name, []).append(float(value))
    return metrics


def summary_of(metrics):
    names = ["timing_s/step", "timing_s/gen", "perf/throughput", "perf/time_per_step"]
    both = "timing_s/update_critic_actor"
    names += [both] if both in metrics else ["timing_s/update_actor", "timing_s/update_critic"]
    rule = "=" * 70
    text = f"{rule}\nTIMING SUMMARY STATISTICS\n{rule}\n"
    for name in names:
        values = metrics.get(name)
        if not values:
            continue
        text += (f"\n{name}:\n  Mean:   {statistics.fmean(values):.4f}\n  Std:    {statistics.pstdev(values):.4f}\n"
                 f"  Min:    {min(values):.4f}\n  Max:    {max(values):.4f}\n  Median: {statistics.median(values):.4f}\n")
    return text + f"\n{rule}\n"


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def check_log(traceview, log):
    wanted = as_script(log)
    figures, text, _ = report_of(traceview, log, "--like", "verl-scripts")
    found = figures[0].get("metrics") or {}
    assert set(found) == set(wanted), (log, set(found) ^ set(wanted))
    for name, values in wanted.items():
        numbers = {"n": len(values), "mean": statistics.fmean(values), "std": statistics.pstdev(values), "min": min(values),
                   "max": max(values), "median": statistics.median(values)}
        for key, value in numbers.items():
            # The deviation of equal numbers is a rounding error.
            assert close(found[name][key], value) or abs(value) < 1e-12, (log, name, key, found[name], value)
    assert text == f"Found {len(wanted)} metrics\n\n{summary_of(wanted)}\n", (log, text)


def check_right_reading(traceview, log):
    """Without --like, numbers that NumPy wrapped are read too, and a repeated step counts once."""
    figures, _, _ = report_of(traceview, log)
    last = {}
    for line in log.read_text().splitlines():
        match = re.search(r"\bstep:(\d+) - (.*)", line)
        if match:
            pairs = dict(pair.rsplit(":", 1) for pair in match[2].split(" - ") if ":" in pair)
            last[int(match[1])] = pairs
    assert figures[0]["steps"] == sorted(last), (figures[0]["steps"], sorted(last))
    compared = 0
    for name, metric in figures[0]["metrics"].items():
        values = [pairs[name] for pairs in last.values() if name in pairs]
        values = [float(re.sub(r"np\.\w+\((.*)\)", r"\1", value.split("\x1b")[0])) for value in values if value]
        values = [value for value in values if not math.isnan(value)]
        if not values:
            continue
        compared += 1
        assert metric["n"] == len(values) and close(metric["mean"], statistics.fmean(values)), (name, metric, values)
    assert compared > 5, compared


def check_samples(traceview):
    data, reference = shared_sample("verl"), below_shared("reference", "verl", "console_2026_originals.txt")
    if not data or not reference:
        return
    for log in sorted((data / "console_logs").glob("*.log")) + sorted((data / "constructed" / "console").glob("*.log")):
        check_log(traceview, log)
        check_right_reading(traceview, log)
        print("   ", log.name)
    printed = reference.read_text()
    block = printed[printed.index("=" * 70):printed.rindex("=" * 70) + 70]
    _, text, files = report_of(traceview, data / "constructed" / "console" / "verl_2026_style.log", "--like", "verl-scripts")
    assert text.startswith("Found 25 metrics\n") and block in text, text
    for chart in ("step_timing_breakdown", "per_token_timing", "throughput", "component_comparison", "generation_timing"):
        assert f"{chart}.svg" in files, files
    # The file logger has the same numbers as the console.
    by_console, _, _ = report_of(traceview, data / "constructed" / "console" / "verl_2026_style.log")
    by_file, _, _ = report_of(traceview, data / "constructed" / "console" / "file_logger.jsonl")
    for name, metric in by_file[0]["metrics"].items():
        other = by_console[0]["metrics"][name]
        assert metric["n"] == other["n"] and (metric["n"] == 0 or close(metric["mean"], other["mean"])), (name, metric, other)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    for log in ("testing_outside.log", "ray.log"):
        check_log(options.traceview, TESTS / "fixtures" / "verl_console" / log)
        print("ok", log)
    check_samples(options.traceview)
    print("ok samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
