"""A desktop for tests: an X server of its own (Xvfb), a window manager on it (openbox), and a person with a mouse and a keyboard
(xdotool), who does what real ones do: the server sees the keys. `missing()` names what is not installed.
"""

import ctypes
import os
import shutil
import subprocess
import time


def missing(*programs):
    """What of these a test needs and this machine has not; the tests are skipped then."""
    return [name for name in ("Xvfb", "openbox", "xdotool", *programs) if not shutil.which(name)]


class Desktop:
    def __init__(self, folder, width=1800, height=1000):
        self.folder, self.started = folder, []
        read, write = os.pipe()
        self.run("Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as file:
            self.display = ":" + file.readline().strip()
        # No bus, no dialogs of another desktop, no folders of the person who runs the tests.
        home = os.path.join(folder, "home")
        os.makedirs(home, exist_ok=True)
        dropped = ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "SESSION_MANAGER")
        self.environment = {k: v for k, v in os.environ.items() if k not in dropped} | {
            "DISPLAY": self.display, "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_CACHE_HOME": home + "/cache",
            "TRACEVIEW_CONFIG_DIR": folder + "/config", "TRACEVIEW_STATE_DIR": folder + "/state", "LC_ALL": "C.UTF-8",
        }  # fmt: skip
        self.run("openbox")
        # It answers once it manages windows.
        self.wait_until(lambda: self.output("xdotool", "get_num_desktops").isdigit(), "no window manager")

    def run(self, *command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        options.setdefault("stderr", subprocess.DEVNULL)
        process = subprocess.Popen(command, env=getattr(self, "environment", None), **options)
        self.started.append(process)
        return process

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
                raise AssertionError(f"{said}; windows: {self.windows()}")
            time.sleep(0.05)

    def windows(self):
        """The titles of those that can be seen, by their ids."""
        ids = self.output("xdotool", "search", "--onlyvisible", "--name", ".+").split()
        return {each: self.output("xdotool", "getwindowname", each) for each in ids}

    def window(self, title, seconds=40):
        def there():
            return next((each for each, name in self.windows().items() if name == title), None)

        return self.wait_until(there, f"no window {title!r}", seconds)

    def place(self, window, x, y):
        self.do("windowmove", "--sync", window, x, y)

    def corner(self, window):
        """Where the inside of a window begins, and how large it is."""
        values = dict(line.split("=") for line in self.output("xdotool", "getwindowgeometry", "--shell", window).splitlines())
        return int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"])

    def pixel(self, x, y):
        """As it is on the screen."""
        lib = ctypes.CDLL("libX11.so.6")
        lib.XOpenDisplay.restype = lib.XGetImage.restype = ctypes.c_void_p
        lib.XDefaultRootWindow.restype = ctypes.c_ulong
        lib.XDefaultRootWindow.argtypes = lib.XCloseDisplay.argtypes = [ctypes.c_void_p]
        lib.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_ulong, ctypes.c_int]
        display = lib.XOpenDisplay(self.display.encode())
        try:
            image = lib.XGetImage(display, lib.XDefaultRootWindow(display), int(x), int(y), 1, 1, 0xFFFFFFFF, 2)
            return ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, 3)
        finally:
            lib.XCloseDisplay(display)
