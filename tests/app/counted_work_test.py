#!/usr/bin/env python3
"""How many instructions the release build takes per slice and per line of fixed inputs, within 2 % of tests/app/counted_work.json:
so a commit that costs a few per cent is noticed, which times on a busy machine cannot show. valgrind counts. Each figure is the
difference between an input and one twice as large, so that starting the program does not count.

    python3 tests/app/counted_work_test.py --traceview build/ci/app/traceview [TEST...]      TV_UPDATE_GOLDEN=1 writes the figures

Figures hold for one compiler, instruction set and version of simdjson. With others, and without optimisation, the test is skipped.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from skips import case_needs, skip_case  # noqa: E402

GOLDEN = ROOT / "tests/app/counted_work.json"
SAMPLE = ROOT / "assets/samples/rl_run"
TRACEVIEW = ""
ROOM = 0.02


def kineto(path, launches):
    """A thread that launches kernels from within operators, as the PyTorch profiler writes it.

    A launch has four slices and an arrow. Returns the number of slices."""
    out = ['{\n  "schemaVersion": 1,\n  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},\n  "traceEvents": [\n']
    for i in range(launches):
        at = 1_000_000 + i * 100
        shapes = f"[[{i % 64 + 1}, 1024], [1024, 2816]]"
        rows = [
            ("cpu_op", f"aten::op_{i % 50}", 41, 41, at, 80.5, f'"External id": {i}, "Sequence number": {i}, "Input Dims": {shapes}'),
            ("cpu_op", f"aten::inner_{i % 20}", 41, 41, at + 5.25, 60, f'"External id": {i}, "Input Dims": {shapes}'),
            ("cuda_runtime", "cudaLaunchKernel", 41, 41, at + 20, 8.125, f'"cbid": 211, "correlation": {i + 1}'),
            ("kernel", f"void gemm_{i % 30}<float, {i % 7}>(float*)", 0, 7, at + 40, 55.75,
             f'"correlation": {i + 1}, "device": 0, "stream": 7, "grid": [16, {i % 9 + 1}, 1], "block": [128, 1, 1]'),
        ]  # fmt: skip
        for category, name, pid, tid, ts, dur, args in rows:
            out.append(f'  {{\n    "ph": "X", "cat": "{category}", "name": "{name}", "pid": {pid}, "tid": {tid},\n'
                       f'    "ts": {ts:.3f}, "dur": {dur:.3f},\n    "args": {{\n      {args}\n    }}\n  }},\n')  # fmt: skip
        for phase, pid, tid, ts in (("s", 41, 41, at + 20), ("f", 0, 7, at + 40)):
            bound = ', "bp": "e"' if phase == "f" else ""
            out.append(f'  {{\n    "ph": "{phase}", "id": {i + 1}, "pid": {pid}, "tid": {tid}, "ts": {ts:.3f},\n'
                       f'    "cat": "ac2g", "name": "ac2g"{bound}\n  }},\n')  # fmt: skip
    out.append('  {"ph": "M", "name": "process_name", "pid": 41, "args": {"name": "python"}}\n]}\n')
    path.write_text("".join(out))
    return 4 * launches


def rollout(path, steps):
    """The sample's second step, once a day. Returns the number of lines."""
    lines = 0
    for step in range(1, steps + 1):
        folder = path / f"step_{step}"
        folder.mkdir(parents=True)
        for file in sorted((SAMPLE / "rollout/step_2").glob("worker_*.jsonl")):
            text = re.sub(r"(\d{4}-\d\d)-\d\dT", rf"\1-{step:02}T", file.read_text())
            text = re.sub(r'"step": \d+', f'"step": {step}', text)
            (folder / file.name).write_text(text)
            lines += text.count("\n")
    return lines


# What is counted: the function that writes the input, its smaller size, and the verb.
WORK = {
    "read, build and index, per slice": (kineto, 3000, ["info"]),
    "with statistics, per slice": (kineto, 3000, ["stats"]),
    "with what the GPUs did, per slice": (kineto, 3000, ["stats", "--of", "gpus"]),
    "read, build and index, per line of a rollout": (rollout, 6, ["info"]),
}


def build():
    """Compiler, instruction set and the library that does most of the parsing: the figures depend on them."""
    said = subprocess.run([TRACEVIEW, "--version"], capture_output=True, text=True, check=True).stdout
    return ", ".join(re.search(r"built with (.*)|$", said).groups() + re.search(r"(simdjson [\d.]+)|$", said).groups())


class CountedWork(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="traceview-work-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def instructions(self, words, path):
        out = self.folder / "counts"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", TRACEVIEW, *words, "--no-cache", "--threads", "1", path]
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return int(re.search(r"Collected : (\d+)", done.stderr)[1])

    def per_item(self, make, size, words):
        counts, items = [], []
        for times in (1, 2):
            path = self.folder / f"{make.__name__}_{times}"
            if not path.exists():
                items.append(make(path, size * times))
                (self.folder / f"{path.name}.items").write_text(str(items[-1]))
            else:
                items.append(int((self.folder / f"{path.name}.items").read_text()))
            counts.append(self.instructions(words, path))
        return (counts[1] - counts[0]) / (items[1] - items[0])

    def test_no_more_than_it_was(self):
        case_needs(self, "valgrind")
        if os.environ.get("TV_BUILD_TYPE", "Release") != "Release":
            skip_case(self, "work is counted in the release build")
        which = build()
        golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
        found = {name: round(self.per_item(*work)) for name, work in WORK.items()}
        print(json.dumps({which: found}, indent=1))
        if os.environ.get("TV_UPDATE_GOLDEN"):
            GOLDEN.write_text(json.dumps(golden | {which: found}, indent=1) + "\n")
            return
        if which not in golden:
            skip_case(self, f"no figures of {which}")
        for name, count in found.items():
            with self.subTest(name):
                self.assertLessEqual(count, golden[which][name] * (1 + ROOM), "more work than before: find out why, or say why and update")
                self.assertGreaterEqual(count, golden[which][name] * (1 - ROOM), "less work than before: keep it, with TV_UPDATE_GOLDEN=1")


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    arguments, rest = parser.parse_known_args()
    TRACEVIEW = arguments.traceview
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
