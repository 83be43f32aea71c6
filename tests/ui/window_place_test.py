#!/usr/bin/env python3
"""The window comes back at its place, in its size, and maximised if it was; if its monitor is gone, it comes back onto the screen.
Under a window manager (openbox) on an X server of its own (Xvfb), by xdotool; exit 77 without them.

    python3 tests/ui/window_place_test.py --traceview build/release/app/traceview
"""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import remember_test  # noqa: E402
from drop_test import Event, program_under_test  # noqa: E402
from skips import script_needs  # noqa: E402

SCREEN = (1024, 768)  # of remember_test


class Placing(remember_test.Restarts):
    def setUp(self):
        super().setUp()
        manager = subprocess.Popen(["openbox", "--sm-disable"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, manager)
        self.wait_until(lambda: self.tool("get_desktop"), "no window manager")  # it is the one that answers

    def tool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True).stdout.strip()

    def fill_screen(self, window, on):
        """Does what a click on the window's button does: https://specifications.freedesktop.org/wm-spec, _NET_WM_STATE."""
        to_root = (1 << 20) | (1 << 19)
        event = Event()
        event.int(0, 33)
        event.long(32, int(window))
        event.long(40, self.person.atom("_NET_WM_STATE"))
        event.int(48, 32)
        event.long(56, int(on))
        event.long(64, self.person.atom("_NET_WM_STATE_MAXIMIZED_VERT"))
        event.long(72, self.person.atom("_NET_WM_STATE_MAXIMIZED_HORZ"))
        self.person.x.XSendEvent(self.person.display, self.person.root, 0, to_root, event.bytes)
        self.person.x.XFlush(self.person.display)

    def window(self):
        found = []

        def there():
            found[:] = self.tool("search", "--onlyvisible", "--name", "traceview$").split()
            return found and self.geometry(found[0])[2] > 100

        self.wait_until(there, "no window")
        return found[0]

    def geometry(self, window):
        facts = dict(line.split("=") for line in self.tool("getwindowgeometry", "--shell", window).splitlines() if "=" in line)
        return tuple(int(facts.get(key, 0)) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def place(self):
        text = self.text_of("state/window.json")
        return json.loads(text) if text else {}

    def leave(self, program, window):
        self.person.close(int(window))
        self.wait_until(lambda: program.poll() is not None, "it does not quit")
        self.assertEqual(program.returncode, 0)

    def test_place_size_and_filling_the_screen_come_back(self):
        program = self.start()
        window = self.window()
        self.wait_until(lambda: self.place().get("width"), "its first place is not kept")  # it may place itself after it is shown
        self.tool("windowsize", "--sync", window, 800, 560)
        self.tool("windowmove", "--sync", window, 90, 70)
        placed = self.geometry(window)
        self.assertEqual(placed[2:], (800, 560))
        self.wait_until(lambda: self.place().get("width") == 800 and abs(self.place().get("x", 0) - placed[0]) <= 2, "its new place is not kept")
        self.leave(program, window)
        program = self.start()
        window = self.window()
        self.wait_until(lambda: all(abs(a - b) <= 2 for a, b in zip(self.geometry(window), placed)), f"{self.geometry(window)}, was {placed}")
        self.fill_screen(window, True)
        self.wait_until(lambda: self.place().get("maximised"), "that it fills the screen is not kept")
        self.assertEqual(self.place()["width"], 800)
        self.leave(program, window)
        self.start()
        window = self.window()
        self.wait_until(lambda: self.geometry(window)[2] >= SCREEN[0] - 10, f"it does not fill the screen: {self.geometry(window)}")
        self.fill_screen(window, False)
        self.wait_until(lambda: self.geometry(window)[2:] == (800, 560), f"it had another size: {self.geometry(window)}")

    def test_a_window_of_a_monitor_that_is_gone_comes_back_onto_the_screen(self):
        os.makedirs(os.path.join(self.kept, "state"))
        with open(os.path.join(self.kept, "state/window.json"), "w") as file:
            json.dump({"x": 5000, "y": -2000, "width": 700, "height": 500, "maximised": False}, file)
        self.start()
        window = self.window()
        def on_screen():  # the window manager may place it after it is shown
            x, y, width, height = self.geometry(window)
            return (width, height) == (700, 500) and 0 <= x <= SCREEN[0] - width and 0 <= y <= SCREEN[1] - height

        self.wait_until(on_screen, "it is not on the screen")


if __name__ == "__main__":
    remember_test.TRACEVIEW, others = program_under_test()
    script_needs("openbox", "xdotool")
    unittest.main(argv=[sys.argv[0], "Placing", *others])
