#!/usr/bin/env python3
"""Files dragged from another program and dropped on the window: with and without Shift, which the window cannot see as a key because
it does not have the keyboard then, and from another machine. On an X server of its own (Xvfb); exit 77 without one.

    python3 tests/ui/drop_test.py --traceview build/release/app/traceview

The other program is this one: it speaks XDND (https://freedesktop.org/wiki/Specifications/XDND) through libX11.
"""

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import script_needs  # noqa: E402

TRACEVIEW = ""
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
SHIFT_MASK, CORE_KEYBOARD = 1, 0x100
EVENT_BYTES = 192
LEFT, MIDDLE, RIGHT = (230, 430), (700, 430), (1170, 430)  # the three targets, in a window of 1400 x 860


class Event:
    """An XEvent by the offsets of Xlib.h on 64-bit machines."""

    def __init__(self):
        self.bytes = ctypes.create_string_buffer(EVENT_BYTES)

    def long(self, offset, value=None):
        at = ctypes.c_ulong.from_buffer(self.bytes, offset)
        if value is not None:
            at.value = value
        return at.value

    def int(self, offset, value=None):
        at = ctypes.c_int.from_buffer(self.bytes, offset)
        if value is not None:
            at.value = value
        return at.value


class FileManager:
    def __init__(self, display):
        x = self.x = ctypes.CDLL("libX11.so.6")
        long, pointer = ctypes.c_ulong, ctypes.c_void_p
        x.XOpenDisplay.restype = pointer
        x.XDefaultRootWindow.restype = x.XCreateSimpleWindow.restype = x.XInternAtom.restype = long
        x.XDefaultRootWindow.argtypes = x.XFlush.argtypes = x.XPending.argtypes = [pointer]
        x.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
        x.XCreateSimpleWindow.argtypes = [pointer, long] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [long] * 2
        x.XSetSelectionOwner.argtypes = [pointer, long, long, long]
        x.XSendEvent.argtypes = [pointer, long, ctypes.c_int, ctypes.c_long, pointer]
        x.XNextEvent.argtypes = [pointer, pointer]
        x.XChangeProperty.argtypes = [pointer, long, long, long, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
        x.XQueryTree.argtypes = [pointer, long] + [pointer] * 4
        x.XFetchName.argtypes = [pointer, long, pointer]
        x.XGetImage.restype = pointer
        x.XGetImage.argtypes = [pointer, long, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, long, ctypes.c_int]
        x.XkbLockModifiers.argtypes = [pointer, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint]
        self.display = x.XOpenDisplay(display.encode())
        self.root = x.XDefaultRootWindow(self.display)
        self.window = x.XCreateSimpleWindow(self.display, self.root, 0, 0, 1, 1, 0, 0, 0)
        # As in a real drag, the window has not seen the mouse enter: it belongs to the program that the files come from.
        x.XWarpPointer.argtypes = [pointer, long, long] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_int] * 2
        x.XWarpPointer(self.display, 0, self.root, 0, 0, 0, 0, 1590, 890)
        self.selection = self.atom("XdndSelection")
        x.XSetSelectionOwner(self.display, self.selection, self.window, 0)

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def titles(self):
        """The titles of the windows on the screen, which are children of the root: there is no window manager."""
        root, parent, children, count = (ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint())
        self.x.XQueryTree(self.display, self.root, *(ctypes.byref(v) for v in (root, parent, children, count)))
        out = {}
        for i in range(count.value):
            name = ctypes.c_char_p()
            if self.x.XFetchName(self.display, children[i], ctypes.byref(name)) and name.value:
                out[children[i]] = name.value.decode()
        return out

    def shift(self, down):
        self.x.XkbLockModifiers(self.display, CORE_KEYBOARD, SHIFT_MASK, SHIFT_MASK if down else 0)
        self.x.XFlush(self.display)

    def message(self, target, kind, *data):
        event = Event()
        event.int(0, CLIENT_MESSAGE)
        event.long(32, target)
        event.long(40, self.atom(kind))
        event.int(48, 32)
        for i, value in enumerate((self.window, *data)):
            event.long(56 + 8 * i, value)
        self.x.XSendEvent(self.display, target, 0, 0, event.bytes)
        self.x.XFlush(self.display)

    def wait_for(self, kind, uris, seconds=20):
        """Waits until the window sends this message, and hands the files over when it asks for them."""
        wanted, end = self.atom(kind), time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.x.XPending(self.display):
                time.sleep(0.005)
                continue
            event = Event()
            self.x.XNextEvent(self.display, event.bytes)
            if event.int(0) == CLIENT_MESSAGE and event.long(40) == wanted:
                return
            if event.int(0) == SELECTION_REQUEST:
                requestor, target, name = event.long(40), event.long(56), event.long(64)
                self.x.XChangeProperty(self.display, requestor, name, target, 8, 0, uris, len(uris))
                answer = Event()
                answer.int(0, SELECTION_NOTIFY)
                for offset, value in ((32, requestor), (40, event.long(48)), (48, target), (56, name), (64, event.long(72))):
                    answer.long(offset, value)
                self.x.XSendEvent(self.display, requestor, 0, 0, answer.bytes)
                self.x.XFlush(self.display)
        raise TimeoutError(kind)

    def pixels(self, target, x, y, height):
        """A column of pixels on the screen, from this place down, four bytes each."""
        image = self.x.XGetImage(self.display, target, x, y, 1, height, 0xFFFFFFFF, 2)
        return ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, 4 * height)

    def pixel(self, target, x, y):
        return self.pixels(target, x, y, 1)[:3]

    def column(self, target, x, y):
        """The column of pixels above and below a place, across the edges of a drop target."""
        up = min(y, 180)
        return self.pixels(target, x, y - up, up + 100)

    def drop(self, target, *uris, at=LEFT, seen=True):
        """Drops at a place of the window: once the targets are drawn there, or with `seen` false at once."""
        text = "".join(uri + "\r\n" for uri in uris).encode()
        x, y = at
        before, same = self.column(target, x + 30, y), 0
        while same < 10:  # until what was opened last is drawn
            time.sleep(0.05)
            now = self.column(target, x + 30, y)
            before, same = now, same + 1 if now == before else 0
        self.message(target, "XdndEnter", 5 << 24, self.atom("text/uri-list"))
        end = time.monotonic() + 30
        step = 0
        while True:
            step += 1
            self.message(target, "XdndPosition", 0, (x + step % 2) << 16 | y, 0, self.atom("XdndActionCopy"))
            self.wait_for("XdndStatus", text)
            if not seen or self.column(target, x + 30, y) != before:
                break
            if time.monotonic() >= end:
                raise TimeoutError("no targets are drawn")
            time.sleep(0.02)
        self.message(target, "XdndDrop", 0, 0)
        self.wait_for("XdndFinished", text)


