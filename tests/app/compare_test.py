#!/usr/bin/env python3
"""Two recordings of the same ranks, before and after a change: sides, lanes, GPUs and steps are named by what differs in the paths
of their files, and come in the order in which the files were given.

    python3 tests/app/compare_test.py --traceview build/traceview [TEST...]
"""

import argparse
import gzip
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SUPPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support")
TRACEVIEW = ""
DAY_US = 86_400_000_000
KERNELS = 12


def recording(rank, begin_us, kernel_us, ranks=1, pid=4711):
    """One step of a rank as PyTorch's profiler writes it: launches, kernels of `kernel_us`, and allreduces that do not change."""
    events = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#10", "pid": pid, "tid": pid, "ts": begin_us, "dur": 20000}]
    at = begin_us + 100
    for i in range(KERNELS):
        call = {"correlation": i + 1}
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": pid, "tid": pid, "ts": begin_us + 50 + i,
                       "dur": 1, "args": call})
        events.append({"ph": "X", "cat": "kernel", "name": f"gemm_{i % 3}", "pid": rank, "tid": 7, "ts": at, "dur": kernel_us,
                       "args": {"stream": 7, "device": rank, **call}})
        at += kernel_us + 5
    for i in range(5):
        events.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": rank, "tid": 20,
                       "ts": begin_us + 15000 + 700 * i + rank, "dur": 300 - rank, "args": {"stream": 20, "device": rank}})
    named = [(pid, "CPU"), (rank, f"GPU {rank}")]
    for process, label in named:
        events.append({"ph": "M", "name": "process_name", "pid": process, "args": {"name": "python3"}})
        events.append({"ph": "M", "name": "process_labels", "pid": process, "args": {"labels": label}})
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": ranks},
                       "traceEvents": events})


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-compare-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, "cache")}

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        opened = gzip.open if name.endswith(".gz") else open
        with opened(path, "wt") as file:
            file.write(text)
        return name

    def run_it(self, *arguments, expect=0):
        done = subprocess.run([TRACEVIEW, *arguments], capture_output=True, text=True, cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, expect, (arguments, done.stdout, done.stderr))
        return done

    def charts(self, of, *paths, settings=()):
        chosen = [word for setting in settings for word in ("--set", setting)]
        return json.loads(self.run_it("stats", *paths, "--of", of, "--json", *chosen).stdout)

    def differences(self, *paths, settings=()):
        return self.charts("differences", *paths, settings=settings)[0]

    def check_sides(self, first, second, *paths):
        """Checks that the second side takes twice as long as the first, and that the table has all figures of both."""
        chart = self.differences(*paths)
        self.assertIn(f"{second} against {first}", chart["title"])
        gemms = [row for row in chart["rows"] if row["name"].startswith("gemm")]
        self.assertEqual(len(gemms), 3)
        for row in gemms:
            self.assertEqual(len(row), 11, row)
            totals = [value for title, value in row.items() if title.startswith("total, ")]
            self.assertEqual(totals[0], 2 * totals[1], row)
            self.assertEqual(row["of total (%)"], 100)
            self.assertGreater(row["difference (ns)"], 0)
        self.assertEqual([row["difference (ns)"] for row in chart["rows"] if row["name"].startswith("nccl")], [0])
        return chart

    def lanes(self, *paths):
        """The outermost lanes, in their order."""
        found = []
        for lane in json.loads(self.run_it("info", *paths, "--json").stdout)["lanes"]:
            if lane["path"][0] not in found:
                found.append(lane["path"][0])
        return found

    def pair(self, before, after, rank=0):
        return [self.write(before, recording(rank, 1_700_000_000_000_000, 100)),
                self.write(after, recording(rank, 1_700_000_600_000_000, 200))]

    def test_files_of_other_names(self):
        paths = self.pair("before.pt.trace.json", "after.pt.trace.json")
        self.check_sides("rank 0, before", "rank 0, after", *paths)
        # Turned round: it became faster.
        chart = self.differences(*reversed(paths))
        self.assertIn("rank 0, before against rank 0, after", chart["title"])
        self.assertEqual([row["of total (%)"] for row in chart["rows"] if row["name"].startswith("gemm")], [-50] * 3)
        self.assertEqual(self.lanes(*paths), ["rank 0, before", "rank 0, after"])
        self.assertEqual(self.lanes(*reversed(paths)), ["rank 0, after", "rank 0, before"])

    def test_a_side_that_stands_for_two_is_refused(self):
        paths = self.pair("before.pt.trace.json", "after.pt.trace.json")
        done = self.run_it("stats", *paths, "--of", "differences", "--set", "difference_a=rank 0", "--set", "difference_b=rank 0", expect=2)
        self.assertIn("rank 0, before", done.stderr)
        chart = self.differences(*paths, settings=["difference_a=rank 0, after", "difference_b=rank 0, before"])
        self.assertIn("rank 0, before against rank 0, after", chart["title"])

    def test_one_name_in_two_folders(self):
        paths = self.pair("runs/new/rank0.json", "runs/old/rank0.json")
        self.check_sides("rank 0, new", "rank 0, old", *paths)
        self.check_sides("rank 0, new", "rank 0, old", "runs")  # the folder that they are in
        deep = self.pair("runs/baseline/profile/rank0.json.gz", "runs/changed/profile/rank0.json.gz")
        self.check_sides("rank 0, baseline", "rank 0, changed", *deep)

    def test_one_folder_and_different_dates(self):
        self.check_sides("rank 0, 2026-11-27", "rank 0, 2026-11-28", *self.pair("rank0_2026-11-27.json", "rank0_2026-11-28.json"))
        self.check_sides("rank 0, 2025-11-27", "rank 0, 2025-11-28",
                         *self.pair("node_17.1764252732000.pt.trace.json", "node_17.1764343935000.pt.trace.json"))

    def test_compressed_and_plain(self):
        self.check_sides("rank 0, slow", "rank 0, fast", *self.pair("slow-fusion.json.gz", "fast-fusion.json"))

    def test_no_rank(self):
        for paths, names in ((self.pair("z/trace.json", "a/trace.json"), ("trace, z", "trace, a")),
                             (self.pair("zero.json", "one.json"), ("zero", "one"))):
            for path in paths:
                with open(os.path.join(self.folder, path), encoding="utf-8") as file:
                    text = json.load(file)
                del text["distributedInfo"]
                self.write(path, json.dumps(text))
            self.check_sides(*names, *paths)
            self.assertEqual(self.lanes(*paths), list(names))

    def test_two_ranks_before_and_two_after(self):
        for before, after in (("r/before/rank{}.json", "r/after/rank{}.json"), ("before_rank{}.json", "after_rank{}.json"),
                              ("r/x/rank{}_31.json", "r/y/rank{}_57.json")):
            paths = [self.write(name.format(rank), recording(rank, begin, length, ranks=2, pid=4711 + rank))
                     for name, begin, length in ((before, 1_700_000_000_000_000, 100), (after, 1_700_000_000_000_000 + DAY_US, 200))
                     for rank in (0, 1)]
            sides = ("before", "after") if "before" in before else ("x", "y")
            self.check_sides(*sides, *paths)
            self.assertEqual(self.lanes(*paths), [f"rank {rank}, {side}" for rank in (0, 1) for side in sides])
            gpus = [gpu["gpu"] for gpu in self.charts("gpus", *paths)]
            self.assertEqual(gpus, [f"rank {rank}, {side}, GPU {rank}" for rank in (0, 1) for side in sides])

    def test_gpus_durations_steps(self):
        # Recorded at the same time, as after a clock was set back: still two recordings of one step.
        paths = [self.write(name, recording(0, 1_700_000_000_000_000, length)) for name, length in (("before.json", 100), ("after.json", 200))]
        self.assertEqual([gpu["gpu"] for gpu in self.charts("gpus", *paths)], ["rank 0, before, GPU 0", "rank 0, after, GPU 0"])
        groups = [chart for chart in self.charts("durations", *paths) if chart["id"] == "durations_groups"][0]
        self.assertEqual([row["of"] for row in groups["rows"]][-2:], ["rank 0, before", "rank 0, after"])
        steps = json.dumps(self.charts("gpu_steps", *paths))
        self.assertIn("rank 0, before", steps)
        self.assertNotIn("2 GPUs", steps)
        self.assertEqual(self.charts("stragglers", *paths)["collectives"], 0)
        found = self.charts("findings", *paths)
        self.assertNotIn("straggler", [one["id"] for one in found])
        step = self.run_it("stats", *paths, "--step", "10").stdout
        self.assertNotIn("2 processes", step)

    def test_packed(self):
        for side, length in (("one", 100), ("two", 200)):
            self.write("rank0.json", recording(0, 1_700_000_000_000_000, length))
            self.run_it("pack", "rank0.json", "-o", f"{side}.tvx")  # from the same path, with different contents
        os.remove(os.path.join(self.folder, "rank0.json"))
        self.check_sides("rank 0, one", "rank 0, two", "one.tvx", "two.tvx")
        # Both in one packed trace.
        self.run_it("pack", "one.tvx", "two.tvx", "-o", "both.tvx")
        self.check_sides("rank 0, one", "rank 0, two", "both.tvx")
        self.assertEqual(self.lanes("both.tvx"), ["rank 0, one", "rank 0, two"])

    def test_reports_of_nsight(self):
        for side, scale in (("old", "1"), ("new", "2")):
            done = subprocess.run([sys.executable, os.path.join(SUPPORT, "make_nsys.py"), "run", "--out", os.path.join(self.folder, side),
                                   "--ranks", "2", "--steps", "1", "--scale", scale], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        chart = self.differences("old", "new")
        self.assertIn("new against old", chart["title"])
        kernels = [row for row in chart["rows"] if row["name"].startswith("nvjet")]
        self.assertTrue(kernels)
        for row in kernels:
            self.assertAlmostEqual(row["of total (%)"], 100, delta=5)
        for name in self.lanes("old", "new"):
            # Each name says of which recording it is, except that of a console log.
            self.assertTrue("old" in name or "new" in name or name == "console.log", name)

    def test_columns_of_one_title(self):
        """Columns of one title have different titles in CSV, so that programs that read it by titles find each of them."""
        paths = self.pair("before.pt.trace.json", "after.pt.trace.json")
        head = next(csv.reader(io.StringIO(self.run_it("stats", *paths, "--of", "differences", "--csv").stdout)))
        self.assertEqual(len(head), len(set(head)), head)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
