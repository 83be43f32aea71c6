#!/usr/bin/env python3
"""The commands of README and the manual, run as printed, in a home that has the files they name (the sample, a run of four ranks).
Words in capitals, such as PATH, FILE and NAME, stand for something of the reader's, and are filled in.

    python3 tests/app/manual_commands_test.py --traceview build/traceview [TEST...]
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets/samples/rl_run"
TRACEVIEW = ""
OK, NO_DISPLAY = 0, 6

# What the reader puts in. The longest names come first.
PLACEHOLDERS = {
    "chrome|paddle|perfetto|csv": "chrome", "load|add|frame|query|export": "load", "[--range A..B]": "--range 1s..2s",
    "[--lanes WORDS]": "--lanes rank", "[TOPIC]": "formats", "TOPIC": "formats", "PATH...": "logs/exp", "PATH": "logs/exp",
    "-o FILE.tvx": "-o FILE.tvx", "script FILE": "script keys.script", "--to FORMAT": "--to chrome", "VERB": "stats",
    "TEXT": "step", "NAME": "step", "-o FILE": "-o FILE", "FILE": "FILE", "pack --each R": "pack --each logs/exp",
    "pack --list R": "pack --list logs/exp", "X.tvview": "x.tvview",
}  # fmt: skip
# A sentence may name a verb alone; with more words after it, it is a command.
ONLY_A_VERB = re.compile(r"traceview \w+|traceview pack --each")
# bench takes long, and is run by hand.
LEFT_OUT = re.compile(r"^traceview bench ")


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "assets/manual").glob("*.md"))]


def commands_of(text):
    """Commands that begin with traceview or zcat: lines of code blocks, continued ones joined, and code within sentences."""
    code, block = False, ""
    for line in text.splitlines():
        if line.startswith("```"):
            code, block = not code, ""
        elif code and (block or re.match(r"(traceview|zcat) ", line)):
            block += line.removesuffix("\\")
            if not line.endswith("\\"):
                # An explanation follows after three blanks.
                yield re.split(r" {3,}(?=\S)", block)[0] if " \\" not in block else block
                block = ""
    sentences = re.sub(r"```.*?```", "", text, flags=re.S)
    for found in re.findall(r"`((?:traceview|zcat) [^`]*)`", sentences):
        command = " ".join(found.split()).replace("\\|", "|")
        if not ONLY_A_VERB.fullmatch(command):
            yield command


def filled_in(command):
    for name, text in PLACEHOLDERS.items():
        if name != text and re.search(rf"(?<![\w.-]){re.escape(name)}", command):
            command = command.replace(name, text)
    return command


def rank_trace(rank):
    events = [{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce" if i % 2 else "gemm", "pid": rank, "tid": 7,
               "ts": 1000 * i, "dur": 500, "args": {"stream": 7, "device": rank, "bytes": 2e6}} for i in range(1, 9)]  # fmt: skip
    return json.dumps({"distributedInfo": {"rank": rank, "world_size": 4}, "traceEvents": events})


class ManualCommands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="traceview-manual-"))
        shutil.copytree(SAMPLE, cls.home / "logs/exp")
        run = cls.home / "scratch/run42"
        run.mkdir(parents=True)
        shutil.copytree(SAMPLE, run / "rollout")
        for rank in range(4):
            (run / f"rank_{rank}.json").write_text(rank_trace(rank))
            shutil.copy(run / f"rank_{rank}.json", cls.home)
        (cls.home / "trace.json").write_text(rank_trace(0))
        (cls.home / "trace.json.gz").write_bytes(gzip.compress(rank_trace(0).encode()))
        (cls.home / "rollout").mkdir()
        shutil.copytree(SAMPLE, cls.home / "rollout/run")
        shutil.copy(SAMPLE / "console.log", cls.home / "console.log")
        (cls.home / "keys.script").write_text("wait loaded\n")
        (cls.home / "bin").mkdir()
        (cls.home / "bin/traceview").symlink_to(os.path.abspath(TRACEVIEW))
        cls.environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")} | {
            "HOME": str(cls.home), "PATH": f"{cls.home}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": str(cls.home / "cache"), "TRACEVIEW_CONFIG_DIR": str(cls.home / "config"),
            "TRACEVIEW_STATE_DIR": str(cls.home / "state"),
        }  # fmt: skip
        for made in (["pack", "rank_0.json", "-o", "rank_0.tvx"], ["pack", "rank_1.json", "-o", "rank_1.tvx"]):
            subprocess.run(["traceview", *made], env=cls.environment, cwd=cls.home, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        save = f"open {cls.home}/x.json\npress Ctrl+S\npress Enter\nexpect notes.file ~ x.tvview\n"
        shutil.copy(cls.home / "trace.json", cls.home / "x.json")
        subprocess.run(["traceview", "script", "-"], input=save, text=True, env=cls.environment, check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home, ignore_errors=True)

    def run_command(self, command):
        command = command.replace("/scratch/", f"{self.home}/scratch/").replace("$1", f"{self.home}/scratch/run42")
        return subprocess.run(["bash", "-c", command], env=self.environment, cwd=self.home, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=120)  # fmt: skip

    def test_every_command_runs(self):
        ran = 0
        for page in pages():
            for printed in commands_of(page.read_text()):
                if LEFT_OUT.search(printed):
                    continue
                with self.subTest(page=page.name, command=printed):
                    done = self.run_command(filled_in(printed))
                    opens_window = not re.search(r"\| *traceview|\b(info|stats|find|screenshot|report|export|pack|dump|cache|keys|settings|help|script)\b"
                                                 r"|--diagnose|--help|--version|--without-display", printed)  # fmt: skip
                    self.assertEqual(done.returncode, NO_DISPLAY if opens_window else OK, done.stderr[-600:])
                    ran += 1
        self.assertGreater(ran, 50)

    def test_the_job_script_runs_again(self):
        script = re.search(r"```\n#!/bin/sh\n(.*?)```", (ROOT / "assets/manual/clusters.md").read_text(), re.S)[1]
        for _ in range(2):
            done = self.run_command(script)
            self.assertIn(done.returncode, (OK,), done.stderr[-600:])


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    arguments, rest = parser.parse_known_args()
    TRACEVIEW = arguments.traceview
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
