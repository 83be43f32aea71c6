#!/usr/bin/env python3
"""The desktop's own file dialogs, opened for real: the portal over a session bus (xdg-desktop-portal with its GTK backend), zenity
and kdialog. Each is cancelled once, and once a file is chosen by keyboard. Another case has none that works. The window answers
meanwhile. A case is skipped if its programs are not installed; exit 77 without Xvfb, openbox and xdotool.

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
        """Starts the program; for the portal's dialog it uses the bus that bus() has started."""
        self.desktop.environment |= {"TRACEVIEW_DIALOG": dialog, **environment}
        self.program = self.desktop.run(TRACEVIEW, self.first)
        self.window = self.desktop.window("first.json - traceview")
        self.desktop.place(self.window, 20, 40)

    def ask(self):
        """Presses Ctrl+O and returns the window that appears. Presses it again if none does, because the program of the previous dialog
        may have closed its window without having ended: traceview opens only one dialog at a time."""
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
        """Checks that the window answers while the dialog is open and may keep the keyboard: the first menu lights up under the mouse."""
        left, top, _, _ = self.desktop.corner(self.window)
        self.desktop.do("mousemove", 1790, 990)
        time.sleep(0.3)
        menu = lambda: self.desktop.pixels(left, top, 60, 40)  # noqa: E731
        before = menu()
        self.desktop.do("mousemove", left + 28, top + 18)
        self.desktop.wait_until(lambda: menu() != before, "the window does not answer while a dialog is open")

    def type_path(self, dialog, path, shortcut=None, again=False):
        """Types a path into the dialog: GTK's opens a box for it at a slash or Ctrl+L, Qt's always has one."""
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
        """Chooses a path. Types it again, replacing what is there, if the keys came too early on a busy machine or Qt's list of
        completions took the last one; every second time without the shortcut, which closes GTK's box if it is open. If only a part of
        the path was typed, KDialog complains in a box, which is closed."""
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
        """`in_folder`: the dialog shows the folder of the open file, so a name is enough. The completion of a whole path reads every
        folder of the path, and may take the Enter key."""
        dialog = self.ask()
        self.frames_go_on()
        self.desktop.activate(dialog)
        self.desktop.do("key", "Escape")
        self.gone(dialog)
        self.desktop.window("first.json - traceview")
        # The program then asks whether to replace the open file, add to it or open a new tab. Enter takes the safest, a new tab.
        link = os.path.join(self.folder, "b.json")  # the test types no Chinese letters, but the link leads to a file with some
        os.symlink(self.second, link)
        dialog = self.ask()
        self.choose(dialog, "b.json" if in_folder else link, shortcut)
        self.desktop.activate(self.window)

        def opened():
            self.desktop.do("key", "Return")
            return "b.json - traceview" in " ".join(self.desktop.windows().values())

        self.desktop.wait_until(opened, "the chosen file is not opened")
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
        # The bus starts no service by itself: only those that a test has started are there.
        config = os.path.join(self.folder, "bus.conf")
        pathlib.Path(config).write_text(BUS.format(runtime))
        bus = self.desktop.run("dbus-daemon", "--config-file=" + config, "--nofork", "--print-address=1", stdout=subprocess.PIPE, text=True)
        self.desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()

    def wait_for_name(self, name):
        ask = ("dbus-send", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", "string:" + name)
        self.desktop.wait_until(lambda: "true" in self.desktop.output(*ask), f"no service has the name {name}")

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

        self.desktop.wait_until(opened, "the file that kdialog named is not opened")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs_desktop()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
