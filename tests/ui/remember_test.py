#!/usr/bin/env python3
"""What outlives the window: theme, session, recent files, after kill -9 and after closing it. On an X server of its own (Xvfb); exit
77 without one.

    python3 tests/ui/remember_test.py --traceview build/release/app/traceview
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from drop_test import Event, FileManager, program_under_test  # noqa: E402

TRACEVIEW = ""
SAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "assets/samples/rl_run")
KEY_PRESS, KEY_RELEASE, KEY_PRESS_MASK = 2, 3, 3
SHIFT_L, LETTER_T = 0xFFE1, 0x74


class Person(FileManager):
    """At the keyboard; keys are sent to the window as events."""

    def key(self, window, symbol, down):
        self.x.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        event = Event()
        event.int(0, KEY_PRESS if down else KEY_RELEASE)
        event.long(32, window)
        event.long(40, self.root)
        event.long(56, int(time.monotonic() * 1000) & 0x7FFFFFFF)
        event.int(84, self.x.XKeysymToKeycode(self.display, symbol))
        event.int(88, 1)
        self.x.XSendEvent(self.display, window, 0, KEY_PRESS_MASK, event.bytes)
        self.x.XFlush(self.display)

    def close(self, window):
        event = Event()
        event.int(0, 33)
        event.long(32, window)
        event.long(40, self.atom("WM_PROTOCOLS"))
        event.int(48, 32)
        event.long(56, self.atom("WM_DELETE_WINDOW"))
        self.x.XSendEvent(self.display, window, 0, 0, event.bytes)
        self.x.XFlush(self.display)


class Restarts(unittest.TestCase):
    """A program that is started again and again, with what it keeps in a folder."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-remember-")
        self.addCleanup(shutil.rmtree, self.folder)
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.server)
        os.close(write)
        with os.fdopen(read) as file:
            self.display = ":" + file.readline().strip()
        self.kept = os.path.join(self.folder, "kept")
        self.environment = {k: v for k, v in os.environ.items() if k not in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")} | {
            "DISPLAY": self.display, "TRACEVIEW_CONFIG_DIR": self.kept, "TRACEVIEW_STATE_DIR": os.path.join(self.kept, "state"),
        }  # fmt: skip
        self.person = Person(self.display)

    def end(self, process):
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=30)

    def start(self, *paths):
        window = subprocess.Popen([TRACEVIEW, *paths], env=self.environment, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, window)
        return window

    def wait_until(self, what, said, seconds=60):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, said)
            time.sleep(0.05)

    def window_titled(self, wanted):
        found = []

        def there():
            found[:] = [window for window, title in self.person.titles().items() if title == wanted]
            return found

        self.wait_until(there, f"no window {wanted}: {self.person.titles()}")
        return found[0]

    def text_of(self, name):
        try:
            with open(os.path.join(self.kept, name)) as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def play(self, *lines):
        path = os.path.join(self.folder, "next.script")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        out = subprocess.run([TRACEVIEW, "script", path, "--settings", self.kept], capture_output=True, text=True)
        self.assertEqual(out.returncode, 0, out.stdout + out.stderr)


class Remembering(Restarts):
    def test_a_killed_program_offers_what_was_open_and_keeps_what_was_chosen(self):
        program = self.start(SAMPLE)
        window = self.window_titled("rl_run - traceview")
        for symbol, down in ((SHIFT_L, True), (LETTER_T, True), (LETTER_T, False), (SHIFT_L, False)):
            self.person.key(window, symbol, down)
        self.wait_until(lambda: 'theme = "light"' in self.text_of("settings.toml"), "the theme is not kept")
        self.wait_until(lambda: "rl_run" in self.text_of("state/session.json"), "the session is not kept")
        self.wait_until(lambda: "rl_run" in self.text_of("state/recent.json"), "it is not among the recent files")
        program.send_signal(signal.SIGKILL)
        program.wait()
        self.play("expect start.shown = true", "expect window.theme = light", "expect start.crashed = true",
                  "expect start.session ~ rl_run", "expect start.recent = 1", "click start Reopen", "wait",
                  "expect start.shown = false", "expect lanes.height > 100")  # fmt: skip

    def test_a_closed_program_reopens_by_itself_where_that_is_chosen(self):
        os.makedirs(self.kept)
        with open(os.path.join(self.kept, "settings.toml"), "w") as file:
            file.write('# mine\nreopen = "always"\n')
        program = self.start(SAMPLE)
        window = self.window_titled("rl_run - traceview")
        self.wait_until(lambda: "rl_run" in self.text_of("state/session.json"), "the session is not kept")
        self.person.close(window)
        self.assertEqual(program.wait(timeout=60), 0)
        self.assertIn('"ended": true', self.text_of("state/session.json"))
        self.assertEqual(self.text_of("settings.toml"), '# mine\nreopen = "always"\n')
        self.start()
        self.window_titled("rl_run - traceview")


if __name__ == "__main__":
    TRACEVIEW, others = program_under_test()
    unittest.main(argv=[sys.argv[0], *others])
