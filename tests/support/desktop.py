"""A desktop for tests: an X server of its own (Xvfb), a window manager on it (openbox), and xdotool in place of a person with a
mouse and a keyboard. Its clicks and keys go through the server, as real ones do.
"""

import contextlib
import ctypes
import os
import subprocess
import tempfile
import time

import skips


def script_needs_desktop(*programs):
    """Skips the script unless the programs of a desktop and these ones are installed."""
    skips.script_needs("Xvfb", "openbox", "xdotool", *programs)


class Desktop:
    def __init__(self, folder, width=1800, height=1000):
        self.folder, self.started, self.width, self.height = folder, [], width, height
        read, write = os.pipe()
        self.run("Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-noreset", pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as file:
            self.display = ":" + file.readline().strip()
        # Programs get no bus, no dialogs of another desktop, and no folders of the person who runs the tests.
        home = os.path.join(folder, "home")
        os.makedirs(home, exist_ok=True)
        dropped = ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "SESSION_MANAGER")
        self.environment = {k: v for k, v in os.environ.items() if k not in dropped} | {
            "DISPLAY": self.display, "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_CACHE_HOME": home + "/cache",
            "TRACEVIEW_CONFIG_DIR": folder + "/config", "TRACEVIEW_STATE_DIR": folder + "/state", "LC_ALL": "C.UTF-8",
        }  # fmt: skip
        self.run("openbox", "--sm-disable")
        self.wait_until(self.is_managed, "no window manager")

    def run(self, *command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        with open(self.said_by(len(self.started)), "wb") as said:
            options.setdefault("stderr", said)
            process = subprocess.Popen(command, env=getattr(self, "environment", None), **options)
        self.started.append(process)
        return process

    def said_by(self, number):
        return os.path.join(self.folder, f"said-{number}.txt")

    def is_managed(self):
        """Whether the window manager obeys. It answers how many desktops there are before it does, and a window that is opened in the
        meantime does not appear until something else happens. So this asks for 3 desktops and looks whether there are 3."""
        number = self.output("xdotool", "get_num_desktops")
        if number.isdigit() and number != "3":
            self.output("xdotool", "set_num_desktops", "3")
        return number == "3"

    def programs(self):
        """The state of each program and the end of its output, for the message of a test that fails."""
        lines = []
        for number, process in enumerate(self.started):
            with open(self.said_by(number), errors="replace") as said:
                last = said.read()[-500:].strip()
            state = "runs" if process.poll() is None else f"ended with {process.returncode}"
            lines.append(f"  {' '.join(process.args[:1])} {state}{': ' + last if last else ''}")
        return "\n".join(lines)

    def end(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
        for process in reversed(self.started):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdout, process.stderr, process.stdin):
                if stream:
                    stream.close()

    def output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout.strip()

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def wait_until(self, what, said, seconds=40):
        end = time.monotonic() + seconds
        while True:
            found = what()
            if found:
                return found
            if time.monotonic() > end:
                said += f"; the screen is in {self.photograph()}"
                raise AssertionError(f"{said}; windows: {self.windows()}; programs:\n{self.programs()}")
            time.sleep(0.05)

    def rest(self, look, times=5):
        """Waits until look() gives the same so many times in a row, 50 ms apart, and returns that. A cursor blinks more slowly than that."""
        seen, same = look(), 1

        def still():
            nonlocal seen, same
            now = look()
            seen, same = now, same + 1 if now == seen else 1
            return same >= times

        self.wait_until(still, "the window does not come to rest")
        return seen

    def windows(self):
        """The titles of the visible windows by their ids."""
        ids = self.output("xdotool", "search", "--onlyvisible", "--name", ".+").split()
        return {each: self.output("xdotool", "getwindowname", each) for each in ids}

    def window(self, title, seconds=40):
        def there():
            return next((each for each, name in self.windows().items() if name == title), None)

        return self.wait_until(there, f"no window {title!r}", seconds)

    def place(self, window, x, y):
        self.do("windowmove", "--sync", window, x, y)

    def activate(self, window):
        """Gives the window the keyboard. Asks again and again, as a window manager that has just started may ignore it at first."""

        def active():
            subprocess.run(["xdotool", "windowactivate", window], env=self.environment, stderr=subprocess.DEVNULL)
            return self.output("xdotool", "getactivewindow") == str(window)

        self.wait_until(active, f"the window {window} does not get the keyboard")

    def corner(self, window):
        """The top left corner of a window's inside on the screen, and its width and height."""
        place = [ctypes.c_int() for _ in range(2)]
        size = [ctypes.c_uint() for _ in range(4)]
        with self.connection() as (x, display, root):
            other, ignored = ctypes.c_ulong(), ctypes.c_int()
            at, refs = int(window), [ctypes.byref(each) for each in size]
            x.XGetGeometry(display, at, ctypes.byref(other), ctypes.byref(ignored), ctypes.byref(ignored), *refs)
            x.XTranslateCoordinates(display, at, root, 0, 0, *(ctypes.byref(each) for each in place), ctypes.byref(other))
        return place[0].value, place[1].value, size[0].value, size[1].value

    def pixel(self, x, y):
        return self.pixels(x, y, 1, 1)[:3]

    def pixels(self, x, y, width, height):
        """The bytes of the pixels on the screen, line by line: blue, green, red and one unused."""
        with self.connection() as (lib, display, root):
            image = lib.XGetImage(display, root, int(x), int(y), width, height, 0xFFFFFFFF, 2)
            return ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, 4 * width * height)

    def photograph(self):
        """Writes a picture of the screen that outlives the test, and returns its path."""
        with tempfile.NamedTemporaryFile(prefix="traceview-screen-", suffix=".ppm", delete=False) as file:
            shown, colors = self.pixels(0, 0, self.width, self.height), bytearray(3 * self.width * self.height)
            for color in range(3):
                colors[color::3] = shown[2 - color :: 4]
            file.write(f"P6 {self.width} {self.height} 255\n".encode() + colors)
        return file.name

    @contextlib.contextmanager
    def connection(self):
        lib = ctypes.CDLL("libX11.so.6")
        pointer, long, whole, part = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
        lib.XOpenDisplay.restype = lib.XGetImage.restype = pointer
        lib.XDefaultRootWindow.restype = long
        lib.XDefaultRootWindow.argtypes = lib.XCloseDisplay.argtypes = [pointer]
        lib.XGetImage.argtypes = [pointer, long, whole, whole, part, part, long, whole]
        lib.XGetGeometry.argtypes = [pointer, long] + [pointer] * 7
        lib.XTranslateCoordinates.argtypes = [pointer, long, long, whole, whole] + [pointer] * 3
        display = lib.XOpenDisplay(self.display.encode())
        try:
            yield lib, display, lib.XDefaultRootWindow(display)
        finally:
            lib.XCloseDisplay(display)
