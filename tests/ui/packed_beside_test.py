#!/usr/bin/env python3
"""The window with several packed traces, and with packed traces and files at once: viewing, searching, selecting and reloading.

    python3 tests/ui/packed_beside_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""


def rank_events(rank):
    base = {"pid": rank, "tid": 1}
    out = [{"name": "process_name", "ph": "M", "pid": rank, "args": {"name": f"rank {rank}"}}]
    for i in range(200):
        at = 1000 * i + 10 * rank
        out.append(base | {"ph": "X", "name": f"launch{i % 5}", "cat": "cpu_op", "ts": at, "dur": 300, "args": {"number": i}})
        out.append({"ph": "X", "name": f"kernel{i % 7}", "cat": "kernel", "pid": rank, "tid": "stream 7", "ts": at + 400, "dur": 350 + i})
        out.append(base | {"ph": "s", "name": "go", "cat": "ac2g", "id": i, "ts": at + 1})
        out.append({"ph": "f", "name": "go", "cat": "ac2g", "id": i, "bp": "e", "pid": rank, "tid": "stream 7", "ts": at + 401})
        out.append({"ph": "C", "name": "memory", "pid": rank, "ts": at, "args": {"bytes": i * 100}})
        out.append(base | {"ph": "i", "name": "mark", "ts": at + 5, "s": "t"})
    return out


class PackedBeside(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-beside-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = os.environ | {"TRACEVIEW_CACHE_DIR": os.path.join(self.folder, "cache"), "HOME": self.folder}
        for rank in range(3):
            with open(os.path.join(self.folder, f"rank{rank}.json"), "w", encoding="utf-8") as out:
                json.dump(rank_events(rank), out)
        for rank in range(2):
            self.traceview("pack", f"rank{rank}.json", "-o", f"rank{rank}.tvx")

    def traceview(self, *words, script=None):
        result = subprocess.run([TRACEVIEW, *words], capture_output=True, text=True, timeout=200, env=self.environment,
                                cwd=self.folder, input=script)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_one_after_the_other(self):
        """A rank is added to a run: the selection stays, and the view is the same as if all ranks had been opened at once."""
        one_by_one = self.traceview("script", "-", script=f"""
open {self.folder}/rank0.json {self.folder}/rank1.json
expect trace.slices = 800
expect trace.segments = 2
click slice kernel3 "rank 1"
expect selected.name = kernel3
add {self.folder}/rank2.json
expect trace.slices = 1200
expect trace.segments = 3
expect selected.name = kernel3
press [
expect selected.name ~ launch
press Esc
add {self.folder}/rank1.tvx
expect trace.slices = 1200
press F5
expect trace.slices = 1200
press Home
state
""")
        at_once = self.traceview("script", "-", script=f"""
open {self.folder}/rank0.json {self.folder}/rank1.json {self.folder}/rank2.json
press Home
state
""")
        one_by_one, at_once = (json.loads(printed) for printed in (one_by_one, at_once))
        for part in ("view", "lanes"):
            self.assertEqual(one_by_one[part], at_once[part])

    def test_another_run_in_its_place(self):
        """Another run is opened in place of the first. Its picture shows nothing of the first, although both have the same charts."""
        after = os.path.join(self.folder, "after.png")
        alone = os.path.join(self.folder, "alone.png")
        first, second = f"{self.folder}/rank0.json {self.folder}/rank1.json", f"{self.folder}/rank2.json"
        self.traceview("script", "-", script=f"window 1366 768 1\nopen {first}\nsettle\nopen {second}\nsettle\nscreenshot {after}\n")
        self.traceview("script", "-", script=f"window 1366 768 1\nopen {second}\nsettle\nscreenshot {alone}\n")
        with open(after, "rb") as a, open(alone, "rb") as b:
            self.assertTrue(a.read() == b.read(), "the pictures differ")

    def test_at_work(self):
        self.traceview("script", "-", script=f"""
open {self.folder}/rank0.tvx {self.folder}/rank1.tvx
expect trace.slices = 800
click slice kernel3 "rank 1"
expect selected.name = kernel3
press [
expect selected.name ~ launch
press ]
expect selected.name = kernel3
press N
press Ctrl+A
press /
type "kernel"
press Enter
expect search.hits = 400
press Esc
press Esc
add {self.folder}/rank2.json
expect trace.slices = 1200
click slice launch2 "rank 2"
expect selected.name = launch2
click slice kernel4 "rank 0"
press F
press F5
wait
expect trace.slices = 1200
expect selected.name = kernel4
press Ctrl+Shift+F
press Home
press W 3
press D 5
""")

    def test_pictures_are_those_of_the_files(self):
        plain = ["rank0.json", "rank1.json", "rank2.json"]
        mixed = ["rank0.tvx", "rank1.tvx", "rank2.json"]
        for name, paths in (("plain", plain), ("mixed", mixed)):
            self.traceview("screenshot", *paths, "-o", f"{name}.svg", "--svg", "--timeline", "--no-cache")
        with open(os.path.join(self.folder, "plain.svg"), encoding="utf-8") as one, open(os.path.join(self.folder, "mixed.svg"), encoding="utf-8") as other:
            self.assertEqual(one.read(), other.read())


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
