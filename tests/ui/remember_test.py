#!/usr/bin/env python3
"""Theme, session and recent files outlive the window, after kill -9 and after closing it. On an X server of its own (Xvfb); exit 77
without one.

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
SHIFT_L, LETTER_T, LETTER_J = 0xFFE1, 0x74, 0x6A


class Person(FileManager):
    """A user at the keyboard; keys are sent to the window as events."""

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

    def focus(self, window):
        self.x.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        self.x.XSetInputFocus(self.display, window, 1, 0)
        self.x.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.x.XSync(self.display, 0)

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
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-noreset"], pass_fds=[write],
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

    def write(self, name, text):
        """Replaces the old file by a new one, as an editor does."""
        path = os.path.join(self.kept, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def test_what_is_edited_while_it_runs_counts_at_once(self):
        self.write("settings.toml", 'theme = "dark"\n')
        self.start(SAMPLE)
        window = self.window_titled("rl_run - traceview")
        self.wait_until(lambda: self.brightness(window) < 80, "it is not dark")
        self.write("settings.toml", 'theme = "light"\n')
        self.wait_until(lambda: self.brightness(window) > 170, "the theme does not follow the file")
        self.write("keymap.toml", '[keys]\nwindow.theme = "J"\n')

        def dark_by_j():
            for down in (True, False):
                self.person.key(window, LETTER_J, down)
            end = time.monotonic() + 0.5
            while time.monotonic() < end and self.brightness(window) > 80:
                time.sleep(0.02)
            return self.brightness(window) < 80

        self.wait_until(dark_by_j, "the keys do not follow the file")
        self.wait_until(lambda: 'theme = "dark"' in self.text_of("settings.toml"), "the theme is not kept")
        # A file that cannot be read is left alone until there is something to write; then it is renamed.
        self.write("settings.toml", "theme = = 1\n")
        for down in (True, False):
            self.person.key(window, LETTER_J, down)
        self.wait_until(lambda: 'theme = "light"' in self.text_of("settings.toml"), "the theme is not kept")
        aside = [name for name in os.listdir(self.kept) if ".broken-" in name]
        self.assertEqual([self.text_of(name) for name in aside], ["theme = = 1\n"])

    def test_another_theme_of_the_desktop_is_followed(self):
        """A program in place of gdbus prints a file instead of asking the portal; the window asks again when it gets the keyboard."""
        said, programs = os.path.join(self.folder, "said"), os.path.join(self.folder, "bin")
        os.mkdir(programs)
        with open(os.path.join(programs, "gdbus"), "w") as file:
            file.write(f"#!/bin/sh\ncat '{said}'\n")
        os.chmod(os.path.join(programs, "gdbus"), 0o755)
        self.environment |= {"PATH": programs + ":" + os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": "unix:path=/no/such/bus"}

        def desktop_is(number):
            with open(said + ".new", "w") as file:
                file.write(f"(<<uint32 {number}>>,)\n")
            os.rename(said + ".new", said)

        desktop_is(2)
        self.start(SAMPLE)
        window = self.window_titled("rl_run - traceview")
        self.wait_until(lambda: self.brightness(window) > 170, "it is not light, as the desktop is")
        desktop_is(1)
        self.person.focus(self.person.root)
        self.person.focus(window)
        self.wait_until(lambda: self.brightness(window) < 80, "the desktop's theme is not followed")
        self.assertEqual(self.text_of("settings.toml"), "")  # the user has not chosen this theme

    def brightness(self, window):
        """The brightness of the status bar above its letters; the window is 1024 x 720."""
        return max(self.person.pixel(window, 900, 697))

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
