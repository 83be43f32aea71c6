#!/usr/bin/env python3
"""Plays every script of tests/ui/scripts on the window without a display; each line must hold."""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def play(traceview, script):
    command = [traceview, "script", str(script), "--size", "1280x800"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return result.returncode, result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    scripts = sorted((HERE / "scripts").glob("*.script"))
    assert scripts, "there are no scripts"
    failures = 0
    for script in scripts:
        code, messages = play(options.traceview, script)
        failures += code != 0
        print(f"{'ok    ' if code == 0 else 'FAILED'} {script.name}")
        if code != 0:
            print(messages)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
