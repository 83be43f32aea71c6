"""The ids of the side panels, as the program lists them for runs that together have data for each panel."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def all_panels(traceview, environment):
    run = subprocess.run([traceview, "screenshot", ROOT / "tests/fixtures", ROOT / "assets/samples/rl_run", "--panel", "?", "-o", "none.png"],
                         env=environment, capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    listed = re.search(r"there are: (.*)\)", run.stderr)
    if not listed:
        raise AssertionError(f"no list of panels: exit {run.returncode}\n{run.stderr[-2000:]}")
    return listed[1].split(", ")
