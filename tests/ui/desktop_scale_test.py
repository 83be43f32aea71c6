#!/usr/bin/env python3
"""The desktop's scale changes while the window is open, as its settings change it: by Xft.dpi among the X resources. The window
follows when it gets the focus again, and after the change back it has the same pixels as before. Exit 77 without Xvfb, openbox and
xdotool.

    python3 tests/ui/desktop_scale_test.py --traceview build/release/app/traceview
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from desktop import Desktop, script_needs_desktop  # noqa: E402

TRACEVIEW = ""
RESOURCE_MANAGER, STRING, REPLACE = 23, 31, 0


class DesktopScale(unittest.TestCase):
    def dpi(self, number):
        text = f"Xft.antialias:\t1\nXft.dpi:\t{number}\n".encode()
        with self.desktop.connection() as (x, display, root):
            x.XChangeProperty.argtypes = [x.XOpenDisplay.restype, x.XDefaultRootWindow.restype] + [x.XDefaultRootWindow.restype] * 2 + [
                x.XGetImage.argtypes[2]] * 2 + [x.XOpenDisplay.restype, x.XGetImage.argtypes[2]]  # fmt: skip
            x.XChangeProperty(display, root, RESOURCE_MANAGER, STRING, 8, REPLACE, text, len(text))
            x.XSync.argtypes = [x.XOpenDisplay.restype, x.XGetImage.argtypes[2]]
            x.XSync(display, 0)

    def test_the_window_follows_and_comes_back(self):
        folder = tempfile.mkdtemp(prefix="traceview-scale-")
        self.addCleanup(shutil.rmtree, folder, True)
        self.desktop = Desktop(folder)
        self.addCleanup(self.desktop.end)
        self.dpi(96)
        self.desktop.run(TRACEVIEW, str(ROOT / "tests/ui/scripts/data/keys.json"))
        window = self.desktop.window("keys.json - traceview")
        self.desktop.run(TRACEVIEW)  # another window, which gets the focus in between
        other = self.desktop.window("traceview")
        self.desktop.do("mousemove", 1795, 995)
        self.desktop.place(window, 10, 30)

        def shown():
            left, top, _, _ = self.desktop.corner(window)
            return self.desktop.pixels(left, top, 400, 60)  # menus

        def looked_at_again():
            self.desktop.activate(other)
            self.desktop.activate(window)

        looked_at_again()
        before = self.desktop.rest(shown, 10)
        self.dpi(192)
        looked_at_again()
        self.desktop.wait_until(lambda: shown() != before, "the window keeps the size of its letters")
        self.dpi(96)
        looked_at_again()
        self.desktop.wait_until(lambda: shown() == before, "the window does not look as before")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
