#!/usr/bin/env python3
"""Random keys, clicks, drags, wheel and text on the window without a display: the program may not crash or hang, and no sanitizer may
complain. A short run is a test; before a release it runs for half an hour with a build of the `asan` preset:

    tests/ui/random_input_test.py --traceview build/asan/app/traceview --minutes 30 PATH...

`--day` stands for a day of work in one program, with an action every two seconds for eight hours, and watches its memory: the last
quarter of the day may not need more than the second.

    tests/ui/random_input_test.py --traceview build/release/app/traceview --day PATH...
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))
from panels import all_panels  # noqa: E402

PANELS = []  # of the program under test

LETTERS = [chr(c) for c in range(ord("A"), ord("Z") + 1)]
KEYS = LETTERS + list("0123456789") + ["F1", "F3", "F5", "F9", "F10", "F11", "F12", "Left", "Right", "Up", "Down", "Home", "End",
                                       "Page Up", "Page Down", "Enter", "Esc", "Space", "Tab", "Backspace", "Delete", ",", ".", "/",
                                       "-", "=", "[", "]", "?", ":"]  # fmt: skip
MODIFIERS = ["", "", "", "", "Ctrl+", "Shift+", "Alt+", "Ctrl+Shift+"]
TEXTS = ["a", "step 2", "gemm", "[", "(", "dur>1ms", "rank 0..3 !cpu", "/re.*g/", "漢字", "ひらがな", "한글", "👍\u0301", "1e309", "-1",
         "%s%n", "x" * 300, "dur>p95 && tool_s>0", "inside(x,", "99999999999999999999", "-0", "nan", "../..", "/", "~", "\u202e"]  # fmt: skip
WORDS = ["theme", "light", "dark", "scale", "text", "panel", "close", "reset", "layout", "export", "svg", "picture", "copy", "save",
         "note", "mark", "span", "tab", "search", "clear", "sort", "lane", "hide", "pin", "colour", "blind", "reload", "about",
         "clocks", "recent", "reopen", "help", "go", "overview", "step", "turn", "side", "half", "window", "csv", "json"]  # fmt: skip
DAY_LINES = 8 * 3600 // 2
MEMORY_SLACK_MB = 20
LEAVES = {"Ctrl+Q"}  # ends the window, and with it the run


def place(rng):
    """A place in the lanes or far outside of them, on any panel."""
    return f"{rng.uniform(-0.15, 1.02):.3f} {rng.uniform(-0.3, 2.4):.3f}"


def keys(rng, _paths):
    chord = rng.choice(MODIFIERS) + rng.choice(KEYS)
    if chord not in LEAVES:
        yield f'press "{chord}"'


def clicks(rng, _paths):
    yield f"{rng.choice(['click', 'click', 'click', 'doubleclick', 'rightclick', 'middleclick', 'mouse4', 'move'])} {place(rng)}"


def drags(rng, _paths):
    held = rng.choice(["", "", "Ctrl", "Shift", "Alt"])
    yield f"move {place(rng)}"
    if held:
        yield f"down {held}"
    yield f"{rng.choice(['drag', 'drag', 'rightdrag', 'middledrag'])} {place(rng)}"
    if held:
        yield f"up {held}"


def wheels(rng, _paths):
    yield f"move {place(rng)}"
    yield f"wheel {rng.randint(-5, 5)} {rng.randint(-2, 2)}"


def typed(rng, _paths):
    yield f"press {rng.choice(['/', 'Ctrl+F', ':', 'Ctrl+G', 'Ctrl+P', 'Ctrl+M', 'Shift+M', 'Ctrl+O', 'Ctrl+E'])}"
    yield f"type {rng.choice(TEXTS).replace(' ', '_')}"
    yield f"press {rng.choice(['Enter', 'Enter', 'Shift+Enter', 'Esc', 'Tab', 'Down'])}"


def commands(rng, _paths):
    """Commands of the command box: the first ones for a word or two."""
    yield "press Ctrl+Shift+P"
    yield f"type {rng.choice(WORDS)}{rng.choice(['', rng.choice(WORDS)])}"
    yield from ["press Down"] * rng.randint(0, 4)
    yield "press Enter"


def panels(rng, _paths):
    panel, n = rng.choice(PANELS), rng.randint(0, 6)
    yield "try " + rng.choice([
        f"click tab {panel}", f"click tab {panel}", f"click panel menu {panel}", f"click panel close {panel}", "click panel more",
        f"click panel group {rng.choice(['Rollout', 'Training', 'Pipeline', 'GPU', 'Trace'])}",
        f"move panel edge {rng.choice(['drawer', 'halves', 'side'])}", f"click chart {n % 3} {rng.random():.2f} {rng.random():.2f}",
        f"move chart {n % 3} {rng.random():.2f} {rng.random():.2f}", f"click notes row {n}", f"click notes name {n}", f"click stats row {n}",
        f"click stats {rng.choice(['name', 'total', 'p99', 'columns', 'by', 'where', 'copy'])}", f"click clocks {n}", f"click step {n}",
        f"click chip_x {n}", f"click view_tab {n} x", f"click view_tab {n}", f"click name {n}", "click minimap begin", "click ruler 0.5",
    ])  # fmt: skip
    yield f"{rng.choice(['click', 'drag', 'rightclick'])} {place(rng)}"


def ways_to_look(rng, _paths):
    yield rng.choice([
        f"sort {rng.choice(['name', 'start', 'busy', 'tail', 'wait', 'none'])}",
        f"colour {rng.choice(['name', 'category', 'phase', 'turn', 'worker', 'status', 'duration'])}",
        f"order {rng.choice(['busy', 'tail', 'tokens', 'wait', 'requests', 'tokens_per_second', 'none'])}", "times",
        f"lanes {rng.choice(['', 'rank', 'worker 0', 'gpu', '漢', '!', 'nothing has this'])}",
        f"try filter {rng.choice(['turns>=2', 'dur>p95', 'dur>', 'worker==0 && dur<1s', '漢字', 'x' * 200])}",
        f"try go {rng.choice(['1s', '50%', '12:00:00', 'step 2', '-1', '1e300', '漢', ''])}",
    ])  # fmt: skip


def two_timelines(rng, _paths):
    """Opens the split or chooses a half, so that the other actions happen in both halves."""
    yield rng.choice(["press V", "try half lower", "try half upper"])
    what = rng.choice(["lanes", "step", "next", "previous", "align"])
    yield f"try click split {rng.choice(['upper', 'lower'])} {what}"
    if what in ("lanes", "step", "align"):
        yield f"try click split item {rng.choice(['All', 'step', 'Profiler', 'Aligned at', 'Aligned as', 'rank', 'worker'])}"
    yield f"try {rng.choice(['move', 'drag', 'click'])} {rng.choice(['split edge', place(rng)])}"


def opened(rng, paths):
    how = rng.choice(["open", "open", "add", "open_tab"])
    if how == "open_tab":  # closes some tabs first, because open traces take memory
        yield from [f"try click view_tab {rng.randint(0, 3)} x"] * 3
    yield f"{how} {rng.choice(paths)}"


def dropped(rng, paths):
    """Drops on a target, outside of all, or without a hover; files that exist and files that do not."""
    if rng.random() < 0.7:
        yield f"hover {rng.uniform(-0.1, 1.1):.2f} {rng.uniform(-0.1, 1.1):.2f}"
    if rng.random() < 0.2:
        yield "hover away"
    gone = rng.choice(["no_such_file.json", "file://elsewhere/a.json", "file:///%zz", "https://example.org/a", ""])
    yield f'drop {rng.choice([rng.choice(paths), rng.choice(paths), f"{rng.choice(paths)} {rng.choice(paths)}", gone])}'
    yield f"press {rng.choice(['Enter', 'Esc', 'Up', 'Down'])}"


def other_window(rng, _paths):
    yield f"window {rng.choice([1, 320, 640, 1100, 1366, 2560])} {rng.choice([1, 200, 400, 700, 768, 1300])} {rng.choice([0.75, 1, 1, 1.5, 2])}"


def time_passes(rng, _paths):
    yield f"frames {rng.randint(1, 30)}"


def drawn(rng, _paths):
    yield f"{rng.choice(['screenshot shot.png', 'screenshot shot.png', 'try screenshot shot.svg'])}"


WHAT = [(keys, 40), (clicks, 18), (drags, 11), (wheels, 9), (typed, 6), (commands, 6), (panels, 14), (ways_to_look, 4), (two_timelines, 6), (opened, 2),
        (dropped, 2), (other_window, 2), (time_passes, 3), (drawn, 2),
        (lambda rng, _: [f"hold {rng.choice('WASD')} {rng.randint(1, 20)}"], 4)]  # fmt: skip


def lines(rng, count, paths):
    """A script of `count` random actions with keyboard and mouse."""
    for what in rng.choices([what for what, _ in WHAT], [share for _, share in WHAT], k=count):
        yield from what(rng, paths)


def copied(path, folder, rng):
    """Random keys may save files next to the open ones, so the test works on copies. For a file there is also a broken copy."""
    copy = os.path.join(folder, os.path.basename(path))
    if os.path.isdir(path):
        shutil.copytree(path, copy)
        return [copy]
    shutil.copy(path, copy)
    data = bytearray(pathlib.Path(copy).read_bytes())
    if rng.random() < 0.5:
        del data[rng.randrange(len(data) + 1):]
    for _ in range(rng.randrange(30) if data else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    broken = os.path.join(folder, "破損_" + os.path.basename(path))
    pathlib.Path(broken).write_bytes(data)
    return [copy, broken]


class Memory:
    """The memory of a process in MB, read twice a second until the process ends."""

    def __init__(self, process):
        self.held, self.process = [], process
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        while self.process.poll() is None:
            try:
                pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                break
            self.held.append(pages * os.sysconf("SC_PAGESIZE") / 1e6)
            time.sleep(0.5)

    def quarters(self):
        """The median of each quarter, because traces that are opened and closed change the memory for a while."""
        self.thread.join()
        part = max(1, len(self.held) // 4)
        return [round(statistics.median(self.held[i * part : (i + 1) * part] or [0])) for i in range(4)]


def own_folders(folder):
    return os.environ | {f"TRACEVIEW_{kind}_DIR": os.path.join(folder, kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}


def play(traceview, script, folder, rng, timeout, day=False):
    environment = own_folders(folder)
    command = [traceview, "script", "-", "--size", rng.choice(["1100x700", "1366x768", "800x600"]), "--scale", rng.choice(["1", "1", "1.5"]),
               *rng.choice([[], ["--light"], ["--settings", os.path.join(folder, "kept")]])]  # fmt: skip
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    memory = Memory(process) if day else None
    try:
        _, said = process.communicate("\n".join(script) + "\n", timeout=timeout)
    finally:
        process.kill()
    if process.returncode != 0:
        return said[-6000:] or f"exit {process.returncode}"
    if memory:
        quarters = memory.quarters()
        print(f"memory of the four quarters, MB: {quarters}")
        if quarters[3] > 1.1 * quarters[1] + MEMORY_SLACK_MB:
            return f"memory grows: {quarters}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randint(0, 2**32), help="the seed of the first round")
    parser.add_argument("--lines", type=int, default=60 if os.environ.get("TV_SANITIZED") else 150, help="actions in a round")
    parser.add_argument("--minutes", type=float, default=0, help="plays more rounds until this time is over")
    parser.add_argument("--day", action="store_true", help=f"a round has {DAY_LINES} actions, and memory is watched")
    parser.add_argument("paths", nargs="*", default=[str(HERE / "scripts/data/keys.json"), str(ROOT / "tests/fixtures")])
    options = parser.parse_args()
    traceview = os.path.abspath(options.traceview)
    paths = [os.path.abspath(path) for path in options.paths]
    with tempfile.TemporaryDirectory() as folder:
        PANELS.extend(all_panels(traceview, own_folders(folder)))
    end, seed, rounds = time.monotonic() + 60 * options.minutes, options.seed, 0
    while rounds == 0 or time.monotonic() < end:
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            # At most six of the paths, so that a round does not spend its time copying.
            copies = [copy for path in rng.sample(paths, min(len(paths), 6)) for copy in copied(path, folder, rng)]
            script = [f"open {copies[seed % len(copies)]}"] + list(lines(rng, DAY_LINES if options.day else options.lines, copies))
            try:
                wrong = play(traceview, script, folder, rng, timeout=600 + DAY_LINES if options.day else 600, day=options.day)
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
