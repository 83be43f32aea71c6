#!/usr/bin/env python3
"""The desktop's own dialogs for files, opened for real: the portal over a session bus (xdg-desktop-portal with its GTK backend), zenity
and kdialog, each with a file chosen by keyboard, and given up; and what happens where none of them works. The window goes on
meanwhile. Each case is skipped where its programs are not installed; exit 77 without Xvfb, openbox and xdotool.

    python3 tests/ui/desktop_dialog_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from desktop import Desktop, script_needs_desktop  # noqa: E402
from skips import case_needs  # noqa: E402

TRACEVIEW = ""
PORTAL = "/usr/libexec/xdg-desktop-portal"
PORTAL_GTK = "/usr/libexec/xdg-desktop-portal-gtk"
BUS = """<busconfig><type>session</type><listen>unix:tmpdir={}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""


class DesktopDialogs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-dialog-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.desktop = Desktop(self.folder)
        self.addCleanup(self.desktop.end)
        self.first, self.second = self.write("first.json", 3), self.write("第二 b.json", 4)

    def write(self, name, slices):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump([{"ph": "X", "name": "slice", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(slices)], file)
        return path

    def start(self, dialog, **environment):
        """The program, on a bus of its own where the dialog is the portal's."""
        self.desktop.environment |= {"TRACEVIEW_DIALOG": dialog, **environment}
        self.program = self.desktop.run(TRACEVIEW, self.first)
        self.window = self.desktop.window("first.json - traceview")
        self.desktop.place(self.window, 20, 40)

    def ask(self):
        """Ctrl+O; the window that comes then. Asks again where the program of the dialog before has closed its window but has not
        ended: traceview opens one dialog at a time, and says so."""
        before, asked = set(self.desktop.windows()), float("-inf")

        def there():
            nonlocal asked
            dialog = next((each for each, title in self.desktop.windows().items() if each not in before and title != "traceview"), None)
            if not dialog and time.monotonic() > asked + 10:
                self.desktop.activate(self.window)
                self.desktop.do("key", "ctrl+o")
                asked = time.monotonic()
            return dialog

        dialog = self.desktop.wait_until(there, "no dialog opens", 60)
        self.desktop.activate(dialog)
        return dialog

    def gone(self, dialog):
        self.desktop.wait_until(lambda: dialog not in self.desktop.windows(), "the dialog stays")

    def frames_go_on(self):
        """The window answers while the dialog is open, which may keep the keyboard: its first menu lights up below the mouse."""
        left, top, _, _ = self.desktop.corner(self.window)
        self.desktop.do("mousemove", 1790, 990)
        time.sleep(0.3)
        menu = lambda: self.desktop.pixels(left, top, 60, 40)  # noqa: E731
        before = menu()
        self.desktop.do("mousemove", left + 28, top + 18)
        self.desktop.wait_until(lambda: menu() != before, "the window stands still while a dialog is open")

    def type_path(self, dialog, path, shortcut=None, again=False):
        """Into the dialog: GTK's opens a box for paths with a slash or Ctrl+L, Qt's has one."""
        self.desktop.activate(dialog)
        if shortcut:
            self.desktop.do("key", shortcut)
            time.sleep(0.5)  # GTK's box takes the keyboard when it has slid in
        if shortcut or again:
            self.desktop.do("key", "ctrl+a")
        self.desktop.do("type", "--delay", "30", path)
        time.sleep(0.5)
        self.desktop.do("key", "Return")

    def choose(self, dialog, path, shortcut=None):
        """Types once more, in place of what is there, where the keys came too early on a busy machine, or Qt's list of completions
        took the last one. Every second time without the shortcut, which closes GTK's box if it is open. Closes the box in which KDialog
        then complains about a path that was typed in part."""
        tries = 0

        def taken():
            nonlocal tries
            if dialog not in self.desktop.windows():
                return True
            titles = self.desktop.windows()
            for box in [each for each, title in titles.items() if each != dialog and title == titles[dialog]]:
                self.desktop.activate(box)
                self.desktop.do("key", "Escape")
            self.type_path(dialog, path, shortcut if tries % 2 == 0 else None, tries > 0)
            tries += 1
            end = time.monotonic() + 10 * tries  # longer each time, so that keys that are read late are not overtaken by the next ones
            while dialog in self.desktop.windows():
                if time.monotonic() > end:
                    return False
                time.sleep(0.1)
            return True

        self.desktop.wait_until(taken, "the dialog stays", 150)

    def choose_and_give_up(self, shortcut, in_folder=True):
        """`in_folder`: the dialog shows the folder of the open file, so that a name is enough. Completions of a path, which is longer, may
        take the Enter key, and look into every folder on its way."""
        dialog = self.ask()
        self.frames_go_on()
        self.desktop.activate(dialog)
        self.desktop.do("key", "Escape")
        self.gone(dialog)
        self.desktop.window("first.json - traceview")
        # What is asked then, in the place of what is open or beside it: Enter takes the safest, a new tab.
        link = os.path.join(self.folder, "b.json")  # typing Chinese letters is the keyboard's business, opening them ours
        os.symlink(self.second, link)
        dialog = self.ask()
        self.choose(dialog, "b.json" if in_folder else link, shortcut)
        self.desktop.activate(self.window)

        def opened():
            self.desktop.do("key", "Return")
            return "b.json - traceview" in " ".join(self.desktop.windows().values())

        self.desktop.wait_until(opened, "what was chosen is not opened")
        self.assertIsNone(self.program.poll())

    def test_zenity(self):
        case_needs(self, "zenity")
        self.start("zenity")
        self.choose_and_give_up("ctrl+l")

    def test_kdialog(self):
        case_needs(self, "kdialog")
        self.start("kdialog")
        self.choose_and_give_up(None)

    def bus(self):
        case_needs(self, "dbus-daemon", "dbus-send")
        runtime = os.path.join(self.folder, "run")
        os.makedirs(runtime, mode=0o700)
        self.desktop.environment |= {"XDG_RUNTIME_DIR": runtime, "XDG_CURRENT_DESKTOP": "GNOME"}
        # It starts no service by itself: what is there is what a test has started.
        config = os.path.join(self.folder, "bus.conf")
        pathlib.Path(config).write_text(BUS.format(runtime))
        bus = self.desktop.run("dbus-daemon", "--config-file=" + config, "--nofork", "--print-address=1", stdout=subprocess.PIPE, text=True)
        self.desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()

    def wait_for_name(self, name):
        ask = ("dbus-send", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", "string:" + name)
        self.desktop.wait_until(lambda: "true" in self.desktop.output(*ask), f"nobody is {name}")

    def test_portal(self):
        case_needs(self, PORTAL, PORTAL_GTK)
        self.bus()
        self.desktop.run(PORTAL_GTK)
        self.wait_for_name("org.freedesktop.impl.portal.desktop.gtk")
        self.desktop.run(PORTAL)
        self.wait_for_name("org.freedesktop.portal.Desktop")
        self.start("portal")
        self.choose_and_give_up("ctrl+l", in_folder=False)

    def test_a_bus_without_a_portal_falls_back_to_the_next_and_at_last_to_the_window(self):
        self.bus()
        programs = os.path.join(self.folder, "bin")
        os.makedirs(programs)
        for name, body in (("zenity", "exit 127"), ("kdialog", f"echo '{self.second}'")):
            with open(os.path.join(programs, name), "w") as file:
                file.write("#!/bin/sh\necho called >> " + os.path.join(self.folder, name + ".called") + "\n" + body + "\n")
            os.chmod(os.path.join(programs, name), 0o755)
        self.start("", PATH=programs + ":" + os.environ["PATH"])
        self.desktop.activate(self.window)
        self.desktop.do("key", "ctrl+o")
        self.desktop.wait_until(lambda: os.path.exists(os.path.join(self.folder, "kdialog.called")), "kdialog is not asked", 60)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "zenity.called")))

        def opened():
            self.desktop.do("key", "Return")
            return "第二 b.json - traceview" in " ".join(self.desktop.windows().values())

        self.desktop.wait_until(opened, "what kdialog said is not opened")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
