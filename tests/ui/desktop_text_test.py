#!/usr/bin/env python3
"""Text that reaches the search box of the real window from a keyboard and a clipboard: pasted Chinese, Japanese and Korean text,
accents by dead keys and by Compose, letters that no key has. Meanwhile the program opens only Unix sockets (X, D-Bus) and no network
connection (strace). Exit 77 without Xvfb, openbox, xdotool and xclip.

    python3 tests/ui/desktop_text_test.py --traceview build/release/app/traceview

Input methods with a window of their own (ibus, fcitx) are not tested: GLFW 3.3 opens its input context without a place for the text
being composed, so they show that text in their own window, and the committed text arrives as ordinary letters.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from desktop import Desktop, script_needs_desktop  # noqa: E402
from skips import case_needs  # noqa: E402

TRACEVIEW = ""
TRACE = str(ROOT / "tests/ui/scripts/data/keys.json")


class DesktopText(unittest.TestCase):
    def start(self, *before):
        folder = tempfile.mkdtemp(prefix="traceview-text-")
        self.addCleanup(shutil.rmtree, folder, True)
        self.folder, self.desktop = folder, Desktop(folder)
        self.addCleanup(self.desktop.end)
        self.desktop.run(*before, TRACEVIEW, TRACE)
        self.desktop.activate(self.desktop.window("keys.json - traceview", 90))

    def clipboard(self):
        out = subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=self.desktop.environment, capture_output=True, timeout=20)
        return out.stdout.decode()

    def copy(self, text):
        subprocess.run(["xclip", "-selection", "clipboard", "-i"], env=self.desktop.environment, input=text.encode(), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)  # fmt: skip
        # xclip claims the clipboard after it has returned.
        self.desktop.wait_until(lambda: self.clipboard() == text, "xclip does not have the text", 20)

    def paste(self, text):
        """Pastes into the search box. Returns when the program has taken the text, so that the clipboard is free again."""
        # xclip ends after two requests: our check that it has claimed the clipboard, and the program's.
        xclip = self.desktop.run("xclip", "-quiet", "-loops", "2", "-selection", "clipboard", "-i", stdin=subprocess.PIPE)
        xclip.stdin.write(text.encode())
        xclip.stdin.close()
        self.desktop.wait_until(lambda: self.clipboard() == text, "xclip does not have the text", 20)
        self.desktop.do("key", "slash")
        self.desktop.do("key", "ctrl+a")
        self.desktop.do("key", "ctrl+v")
        self.desktop.wait_until(lambda: xclip.poll() is not None, "the program does not ask for the clipboard")

    def search_box_holds(self, text):
        # The clipboard must not hold the answer beforehand, and no copy may still be under way when the next text is put there.
        held = [""]

        def holds():
            self.copy("(nothing copied)")
            self.desktop.do("key", "ctrl+a")
            self.desktop.do("key", "ctrl+c")
            with contextlib.suppress(AssertionError):  # the box may not have had the keyboard yet
                self.desktop.wait_until(lambda: self.clipboard() != "(nothing copied)", "", 5)
            held[0] = self.clipboard()
            return held[0] == text

        try:
            self.desktop.wait_until(holds, "", 30)
        except AssertionError:
            self.fail(f"the search box holds {held[0]!r} instead of {text!r}")

    def test_pasted_text_of_any_script_is_searched_for(self):
        self.start()
        for text in ("漢字 ひらがな 한글", "naïve Ünïcode"):
            self.paste(text)
            self.search_box_holds(text)
            self.desktop.do("key", "Escape")

    def test_dead_keys_compose_and_letters_of_other_keyboards_can_be_typed(self):
        case_needs(self, "setxkbmap", "xkbcomp")
        self.start()
        subprocess.run(["setxkbmap", "us", "-variant", "intl", "-option", "compose:menu"], env=self.desktop.environment, check=True)
        self.desktop.do("key", "ctrl+f")
        self.desktop.do("key", "--delay", "60", "dead_acute", "e")
        self.desktop.do("key", "--delay", "60", "dead_diaeresis", "u")
        self.search_box_holds("éü")
        self.desktop.do("key", "BackSpace")
        self.desktop.do("key", "--delay", "60", "Multi_key", "s", "s")
        self.search_box_holds("ß")

    def test_letters_after_the_sign_for_commands_all_reach_the_command_box(self):
        # Frames are slow, so that letters come while neither box has the keyboard.
        self.start("env", "TRACEVIEW_FRAME_DELAY_MS=80")
        for delay in (20, 90):
            self.desktop.do("key", "slash")
            self.desktop.do("type", "--delay", delay, ">pin lane")
            self.search_box_holds("pin lane")
            for _ in range(3):
                self.desktop.do("key", "Escape")

    def test_nothing_is_on_the_network(self):
        case_needs(self, "strace")
        log = tempfile.NamedTemporaryFile(suffix=".strace")
        self.addCleanup(log.close)
        self.start("strace", "-f", "-qq", "-e", "trace=%network", "-o", log.name)
        for key in ("1", "2", "3", "shift+t", "ctrl+shift+p", "Escape", "F1", "Escape", "ctrl+f", "a", "Return", "Escape", "F5"):
            self.desktop.do("key", key)
        self.paste("done")
        self.search_box_holds("done")  # all earlier keys have been handled
        sockets = set(re.findall(r"socket\((\w+)", pathlib.Path(log.name).read_text()))
        self.assertEqual(sockets, {"AF_UNIX"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop("xclip")
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
