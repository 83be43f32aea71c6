#!/usr/bin/env python3
"""Random keys, clicks, drags, wheel and text on the window without a display: nothing may crash, hang or be complained about by a
sanitizer. A short run is a test; `--minutes 30` with a build of the `asan` preset is how long it is left alone before a release:

    tests/ui/random_input_test.py --traceview build/asan/app/traceview --minutes 30 PATH...
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

LETTERS = [chr(c) for c in range(ord("A"), ord("Z") + 1)]
KEYS = LETTERS + list("0123456789") + ["F1", "F3", "F5", "F9", "F10", "F11", "Left", "Right", "Up", "Down", "Home", "End", "Page Up",
                                       "Page Down", "Enter", "Esc", "Space", "Tab", "Backspace", "Delete", ",", ".", "/", "-", "=",
                                       "[", "]", "?", ":"]
MODIFIERS = ["", "", "", "", "Ctrl+", "Shift+", "Alt+", "Ctrl+Shift+"]
TEXTS = ["a", "step 2", "gemm", "[", "(", "dur>1ms", "rank 0..3 !cpu", "/re.*g/", "漢字", "ひらがな", "1e309", "-1", "%s%n", "x" * 300]
LEAVES = {"Ctrl+Q"}  # ends the window, and with it the run


def lines(rng, count, paths):
    """A script of `count` things that a cat on the keyboard and a hand on the mouse do. Places reach beyond the lanes, to all panels."""
    for _ in range(count):
        place = f"{rng.uniform(-0.15, 1.02):.3f} {rng.uniform(-0.3, 2.4):.3f}"
        kind = rng.random()
        if kind < 0.45:
            chord = rng.choice(MODIFIERS) + rng.choice(KEYS)
            if chord not in LEAVES:
                yield f'press "{chord}"'
        elif kind < 0.50:
            yield f"hold {rng.choice('WASD')} {rng.randint(1, 20)}"
        elif kind < 0.70:
            yield f"{rng.choice(['click', 'click', 'click', 'doubleclick', 'rightclick', 'middleclick', 'move'])} {place}"
        elif kind < 0.82:
            yield f"move {place}"
            held = rng.choice(["", "", "Ctrl", "Shift", "Alt"])
            if held:
                yield f"down {held}"
            yield f"{rng.choice(['drag', 'drag', 'rightdrag', 'middledrag'])} {rng.uniform(-0.15, 1.02):.3f} {rng.uniform(-0.3, 2.4):.3f}"
            if held:
                yield f"up {held}"
        elif kind < 0.92:
            yield f"move {place}"
            yield f"wheel {rng.randint(-5, 5)} {rng.randint(-2, 2)}"
        elif kind < 0.96:
            yield f"press {rng.choice(['/', 'Ctrl+F', ':', 'Ctrl+Shift+P', 'Ctrl+P'])}"
            yield f"type {rng.choice(TEXTS).replace(' ', '_')}"
            yield f"press {rng.choice(['Enter', 'Esc', 'Tab'])}"
        elif kind < 0.98:
            yield f"{rng.choice(['open', 'add'])} {rng.choice(paths)}"
        else:
            yield f"frames {rng.randint(1, 30)}"


def copied(path, folder):
    """What is pressed may save beside what is open: nobody's own files are worked on."""
    copy = os.path.join(folder, os.path.basename(path))
    shutil.copytree(path, copy) if os.path.isdir(path) else shutil.copy(path, copy)
    return copy


def play(traceview, script, folder, timeout):
    environment = os.environ | {f"TRACEVIEW_{kind}_DIR": os.path.join(folder, kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
    command = [traceview, "script", "-", "--size", "1100x700"]
    return subprocess.run(command, cwd=folder, env=environment, input="\n".join(script) + "\n", capture_output=True, text=True,
                          timeout=timeout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randint(0, 2**32), help="of the first round")
    parser.add_argument("--lines", type=int, default=150, help="in a round")
    parser.add_argument("--minutes", type=float, default=0, help="more rounds until then")
    parser.add_argument("paths", nargs="*", default=[str(HERE / "scripts/data/keys.json"), str(ROOT / "tests/fixtures")])
    options = parser.parse_args()
    traceview = os.path.abspath(options.traceview)
    paths = [os.path.abspath(path) for path in options.paths]
    end, seed, rounds = time.monotonic() + 60 * options.minutes, options.seed, 0
    while rounds == 0 or time.monotonic() < end:
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            copies = [copied(path, folder) for path in paths]
            script = [f"open {copies[seed % len(copies)]}"] + list(lines(rng, options.lines, copies))
            try:
                result = play(traceview, script, folder, timeout=600)
                wrong = result.stderr[-6000:] if result.returncode != 0 else ""
            except subprocess.TimeoutExpired:
                wrong = "it hangs"
        if wrong:
            kept = f"random_input_{seed}.script"
            pathlib.Path(kept).write_text("\n".join(script) + "\n")
            print(f"FAILED with --seed {seed} --lines {options.lines}, kept as {kept}\n{wrong}")
            return 1
        rounds += 1
        seed += 1
    print(f"{rounds} rounds of {options.lines} lines, seeds {options.seed} to {seed - 1}: nothing to complain about")
    return 0


if __name__ == "__main__":
    sys.exit(main())
