#!/usr/bin/env python3
"""The window loses what it is drawn with while the user works: the X server ends, another program destroys the window, the driver
loses its OpenGL context. On an X server of its own (Xvfb); exit 77 without one.

    python3 tests/ui/display_faults_test.py --traceview build/release/app/traceview
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import remember_test  # noqa: E402
from drop_test import program_under_test  # noqa: E402
from skips import case_without_sanitizers, compiler  # noqa: E402

NO_DISPLAY = 6
SUPPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support")
WIDTH, HEIGHT = 1024, 700  # of the picture that is compared


# A window may disappear while we ask for its title; Xlib would then end this program.
ignore_errors = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda _display, _event: 0)


class DisplayFaults(remember_test.Restarts):
    def setUp(self):
        super().setUp()
        self.person.x.XSetErrorHandler(ignore_errors)

    def begin(self, *paths, **environment):
        program = subprocess.Popen([remember_test.TRACEVIEW, *paths], env=self.environment | environment, stderr=subprocess.PIPE)
        self.addCleanup(program.stderr.close)
        self.addCleanup(self.end, program)
        return program

    def press(self, window, symbol):
        for down in (True, False):
            self.person.key(window, symbol, down)

    def destroy(self, window):
        destroy = self.person.x.XDestroyWindow
        destroy.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        destroy(self.person.display, window)
        self.person.x.XFlush(self.person.display)

    def is_light(self):
        return 'theme = "light"' in self.text_of("settings.toml")

    def change_theme(self):
        was, window = self.is_light(), self.window_titled("rl_run - traceview")
        self.person.key(window, remember_test.SHIFT_L, True)
        self.press(window, remember_test.LETTER_T)
        self.person.key(window, remember_test.SHIFT_L, False)
        self.wait_until(lambda: self.is_light() != was, "the theme is not changed")

    def picture(self):
        """The picture on the screen, three bytes for each pixel."""
        x = self.person.x
        image = x.XGetImage(self.person.display, self.person.root, 0, 0, WIDTH, HEIGHT, 0xFFFFFFFF, 2)
        self.assertTrue(image)
        x.XDestroyImage.argtypes = [ctypes.c_void_p]
        data = ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, WIDTH * HEIGHT * 4)
        x.XDestroyImage(image)
        return b"".join(data[channel::4] for channel in range(3))

    def notes(self, path):
        if not os.path.exists(path):
            return ""
        with open(path) as file:
            return file.read()

    def still_picture(self):
        last, same = self.picture(), 0
        end = time.monotonic() + 60
        while same < 30:  # loading changes the picture in several steps
            self.assertLess(time.monotonic(), end, "the picture does not come to rest")
            time.sleep(0.1)
            now = self.picture()
            last, same = now, same + 1 if now == last else 0
        return last

    def test_the_display_goes(self):
        program = self.begin(remember_test.SAMPLE)
        self.change_theme()
        self.server.send_signal(signal.SIGKILL)
        self.assertEqual(program.wait(timeout=60), NO_DISPLAY)
        said = program.stderr.read().decode()
        self.assertIn("the display is gone; what was open is offered at the next start", said)
        self.assertNotIn("XIO", said)
        self.play("expect start.shown = true", "expect start.crashed = true", "expect window.theme = light", "expect start.session ~ rl_run",
                  "click start Reopen", "wait", "expect start.shown = false")  # fmt: skip

    def test_the_display_goes_and_nothing_was_open(self):
        program = self.begin()
        self.wait_until(self.person.titles, "there is no window")
        self.server.send_signal(signal.SIGKILL)
        self.assertEqual(program.wait(timeout=60), NO_DISPLAY)
        self.assertEqual(program.stderr.read().decode(), "traceview: the display is gone\n")

    def test_nothing_is_drawn_into_a_window_that_is_destroyed_meanwhile(self):
        """Mesa's software renderer asks for the window's size while it draws, and if the question fails, uses whatever number is there."""
        case_without_sanitizers(self, "must be loaded first")
        library = os.path.join(self.folder, "need_geometry.so")
        subprocess.run([compiler(), "-O1", "-shared", "-fPIC", "-o", library, os.path.join(SUPPORT, "need_geometry.c"), "-ldl"], check=True)
        for _ in range(5):  # about half of them happen while a frame is drawn
            shutil.rmtree(self.kept, ignore_errors=True)
            program = self.begin(remember_test.SAMPLE, LD_PRELOAD=library)
            window = self.window_titled("rl_run - traceview")
            self.wait_until(lambda: "rl_run" in self.text_of("state/session.json"), "the session is not kept")
            self.person.key(window, ord("w"), True)
            self.destroy(window)
            self.assertEqual(program.wait(timeout=60), 0)
            self.assertIn('"ended": true', self.text_of("state/session.json"))

    def test_a_window_that_another_program_destroys_is_closed(self):
        for still in (True, False):  # the picture is at rest, or something moves
            with self.subTest(still=still):
                shutil.rmtree(self.kept, ignore_errors=True)
                program = self.begin(remember_test.SAMPLE)
                window = self.window_titled("rl_run - traceview")
                self.wait_until(lambda: "rl_run" in self.text_of("state/session.json"), "the session is not kept")
                if still:
                    self.still_picture()
                else:
                    self.person.key(window, ord("w"), True)
                self.destroy(window)
                self.assertEqual(program.wait(timeout=60), 0)
                self.assertEqual(program.stderr.read().decode(), "")
                self.assertIn('"ended": true', self.text_of("state/session.json"))

    def test_the_display_goes_while_a_file_is_read(self):
        path = os.path.join(self.folder, "many.json")
        with open(path, "w") as file:
            file.write("[" + ",\n".join(json.dumps({"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5}) for i in range(300_000)) + "]")
        cache = os.path.join(self.folder, "cache")
        program = self.begin(path, TRACEVIEW_CACHE_DIR=cache)
        self.wait_until(self.person.titles, "there is no window")
        self.server.send_signal(signal.SIGKILL)
        self.assertEqual(program.wait(timeout=60), NO_DISPLAY)
        # Each file of the cache is whole, or has been removed.
        whole = [name for name in (os.listdir(cache) if os.path.isdir(cache) else []) if name.endswith(".tvx")]
        self.assertEqual(whole, [name for name in (os.listdir(cache) if os.path.isdir(cache) else []) if os.path.isfile(os.path.join(cache, name))])

    def test_opengl_is_lost_and_all_is_there_as_before(self):
        case_without_sanitizers(self, "must be loaded first")
        library = os.path.join(self.folder, "lose_gl.so")
        subprocess.run([compiler(), "-O1", "-shared", "-fPIC", "-o", library, os.path.join(SUPPORT, "lose_gl.c"), "-ldl"], check=True)
        log = os.path.join(self.folder, "lost")
        whole = self.begin(remember_test.SAMPLE)
        self.window_titled("rl_run - traceview")
        wanted = self.still_picture()
        self.assertGreater(len(set(wanted[i : i + 3] for i in range(0, len(wanted), 997))), 20, "the picture is empty")
        self.end(whole)
        shutil.rmtree(self.kept)
        for questions, times in (("2", 1), ("2,3", 2), ("2,3,4,5", 4)):  # after the third loss without the graphics card
            program = self.begin(remember_test.SAMPLE, LD_PRELOAD=library, LOSE_GL=questions, LOSE_GL_LOG=log)
            # The last context is loaded: the earlier windows are gone, and keys go to the one that stays.
            self.wait_until(lambda: self.notes(log) == "o" + "xo" * times or program.poll() is not None, "OpenGL is not lost")  # noqa: B023
            self.assertIsNone(program.poll(), "the program has ended")
            self.window_titled("rl_run - traceview")
            self.wait_until(lambda: self.picture() == wanted, "the picture is not the same as before")
            self.change_theme()
            self.change_theme()
            self.assertIsNone(program.poll(), "the program has ended")
            self.end(program)
            os.remove(log)
            shutil.rmtree(self.kept)


if __name__ == "__main__":
    remember_test.TRACEVIEW, others = program_under_test()
    unittest.main(argv=[sys.argv[0], *others])