class Drops(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-drop-")
        self.addCleanup(shutil.rmtree, self.folder)
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24", "-noreset"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.server)
        os.close(write)
        with os.fdopen(read) as file:
            self.display = ":" + file.readline().strip()
        self.environment = {k: v for k, v in os.environ.items() if k != "WAYLAND_DISPLAY"} | {
            "DISPLAY": self.display, "TRACEVIEW_CONFIG_DIR": self.folder + "/config", "TRACEVIEW_STATE_DIR": self.folder + "/state",
        }  # fmt: skip
        self.first = self.write("first.json", 3)
        self.window = subprocess.Popen([TRACEVIEW, self.first], env=self.environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, self.window)
        self.addCleanup(self.window.stderr.close)
        self.manager = FileManager(self.display)
        self.target = self.wait_for_title("first.json - traceview")

    def end(self, process):
        process.terminate()
        process.wait(timeout=30)

    def write(self, name, slices):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump([{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i in range(slices)], file)
        return path

    def wait_for_title(self, wanted, seconds=40):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for window, title in self.manager.titles().items():
                if title == wanted:
                    return window
            self.assertIsNone(self.window.poll(), "the window has gone")
            time.sleep(0.05)
        self.fail(f"no window {wanted}: {self.manager.titles()}")

    def test_a_drop_replaces_with_shift_it_adds(self):
        second, third = self.write("second.json", 4), self.write("third one.json", 5)
        self.manager.drop(self.target, "file://" + second)
        self.wait_for_title("second.json - traceview")
        self.manager.shift(True)
        self.manager.drop(self.target, "file://" + third.replace(" ", "%20"))
        self.wait_for_title("second.json and 1 more - traceview")
        self.manager.shift(False)
        self.manager.drop(self.target, "file://" + self.first)
        self.wait_for_title("first.json - traceview")

    def test_where_it_is_dropped_counts(self):
        second, third = self.write("second.json", 4), self.write("third.json", 5)
        self.manager.drop(self.target, "file://" + second, at=RIGHT)
        self.wait_for_title("second.json - traceview")
        self.manager.drop(self.target, "file://" + third, at=MIDDLE)
        self.wait_for_title("second.json and 1 more - traceview")
        self.manager.drop(self.target, "file://" + third, at=LEFT)
        self.wait_for_title("third.json - traceview")

    def test_a_file_of_another_machine_changes_nothing(self):
        self.write("second.json", 4)
        self.manager.drop(self.target, "file://elsewhere" + os.path.join(self.folder, "second.json"))
        self.manager.drop(self.target, "file://" + os.path.join(self.folder, "gone.json"))
        self.manager.shift(True)
        self.manager.drop(self.target, "file://" + os.path.join(self.folder, "second.json"))
        self.wait_for_title("first.json and 1 more - traceview")


def program_under_test():
    """The program of --traceview, and the other arguments, which are for unittest; exit 77 if there is no Xvfb."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    script_needs("Xvfb")
    return os.path.abspath(options.traceview), rest


if __name__ == "__main__":
    TRACEVIEW, others = program_under_test()
    unittest.main(argv=[sys.argv[0], *others])
