#!/usr/bin/env python3
"""Everything in less room than it needs: the column of names, the drawer, the side, halves and two timelines are dragged to their ends
in small steps, and every panel and box is drawn in windows down to one pixel, at half to three times the scale. Nothing may end the
program or fail an assert of ImGui, and the program starts again with the sizes that were dragged last.

    python3 tests/ui/narrow_test.py --traceview build/release/app/traceview [--scales 0.5,1,2,3]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from panels import all_panels  # noqa: E402

PANELS = []  # of the program under test
BOXES = ["Ctrl+O", "Ctrl+E", "Ctrl+Shift+P", "Ctrl+G", "Ctrl+P", "?", "F1", "/", "Ctrl+F", "Ctrl+M", "F12"]
SMALL = [(400, 700), (311, 480), (256, 300), (170, 220), (101, 160), (60, 90), (31, 33), (7, 400), (400, 7), (1, 1)]


def edges(scale):
    """Drags all edges from one end to the other and back; with an area, its boxes take some of the names' room."""
    yield f"window 1280 800 {scale}"
    yield "press 0"
    yield from ["move 0.2 0.2", "drag 0.6 0.9"]
    for step in [-0.004] * 60 + [-0.5, 0.9, -0.9, 0.3, -0.001]:
        yield from ["move 0.0 0.5", f"try drag {step} 0.5"]
    yield "press Esc"
    yield from ["move 0.0 0.5", "try drag -0.9 0.5", "press C", "press Shift+C"]
    for edge, ends in (("drawer", [(0.5, y / 20) for y in range(-10, 60, 5)]), ("side", [(x / 50, 0.5) for x in range(60, -10, -3)]),
                       ("halves", [(x / 20, 0.8) for x in range(-2, 24, 2)])):  # fmt: skip
        for x, y in ends:
            yield from [f"try move panel edge {edge}", f"try drag {x:.3f} {y:.3f}"]
    yield "press V"
    for y in [0.0, 0.1, 0.9, 2.0, -1.0]:
        yield from ["try move split edge", f"try drag 0.8 {y}"]
    yield "press V"


def panels(scale):
    yield f"window 1280 800 {scale}"
    for panel in PANELS:
        yield f"try click tab {panel}"
        for width, height in SMALL[:: 3]:
            yield from [f"window {width} {height} {scale}", "frames 2", "move 0.5 1.3", "wheel -2"]
        yield f"window 1280 800 {scale}"


def boxes(scale):
    for chord in BOXES:
        yield from [f"window 1280 800 {scale}", f'press "{chord}"', "frames 2"]
        if chord not in ("?", "F1", "F12"):
            yield "type a"
        for width, height in SMALL:
            yield from [f"window {width} {height} {scale}", "frames 2"]
        yield from [f"window 1280 800 {scale}", "press Esc", "press Esc", "press Esc"]


def own_folders(folder):
    return os.environ | {f"TRACEVIEW_{kind}_DIR": os.path.join(folder, kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}


def play(traceview, lines, folder, settings):
    done = subprocess.run([traceview, "script", "-", "--size", "1280x800", "--settings", settings], cwd=folder, env=own_folders(folder), text=True,
                          input="\n".join(lines) + "\n", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900, check=False)  # fmt: skip
    return "" if done.returncode == 0 else f"exit {done.returncode}\n{done.stderr[-4000:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--scales", default="1,3" if os.environ.get("TV_SANITIZED") else "0.5,1,1.7,3")
    options = parser.parse_args()
    traceview = os.path.abspath(options.traceview)
    opens = [f"open {ROOT / 'assets/samples/rl_run'}", f"open {ROOT / 'tests/ui/scripts/data/keys.json'}"]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        settings = os.path.join(folder, "kept")
        PANELS.extend(all_panels(traceview, own_folders(folder)))
        for scale in options.scales.split(","):
            for opened in opens:
                for part in (edges, panels, boxes):
                    if opened == opens[1] and part == boxes:
                        continue
                    if said := play(traceview, [opened, "press E", *part(scale)], folder, settings):
                        print(f"FAILED: {part.__name__} at {scale}, {opened}: {said}")
                        wrong += 1
            # The next start has the sizes that were dragged to their ends and stored.
            if said := play(traceview, [opens[0], "move 0.2 0.2", "drag 0.6 0.9", "frames 3"], folder, settings):
                print(f"FAILED: the next start: {said}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
