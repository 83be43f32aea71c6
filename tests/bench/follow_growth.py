#!/usr/bin/env python3
"""Measures how a growing run is followed: how long after its last line a step is shown, and the memory and processor time it takes.

    python3 tests/bench/follow_growth.py --traceview build/release/app/traceview --steps 240 --step-seconds 1 --workers 8

A rollout grows in a folder that is open in a window without a display, at sixty frames a second. --begin-with N steps are there
before it is opened, and the others follow. Each step's files are written in pieces, which may end within a line. The time of the last
piece is noted, and the step is shown when a frame has all its requests. With --mounted FOLDER MOUNT the run is written to FOLDER and
followed in MOUNT, where a network file system shows FOLDER and reports no changes. Anonymous memory is that of the process, as the
kernel reports it. Prints a table, or JSON with --json."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ui"))
import rollout_journeys_test

PIECES = 5  # writes of each file of a step


def kernel_says(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def grow(whole, run, options, written, stop):
    """Writes step after step. `written`, by step: when its last line was written, and how many bytes were written by then."""
    total = 0
    for step in range(options.begin_with + 1, options.steps + 1):
        begin = time.time()
        texts = {name: name.read_bytes() for name in sorted((whole / f"step_{step}").iterdir())}
        for piece in range(PIECES):
            for name, text in texts.items():
                path = run / f"step_{step}" / name.name
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(path, "ab") as out:
                    out.write(text[len(text) * piece // PIECES:len(text) * (piece + 1) // PIECES])
            if piece == PIECES - 1:
                total += sum(map(len, texts.values()))
                written[step] = (time.time(), total)
            if stop.wait(max(0.0, begin + (piece + 1) * options.step_seconds / PIECES - time.time())):
                return


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--step-seconds", type=float, default=1)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--begin-with", type=int, default=1)
    parser.add_argument("--requests", type=int, default=24, help="requests of each worker in each step")
    parser.add_argument("--whole", type=pathlib.Path, help="a folder for the run's files, which are used again if it exists")
    parser.add_argument("--mounted", nargs=2, metavar=("FOLDER", "MOUNT"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="traceview-growth-") as folder:
        whole = options.whole or pathlib.Path(folder, "whole")
        run = pathlib.Path(options.mounted[0] if options.mounted else folder, "run")
        followed = pathlib.Path(options.mounted[1], "run") if options.mounted else run
        rollout_journeys_test.REQUESTS = options.requests
        if not whole.exists():
            rollout_journeys_test.Log(steps=options.steps, workers=options.workers).write(whole)
        for step in range(1, options.begin_with + 1):
            shutil.copytree(whole / f"step_{step}", run / f"step_{step}")
        seconds = (options.steps - options.begin_with) * options.step_seconds + 20
        program = subprocess.Popen([options.traceview, "script", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=os.environ | {"TRACEVIEW_CACHE_DIR": f"{folder}/cache", "HOME": folder})
        program.stdin.write(f"open {followed}\npress Shift+F5\ncatch_up\nlive {seconds}\n")
        program.stdin.close()
        written, shown, memory, stop = {}, {}, [], threading.Event()
        writer = threading.Thread(target=grow, args=(whole, run, options, written, stop))
        begin = None
        for line in program.stdout:
            state = json.loads(line)
            if begin is None:
                begin, used = time.time(), processor_seconds(program.pid)
                writer.start()
            for step in range(1, state["steps"] + 1):
                if state["requests"] >= step * options.workers * options.requests:
                    shown.setdefault(step, state["at_s"])
            memory.append((time.time() - begin, kernel_says(program.pid, "RssAnon"), state["slices"], max(written.values(), default=(0, 0))[1]))
            if state["steps"] == options.steps and options.steps in shown:
                break
        used = processor_seconds(program.pid) - used
        lasted = time.time() - begin
        stop.set()
        program.kill()
        writer.join()
        late = [shown[step] - written[step][0] for step in written if step in shown]
        result = {"steps": len(written), "shown": len(late), "latency_s": {"median": part(late, 0.5), "p90": part(late, 0.9), "most": max(late, default=0)},
                  "processor_share": used / lasted, "pictures": len(memory), "last_pictures_a_second": len([m for m in memory if m[0] > lasted - 30]) / 30,
                  "memory_mb": [{"s": round(m[0]), "anonymous_mb": round(m[1], 1), "slices": m[2], "data_mb": round(m[3] / 1e6, 1)}
                                for m in memory[::max(1, len(memory) // 12)] + memory[-1:]]}
        if options.json:
            print(json.dumps(result, indent=1))
            return
        print(f"{result['shown']} of {result['steps']} steps shown; after their last line: median {part(late, 0.5):.2f} s, nine tenths within "
              f"{part(late, 0.9):.2f} s, at most {max(late, default=0):.2f} s")
        for tenth in range(0, 10, 3):
            some = late[len(late) * tenth // 10:len(late) * (tenth + 3) // 10]
            print(f"  steps from {len(late) * tenth // 10 + options.begin_with + 1}: median {part(some, 0.5):.2f} s, at most {max(some, default=0):.2f} s")
        print(f"processor time {100 * used / lasted:.0f} % of a core, {len(memory)} pictures in {lasted:.0f} s")
        for m in result["memory_mb"]:
            print(f"  {m['s']:4} s  {m['anonymous_mb']:7} MB anonymous  {m['slices']:8} slices  {m['data_mb']:6} MB of logs")


if __name__ == "__main__":
    main()
