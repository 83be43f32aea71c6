#!/usr/bin/env python3
"""Every text box of the real window, by a real keyboard, mouse and clipboard: typing, correcting, Home, End and Delete, selecting all,
cutting, pasting, Enter and Escape. A script that does the same without a window says where the boxes are (`boxes`), so the test
also finds the boxes of a new panel. Exit 77 without Xvfb, openbox, xdotool and xclip.

    python3 tests/ui/desktop_boxes_test.py --traceview build/release/app/traceview
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from desktop import Desktop, script_needs_desktop  # noqa: E402

TRACEVIEW = ""
WIDTH, HEIGHT = 1280, 800
TRACE, RUN = str(ROOT / "tests/ui/scripts/data/keys.json"), str(ROOT / "assets/samples/rl_run")
KEYS = {"Esc": "Escape", "/": "slash", "Enter": "Return"}

def show(panel):
    return ["press Ctrl+Shift+P", f"type Show: {panel}", "press Enter"]


# What is open, what is done, and how many boxes have appeared by then.
PANELS = [
    (TRACE, [], 0),
    (TRACE, [*show("Statistics"), "click stats by", 'click stats "by arg"'], 3),
    (TRACE, ["press /", "type step", "press Enter"], 1),
    (RUN, [], 0),
    (RUN, show("Requests"), 1),
    (RUN, show("Durations"), 1),
    (RUN, show("Clocks"), 4),
]
# Those of desktop_dialog_boxes_test.py.
DIALOGS = [
    (TRACE, ["press Ctrl+G"], 1),
    (TRACE, ["press Ctrl+Shift+P"], 1),
    (TRACE, ["press Ctrl+P"], 1),
    (TRACE, ["press Ctrl+O"], 4),
    (TRACE, ["press Ctrl+Shift+S"], 2),
    (TRACE, ["press Ctrl+E"], 1),
    (TRACE, ["move 0.5 0.3", "press Ctrl+M"], 1),
    (TRACE, ["press Ctrl+Shift+P", "type Manual: Clocks", "press Enter"], 1),
]


class TextBoxes(unittest.TestCase):
    scenes = PANELS

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-boxes-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.desktop = Desktop(self.folder, WIDTH + 200, HEIGHT + 200)
        self.addCleanup(self.desktop.end)

    # --- the same without a window ---

    def script(self, path, lines):
        """What the script prints, as pairs of numbers."""
        lines = [f'type "{line[5:]}"' if line.startswith("type ") else line for line in lines]
        text = "\n".join([f'open "{path}"', "wait", "settle", *lines, "settle"]) + "\n"
        environment = os.environ | {f"TRACEVIEW_{kind}_DIR": os.path.join(self.folder, "of-scripts", kind) for kind in ("CONFIG", "STATE")}
        done = subprocess.run([TRACEVIEW, "script", "-", "--size", f"{WIDTH}x{HEIGHT}"], input=text, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [tuple(float(word) for word in line.split()) for line in done.stdout.splitlines()]

    # --- in the window ---

    def start(self, path):
        self.desktop.environment["TRACEVIEW_DIALOG"] = "window"
        program = self.desktop.run(TRACEVIEW, path)
        self.window = self.desktop.window(f"{os.path.basename(path)} - traceview", 90)
        self.desktop.do("windowsize", "--sync", self.window, WIDTH, HEIGHT)
        self.desktop.activate(self.window)
        self.desktop.wait_until(lambda: self.desktop.corner(self.window)[2:] == (WIDTH, HEIGHT), "the window does not get its size")
        self.rest()
        return program

    def end(self, program):
        program.terminate()
        program.wait(timeout=30)

    def mouse(self, x, y, *then):
        left, top = self.desktop.corner(self.window)[:2]
        self.desktop.do("mousemove", left + round(x), top + round(y))
        if then:
            self.desktop.do(*then)

    def key(self, *names):
        self.desktop.do("key", "--delay", 15, *names)

    def play(self, path, lines):
        """Does what the lines of a script say, with the real keyboard and mouse."""
        for at, line in enumerate(lines):
            verb, what = line.split(" ", 1)
            before = self.picture()
            if verb == "type":
                self.desktop.do("type", "--delay", 15, what)
            elif verb == "press":
                *modifiers, key = what.split("+")
                self.key("+".join([each.lower() for each in modifiers] + [KEYS.get(key, key.lower() if len(key) == 1 else key)]))
            else:
                x, y = self.script(path, [*lines[: at + 1], "where"])[-1]
                self.mouse(x, y, *(("click", 1) if verb == "click" else ()))
            self.desktop.wait_until(lambda: self.picture() != before, f"{line} has no effect")  # noqa: B023
            self.rest()

    def picture(self):
        return self.desktop.pixels(*self.desktop.corner(self.window))

    def rest(self):
        """Waits until the picture stays the same, so that the next change is due to the next action."""
        self.desktop.rest(self.picture)

    def clipboard(self):
        out = subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=self.desktop.environment, capture_output=True, timeout=20)
        return out.stdout.decode()

    def copy(self, text):
        subprocess.run(["xclip", "-selection", "clipboard", "-i"], env=self.desktop.environment, input=text.encode(), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)  # fmt: skip
        self.desktop.wait_until(lambda: self.clipboard() == text, "xclip does not have the text", 20)

    def paste(self, text):
        """Returns when the program has taken the text. xclip ends after two requests: our check that it has the text, and the program's."""
        xclip = self.desktop.run("xclip", "-quiet", "-loops", "2", "-selection", "clipboard", "-i", stdin=subprocess.PIPE)
        xclip.stdin.write(text.encode())
        xclip.stdin.close()
        self.desktop.wait_until(lambda: self.clipboard() == text, "xclip does not have the text", 20)
        self.key("ctrl+v")
        self.desktop.wait_until(lambda: xclip.poll() is not None, "the program does not ask for the clipboard", 20)

    def taken(self, text, *keys):
        """Checks that these keys put the text into the clipboard."""
        held = [""]

        def holds():
            self.copy("(nothing copied)")
            self.key(*keys)
            try:
                self.desktop.wait_until(lambda: self.clipboard() != "(nothing copied)", "", 5)
            except AssertionError:  # the box may not have had the keyboard yet
                pass
            held[0] = self.clipboard()
            return held[0] == text

        try:
            self.desktop.wait_until(holds, "")
        except AssertionError:
            self.fail(f"the box holds {held[0][:40]!r} instead of {text!r}")

    def holds(self, text):
        self.taken(text, "ctrl+a", "ctrl+c")

    def edit(self):
        """Edits the text of the box that has the keyboard."""
        self.key("ctrl+a")
        self.desktop.do("type", "--delay", 15, "12a3")
        self.key("BackSpace", "Left", "Delete", "Home")
        self.desktop.do("type", "--delay", 15, "4")
        self.key("End")
        self.desktop.do("type", "--delay", 15, "5")
        self.holds("4125")
        self.key("Home", "shift+End")
        self.taken("4125", "ctrl+x")
        self.paste("漢 é 7")
        self.key("KP_Home", "KP_Delete")
        self.holds(" é 7")

    def boxes_of(self, path, lines):
        return self.script(path, [*lines, "settle", "boxes"])

    def test_every_box_takes_what_is_typed(self):
        always = {}
        for path, lines, count in self.scenes:
            with self.subTest(scene=lines):
                if path not in always:
                    always[path] = self.boxes_of(path, [])
                    self.assertGreaterEqual(len(always[path]), 3, always)
                boxes = [box for box in self.boxes_of(path, lines) if box not in always[path]]
                self.assertEqual(len(boxes), count, boxes)
                self.try_boxes(path, lines, boxes if lines else always[path])

    def try_boxes(self, path, lines, boxes):
        program = self.start(path)
        self.play(path, lines)
        for x, y in boxes:
            with self.subTest(box=(x, y)):
                self.mouse(x, y, "click", 1)
                self.edit()
                self.assertIsNone(program.poll())
        # Escape takes the keyboard from the box, and Enter executes the chosen command.
        self.key("Escape", "Escape", "Escape", "ctrl+shift+p")
        self.desktop.do("type", "--delay", 15, "Light theme")
        self.holds("Light theme")
        self.key("Return")
        settings = pathlib.Path(self.desktop.environment["TRACEVIEW_CONFIG_DIR"], "settings.toml")
        self.desktop.wait_until(lambda: settings.exists() and 'theme = "light"' in settings.read_text(), "Enter does not execute the command")
        self.end(program)
        settings.unlink()


def main(scenes):
    global TRACEVIEW
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop("xclip")
    TRACEVIEW, TextBoxes.scenes = os.path.abspath(options.traceview), scenes
    unittest.main(module=sys.modules[TextBoxes.__module__], argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main(PANELS)
