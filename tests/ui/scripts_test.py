#!/usr/bin/env python3
"""Plays every script of tests/ui/scripts on the window without a display; each `expect` must hold. Together the scripts must use every
key and every gesture of the help, and expect their effect."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def play(traceview, script):
    """Returns the script's exit code and messages, and the rows of the help that it used. {temp} stands for a new folder with data/."""
    command = [traceview, "script", "-", "--size", "1280x800"]
    with tempfile.TemporaryDirectory() as temp:
        text = script.read_text()
        if "{temp}" in text:
            shutil.copytree(HERE / "scripts" / "data", pathlib.Path(temp) / "data")
            text = text.replace("{temp}", temp)
        result = subprocess.run(command, cwd=ROOT, input=text + "\ncoverage\n", capture_output=True, text=True, timeout=300)
    lines = result.stdout.splitlines()
    return result.returncode, result.stderr, json.loads(lines[-1]) if lines else {"used": [], "unused": []}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--only", metavar="NAME.script", help="plays only this script, and does not check which rows are used")
    options = parser.parse_args()
    scripts = sorted((HERE / "scripts").glob(options.only or "*.script"))
    assert scripts, "there are no scripts"
    failures, used, rows = 0, set(), set()
    for script in scripts:
        code, messages, coverage = play(options.traceview, script)
        used.update(coverage["used"])
        rows.update(coverage["used"] + coverage["unused"])
        failures += code != 0
        print(f"{'ok    ' if code == 0 else 'FAILED'} {script.name}", flush=True)
        if code != 0:
            print(messages)
    if options.only:
        return 1 if failures else 0
    for row in sorted(rows - used):
        failures += 1
        print(f"FAILED no script uses this and then expects something: {row}")
    assert len(rows) > 80, "the rows of the help could not be read"
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
