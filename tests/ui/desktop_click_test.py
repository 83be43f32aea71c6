#!/usr/bin/env python3
"""A user moves the mouse, presses and releases within one slow frame: the details of the slice appear in the drawer before the mouse
moves again. Another user moves the window with Alt: the menus stay closed. Exit 77 without Xvfb, openbox and xdotool.

    python3 tests/ui/desktop_click_test.py --traceview build/release/app/traceview
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


class DesktopClick(unittest.TestCase):
    def test_alt_alone_opens_the_menus_and_a_window_that_is_moved_with_it_does_not(self):
        folder = tempfile.mkdtemp(prefix="traceview-click-")
        self.addCleanup(shutil.rmtree, folder, True)
        desktop = Desktop(folder, 1500, 1000)
        self.addCleanup(desktop.end)
        desktop.run(TRACEVIEW, str(ROOT / "assets/samples/rl_run"))
        window = desktop.window("rl_run - traceview")
        desktop.place(window, 30, 40)
        desktop.activate(window)

        def below_the_first_menu():
            left, top, _, height = desktop.corner(window)
            return desktop.pixels(left + 20, top + int(height * 0.7), 180, 80)

        left, top, width, height = desktop.corner(window)
        desktop.do("mousemove", left + width // 2, top + height // 3)
        closed = desktop.rest(below_the_first_menu, 20)
        # If Alt goes up first, the window manager still has the keyboard.
        for quick, last in ((False, ("mouseup", 1, "keyup", "alt")), (True, ("mouseup", 1, "keyup", "alt")), (True, ("keyup", "alt", "mouseup", 1))):
            with self.subTest(quick=quick, last=last[0]):
                x, y = desktop.corner(window)[:2]
                desktop.do("mousemove", x + width // 2, y + height // 3)
                desktop.do("keydown", "alt", *(() if quick else ("sleep", "0.6")), "mousedown", 1)

                def moves():
                    desktop.do("mousemove_relative", 4, 3)
                    return desktop.corner(window)[:2] != (x, y)

                desktop.wait_until(moves, "the window manager does not move the window")
                desktop.do(*last)
                self.assertEqual(desktop.rest(below_the_first_menu, 20), closed, "a menu is open")
                desktop.do("key", "alt")
                desktop.wait_until(lambda: below_the_first_menu() != closed, "Alt alone does not open the menus")
                desktop.do("key", "Escape")
                desktop.wait_until(lambda: below_the_first_menu() == closed, "Esc does not close the menus")

    def test_what_a_quick_click_selects_is_shown_at_once(self):
        folder = tempfile.mkdtemp(prefix="traceview-click-")
        self.addCleanup(shutil.rmtree, folder, True)
        desktop = Desktop(folder, 1366, 768)
        self.addCleanup(desktop.end)
        desktop.run(TRACEVIEW, str(ROOT / "assets/samples/rl_run"))
        window = desktop.window("rl_run - traceview")
        desktop.activate(window)
        left, top, width, height = desktop.corner(window)

        def drawer():  # its right half
            return desktop.pixels(left + int(width * 0.7), top + int(height * 0.85), int(width * 0.25), int(height * 0.08))

        desktop.do("mousemove", left + width // 2, top + int(height * 0.5))
        before = desktop.rest(drawer, 40)
        # The longest phase of a worker is about in the middle of the lanes.
        desktop.do("mousemove", left + width // 2, top + int(height * 0.385), "click", 1)
        desktop.wait_until(lambda: drawer() != before, "the drawer does not show what the click selected")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
