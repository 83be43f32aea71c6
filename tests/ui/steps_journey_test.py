#!/usr/bin/env python3
"""A journey through steps that a program marked (M46, M101): numbered NVTX iterations of an export of Nsight Systems are found, N and
the strip go through them, and the GPU's work in each is correct on the command line and has a chart in the window. The export is
made by nsys_steps.py, which also computes the expected numbers, moment by moment."""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import nsys_steps  # noqa: E402

PARTS = {"computing": "computing (ns)", "overlapped": "overlapped (ns)", "exposed": "exposed (ns)", "copies": "copies (ns)",
         "idle": "idle (ns)"}


def run(traceview, *arguments, **more):
    result = subprocess.run([traceview, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)
    assert result.returncode == 0, (arguments, result.stderr, more.get("input"))
    return result.stdout


def same_numbers(traceview, truth):
    rows = list(csv.DictReader(io.StringIO(run(traceview, "stats", truth["file"], "--of", "gpu_steps", "--csv"))))
    assert [row["step"] for row in rows] == [f"iteration {step['step']}" for step in truth["steps"]], rows
    for row, step in zip(rows, truth["steps"]):
        assert int(row["length (ns)"]) == step["length"], (row, step)
        for key, column in PARTS.items():
            assert int(row[column]) == step[key], (key, row, step)
    # Another range, and one step alone.
    inner = list(csv.DictReader(io.StringIO(run(traceview, "stats", truth["file"], "--of", "gpu_steps", "--set", "steps_of=batch",
                                                "--csv"))))
    assert len(inner) == 2 * len(truth["steps"]) and inner[0]["step"].startswith("batch "), inner[0]
    slow = list(csv.DictReader(io.StringIO(run(traceview, "stats", truth["file"], "--of", "gpu_steps", "--step",
                                               f"iteration {truth['slow']}", "--csv"))))
    assert [row["step"] for row in slow] == [f"iteration {truth['slow']}"], slow


def window(traceview, truth):
    """N, Shift+N, a click on a bar, the box of Ctrl+G: all lead to the iteration."""
    begins = {step["step"]: (step["begin"], step["length"]) for step in truth["steps"]}
    first, slow = truth["steps"][0]["step"], truth["slow"]
    # The view is longer than the step by a tenth on both sides, where there is room.
    shows = lambda number: (f"expect view.begin_ns < {begins[number][0] + 1_100_000}\n"
                            f"expect view.span_ns > {begins[number][1]}\nexpect view.span_ns < {1.3 * begins[number][1]:.0f}\n")
    script = f"open {truth['file']}\nsettle\nexpect trace.lost = 0\nexpect steps.unit = iteration\n"
    script += f"expect steps.count = {len(begins)}\nexpect steps.of = \"GPU 5\"\n"
    script += f"press N\nsettle\nexpect steps.step = {first}\n" + shows(first)
    script += f"press N\nsettle\nexpect steps.step = {first + 1}\n" + shows(first + 1)
    script += f"press Shift+N\nsettle\nexpect steps.step = {first}\n" + shows(first)
    script += f"click step {slow}\nsettle\nexpect steps.step = {slow}\n" + shows(slow)
    script += f"go iteration {first + 1}\nsettle\nexpect steps.step = {first + 1}\n" + shows(first + 1)
    script += "click tab gpu_steps\nsettle\nexpect charts.gpu_steps.empty = \"\"\n"
    script += f"expect charts.gpu_steps.steps = {len(begins)}\n"
    script += f"click chart 0 {slow - first} 0.015\nsettle\nexpect steps.step = {slow}\n"
    run(traceview, "script", "-", "--size", "1366x768", input=script)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        truth = nsys_steps.write(str(pathlib.Path(folder, "steps.sqlite")))
        for part in (same_numbers, window):
            part(options.traceview, truth)
            print(f"ok {part.__name__}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
