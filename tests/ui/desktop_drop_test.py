#!/usr/bin/env python3
"""Files dragged with the mouse from another program's window, by GTK and under a window manager, and dropped on ours: each target,
Shift, files that are not on this machine, names with blanks and Chinese letters, several files, folders, and drags that leave again.
tests/ui/drop_test.py speaks the protocol itself; here GTK does, which knows nothing of our program. Exit 77 without Xvfb, openbox,
xdotool, or GTK for Python (python3-gi, gir1.2-gtk-3.0).

    python3 tests/ui/desktop_drop_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from desktop import Desktop, script_needs_desktop  # noqa: E402
from skips import skip_script  # noqa: E402

TRACEVIEW = ""
PYTHON = "/usr/bin/python3"  # the system's, which has GTK
SOURCE = str(ROOT / "tests/support/drag_source.py")
LEFT, MIDDLE, RIGHT = 1 / 6, 1 / 2, 5 / 6  # shares of the width: replace, add, new tab


class DesktopDrops(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-drops-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.desktop = Desktop(self.folder)
        self.addCleanup(self.desktop.end)
        self.first = self.write("first.json", 3)
        self.program = self.desktop.run(TRACEVIEW, self.first)
        self.target = self.desktop.window("first.json - traceview")
        self.desktop.place(self.target, 40, 60)
        self.uris = os.path.join(self.folder, "uris")
        pathlib.Path(self.uris).write_text("")
        said = os.path.join(self.folder, "said")
        with open(said, "w") as writes:
            self.desktop.run(PYTHON, SOURCE, self.uris, stdout=writes)
        self.said = open(said)
        self.addCleanup(self.said.close)
        self.source_window = self.desktop.window("drag source")
        self.desktop.place(self.source_window, 1600, 300)
        self.heard("ready")

    def heard(self, word):
        line = self.desktop.wait_until(self.said.readline, f"the source does not say {word!r}", 20)
        self.assertEqual(line.strip(), word)

    def write(self, name, slices):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump([{"ph": "X", "name": "slice", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(slices)], file)
        return path

    @staticmethod
    def uri(path):
        return "file://" + urllib.parse.quote(path)

    def point(self, x, y=0.5):
        left, top, width, height = self.desktop.corner(self.target)
        return int(left + x * width), int(top + y * height)

    def shown(self):
        """A column through the edges of the left target, away from its text and from the line that the view draws at the mouse."""
        (x, top), (_, bottom) = self.point(LEFT, 0.25), self.point(LEFT, 0.75)
        return self.desktop.pixels(x + 40, top, 1, bottom - top)

    def begin(self, *uris):
        """Presses the mouse in the source and moves it until a drag begins."""
        pathlib.Path(self.uris).write_text("".join(each + "\r\n" for each in uris))
        before = self.desktop.rest(self.shown, 10)
        step = [0]

        def begun():
            left, top, width, height = self.desktop.corner(self.source_window)
            # Tries again, as a person who missed would: the window manager may have moved the window, or raised another above it.
            if step[0] % 30 == 0:
                self.desktop.do("mouseup", 1)
                self.desktop.do("mousemove", "--sync", left + width // 2 + 1, top + height // 2)
                self.desktop.do("mousedown", 1)
            step[0] += 1
            self.desktop.do("mousemove", left + width // 2 - 8 * (step[0] % 6), top + height // 2)
            return self.said.readline()

        self.assertEqual(self.desktop.wait_until(begun, "no drag begins").strip(), "begin")
        return before

    def hover(self, at, before):
        """Moves the mouse over the window until the targets are drawn."""
        x, y = self.point(at)
        step = [0]

        def drawn():
            step[0] += 1
            self.desktop.do("mousemove", x + step[0] % 3, y)
            return self.shown() != before

        self.desktop.wait_until(drawn, "no targets are drawn")

    def drop(self, *uris, at=LEFT, shift=False):
        before = self.begin(*uris)
        self.hover(at, before)
        if shift:
            self.desktop.do("keydown", "Shift_L")
        try:
            self.desktop.do("mousemove_relative", 2, 2)
            self.desktop.do("mouseup", 1)
            self.heard("end")
        finally:
            if shift:
                self.desktop.do("keyup", "Shift_L")

    def titled(self, title):
        self.desktop.window(title + " - traceview")
        self.assertIsNone(self.program.poll())

    def test_each_target_does_what_it_says_and_shift_adds(self):
        second, third = self.write("second.json", 4), self.write("third.json", 5)
        self.drop(self.uri(second), at=LEFT)
        self.titled("second.json")
        self.drop(self.uri(third), at=MIDDLE)
        self.titled("second.json and 1 more")
        self.drop(self.uri(self.first), at=RIGHT)
        self.titled("first.json")
        self.drop(self.uri(third), at=LEFT, shift=True)
        self.titled("first.json and 1 more")

    def test_names_with_blanks_percent_signs_and_chinese_letters_several_at_once_and_folders(self):
        odd = [self.write(name, 3) for name in ("a b.json", "100% #1?.json", "数据 跟踪.json", "plus+and&.json")]
        for path in odd:
            self.drop(self.uri(path))
            self.titled(os.path.basename(path))
        self.drop(*map(self.uri, odd))
        self.titled("a b.json and 3 more")
        self.write("文件夹 one/rank 0.json", 3)
        self.write("文件夹 one/rank 1.json", 3)
        self.drop(self.uri(os.path.join(self.folder, "文件夹 one")))
        self.titled("文件夹 one")

    def test_what_is_not_here_changes_nothing_and_the_next_drop_is_as_ever(self):
        second = self.write("second.json", 4)
        for refused in ("file://elsewhere" + second, self.uri(os.path.join(self.folder, "gone.json")), "https://example.org/a.json"):
            self.drop(refused)
            self.desktop.rest(self.shown, 10)
            self.titled("first.json")
        self.drop("file://localhost" + urllib.parse.quote(second))  # this machine by its other name
        self.titled("second.json")

    def test_a_drag_that_leaves_or_ends_elsewhere_leaves_no_targets(self):
        before = self.begin(self.uri(self.write("second.json", 4)))
        self.hover(MIDDLE, before)
        self.desktop.do("mousemove", 1650, 700)
        gone = lambda: self.shown() == before  # noqa: E731
        self.desktop.wait_until(gone, "the targets stay")
        self.desktop.do("mouseup", 1)
        self.heard("failed")
        self.heard("end")
        self.titled("first.json")
        before = self.begin(self.uri(self.write("second.json", 4)))
        self.hover(LEFT, before)
        self.desktop.do("key", "Escape")  # cancels the drag over the window
        self.heard("failed")
        self.heard("end")
        self.desktop.do("mouseup", 1)
        self.desktop.wait_until(gone, "the targets stay")
        self.titled("first.json")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop()
    if subprocess.run([PYTHON, SOURCE, "--check"], stderr=subprocess.DEVNULL).returncode:
        skip_script("not installed: GTK 3 for Python (python3-gi, gir1.2-gtk-3.0)")
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
