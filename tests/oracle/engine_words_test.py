#!/usr/bin/env python3
"""Small results, each checked by hand: the engine's share of a request whose turn takes the same time, steps of inference engines,
the time that no part of a training step accounts for, and what is said about a log without times."""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


def run(traceview, *words):
    done = subprocess.run([traceview, *words, "--no-cache"], capture_output=True, text=True, timeout=300)
    check(f"{' '.join(words)}: exit, {done.stderr[:200]}", done.returncode, 0)
    return done.stdout


def stamp(seconds):
    return f"2026-01-05T08:00:{seconds:09.6f}"


def check_engine(traceview, folder):
    """turn_end and the only event within it cover the same time: in either order, and with stamps that differ by microseconds."""
    number = 0
    for order, late, inner in itertools.product(range(2), (0, 3e-6, -3e-6), ("turn_engine_call", "tool_execution")):
        number += 1
        request = f"0a1b2c3d-1111-4111-8111-{number:012}"
        about = {"request_id": request, "turn": 0}

        def line(event, end, length, extra):
            return {"timestamp": stamp(end), "event": event, "duration_sec": length, "extra": extra, "workid": 0, "step": 1}

        same = [line(inner, 11.0, 8.0, about), line("turn_end", 11.0 + late, 8.0 + late, about)]
        lines = [line("turn_pre_process", 3.0, 1.0, about), *(same if order == 0 else same[::-1]),
                 line("turn_post_process", 12.0, 1.0, about),
                 line("async_rollout_request_complete", 12.0, 10.0, {"request_id": request, "turns": 1, "response_tokens": 10})]  # fmt: skip
        path = pathlib.Path(folder, f"run{number}", "step_1", "worker_0.jsonl")
        path.parent.mkdir(parents=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in lines))
        text = run(traceview, "stats", str(path.parents[1]), "--of", "requests", "--json")
        shares = json.loads(text)
        wanted = "engine" if inner == "turn_engine_call" else "tool"
        check(f"order {order}, late by {late}: {inner}", share_of(shares, wanted), 80)


def share_of(charts, phase):
    """The phase's share of the first request in the table of shares, in whole percent."""
    for chart in charts if isinstance(charts, list) else charts.get("charts", []):
        for row in chart.get("rows") or chart.get("table", {}).get("rows", []):
            for key, value in row.items():
                if key.startswith(phase) and "%" in key:
                    return round(float(str(value).split()[0]))
    return None


def check_steps(traceview, folder):
    for name, words in (("sglang", ("step[EXTEND bs=2 toks=1024]", "step[DECODE bs=64]")),
                        ("vllm", ("execute_context_1(512)_generation_63(63)", "execute_context_0(0)_generation_64(64)"))):  # fmt: skip
        events = []
        for step in range(30):
            at, word = 1000 * step, words[step % 3 != 0]
            events.append({"ph": "X", "cat": "user_annotation", "name": word, "pid": 90, "tid": 90, "ts": at, "dur": 900})
            events.append({"ph": "X", "cat": "gpu_user_annotation", "name": word, "pid": 0, "tid": 7, "ts": at + 50, "dur": 700})
            events.append({"ph": "X", "cat": "kernel", "name": "nvjet", "pid": 0, "tid": 7, "ts": at + 50, "dur": 600})
        events.append({"ph": "X", "cat": "python_function", "name": "step[0]", "pid": 90, "tid": 90, "ts": 40_000, "dur": 5})
        path = pathlib.Path(folder, f"{name}.json")
        path.write_text(json.dumps(events))
        text = run(traceview, "stats", str(path), "--of", "gpu_steps")
        rows = [text_line for text_line in text.splitlines() if text_line.strip().startswith(tuple(words))]
        check(f"{name}: steps", len(rows), 30)
        check(f"{name}: busy", all("66.7" in row for row in rows), True)


def check_training(traceview, folder):
    path = pathlib.Path(folder, "verl.log")
    parts, whole = {"gen": 0.1, "update_actor": 0.2}, 0.3
    path.write_text("".join(
        f"step:{step} - " + " - ".join(f"timing_s/{name}:{value}" for name, value in parts.items()) + f" - timing_s/step:{whole}\n"
        for step in range(1, 5)))  # fmt: skip
    check("verl: the parts are off by rounding alone", 0 < abs(whole - sum(parts.values())) < 1e-12, True)
    table = json.loads(run(traceview, "stats", str(path), "--of", "training_steps", "--json"))[0]["rows"]
    check("verl: rounding is no time", [row["unaccounted (s)"] for row in table], [0.0] * 4)
    path = pathlib.Path(folder, "megatron.log")
    path.write_text("".join(
        f" iteration {step:8}/    1000 | consumed samples: {1024 * step:12} | elapsed time per iteration (ms): 1449.6 | "
        "learning rate: 1.875E-05 | global batch size:  1024 | lm loss: 1.100E+01 |\n" for step in range(1, 5)))  # fmt: skip
    said = run(traceview, "info", str(path))
    check("megatron: an iteration", "does not say when an iteration ran" in said, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:
        check_engine(traceview, folder)
        check_steps(traceview, folder)
        check_training(traceview, folder)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
