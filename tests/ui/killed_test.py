#!/usr/bin/env python3
"""The program is killed with -9 while it reads and while it writes its cache (J10): the next start offers what was open, does not
believe half-written files, and opens a folder with broken and foreign files as before. On an X server of its own (Xvfb); exit 77
without one.

    python3 tests/ui/killed_test.py --traceview build/release/app/traceview
"""

import gzip
import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import remember_test  # noqa: E402
from drop_test import program_under_test  # noqa: E402

MANY = 400_000  # slices: traces that take less than 8 MiB in memory are not cached


def event(name, i):
    return {"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5}


class Killed(remember_test.Restarts):
    def setUp(self):
        super().setUp()
        self.cache = os.path.join(self.folder, "cache")
        self.environment["TRACEVIEW_CACHE_DIR"] = self.cache
        os.environ["TRACEVIEW_CACHE_DIR"] = self.cache

    def tearDown(self):
        os.environ.pop("TRACEVIEW_CACHE_DIR")

    def cached(self):
        """The entries of the cache, whole or not."""
        return [os.path.join(self.cache, name) for name in os.listdir(self.cache)] if os.path.isdir(self.cache) else []

    def slices_of(self, path):
        out = subprocess.run([remember_test.TRACEVIEW, "info", path, "--json"], capture_output=True, text=True, env=self.environment)
        return json.loads(out.stdout)["slices"]

    def kill(self, program):
        program.send_signal(signal.SIGKILL)
        program.wait()

    def offered_again(self, path, slices):
        self.play("expect start.shown = true", "expect start.crashed = true", f"expect start.session ~ {os.path.basename(path)}",
                  "click start Reopen", "wait", "expect start.shown = false", f"expect trace.slices = {slices}")  # fmt: skip

    def test_while_it_reads_and_while_it_writes_the_cache(self):
        path = os.path.join(self.folder, "many.json")
        with open(path, "w") as file:
            file.write("[" + ",\n".join(json.dumps(event(f"kernel {i % 7}", i)) for i in range(MANY)) + "]")
        program = self.start(path)  # reads
        self.wait_until(lambda: "many.json" in self.text_of("state/session.json") or program.poll() is not None, "the session is not kept")
        self.kill(program)
        self.offered_again(path, MANY)
        for entry in self.cached():
            os.remove(entry)
        program = self.start(path)  # writes what it has read
        self.wait_until(self.cached, "no cache is written")
        self.kill(program)
        self.assertEqual(self.slices_of(path), MANY)
        self.offered_again(path, MANY)
        program = self.start(path)  # reads the cache, which is whole by now
        self.window_titled("many.json - traceview")
        self.kill(program)
        self.offered_again(path, MANY)

    def test_with_a_folder_of_broken_and_foreign_files(self):
        folder = os.path.join(self.folder, "坏的 logs")
        for host in ("host a", "host b"):
            os.makedirs(os.path.join(folder, host))
            whole = json.dumps([event("same name", i) for i in range(50)]).encode()
            files = {
                "trace.json": whole, "cut.json.gz": gzip.compress(whole * 200)[: -2000], "open.json": whole[:-3], "empty.json": b"",
                "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(64), "跟踪 1.json": whole,
                "quotes.json": b'[{"ph":"X","name":"a "b" \\q c","pid":1,"tid":1,"ts":1,"dur":2}]',
            }  # fmt: skip
            for name, data in files.items():
                with open(os.path.join(folder, host, name), "wb") as file:
                    file.write(data)
        slices = self.slices_of(folder)
        self.assertGreater(slices, 200)
        for _ in range(2):
            program = self.start(folder)
            self.wait_until(lambda: "坏的 logs" in self.text_of("state/session.json"), "the session is not kept")
            self.kill(program)
            self.offered_again("logs", slices)


if __name__ == "__main__":
    remember_test.TRACEVIEW, others = program_under_test()
    unittest.main(argv=[sys.argv[0], *others])
