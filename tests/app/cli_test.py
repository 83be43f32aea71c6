#!/usr/bin/env python3
"""The contract of the command line, end to end, on files in a temporary folder.

    python3 tests/app/cli_test.py --traceview build/traceview [TEST...]

Users' scripts rely on keys, order, exit codes, and on which text goes to which stream. That is tested here; the numbers of single
formats are tested by tests/oracle.
"""

import argparse
import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(TESTS, "fixtures")
TRACEVIEW = ""

SOURCE_KEYS = {"path", "format", "bytes", "slices", "instants", "counters", "flows", "rank", "worker", "step", "problems"}
PROBLEM_KEYS = {"kind", "severity", "count"}
LANE_KEYS = {"name", "path", "kind", "slices", "rows", "busy_ns", "begin_ns", "end_ns"}
INFO_KEYS = {"sources", "lanes", "slices", "flows", "lost", "begin_ns", "end_ns"}
CLOCKS_KEYS = {"verdict", "steps", "before_p90_ns", "residual_p90_ns", "workers"}
CLOCK_KEYS = {
    "run", "worker", "applied_ns", "offset_ns", "before_ns", "residual_ns", "residual_p90_ns", "steps", "proposed", "why_not",
}  # fmt: skip
STATS_KEYS = {
    "name", "category", "count", "total_ns", "self_ns", "min_ns", "mean_ns", "p50_ns", "p90_ns", "p95_ns", "p99_ns", "max_ns",
}  # fmt: skip
LANE_KINDS = {"thread", "stream", "annotation", "async", "phases", "requests", "counter"}

OK, FAILED, USAGE, NOT_RECOGNISED, LOSSES, NO_DISPLAY = 0, 1, 2, 3, 4, 6


def event(name, ts, dur, **more):
    return {"ph": "X", "name": name, "cat": "test", "pid": 1, "tid": 2, "ts": ts, "dur": dur} | more


def percentile(values, part):
    """As in numpy: interpolated between the two nearest ranks, h = (n - 1) p."""
    values = sorted(values)
    h = (len(values) - 1) * part
    low = int(h)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (h - low)


class CommandLine(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = content if isinstance(content, (bytes, str)) else json.dumps(content)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return path

    def run_it(self, *arguments, expect=OK, **more):
        command = [TRACEVIEW, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=self.folder, **more)
        self.assertEqual(result.returncode, expect, f"{command}\n{result.stderr}")
        return result

    def json_of(self, *arguments, expect=OK):
        result = self.run_it(*arguments, "--json", expect=expect)
        return json.loads(result.stdout)  # stdout holds nothing but JSON

    def fixture(self, name):
        return os.path.join(FIXTURES, name)

    # --- info ---

    def test_info_has_the_keys_of_the_contract(self):
        info = self.json_of("info", FIXTURES)
        self.assertLessEqual(INFO_KEYS, info.keys())
        self.assertGreater(len(info["sources"]), 70)
        self.assertGreater(len(info["lanes"]), 70)
        for source in info["sources"]:
            self.assertLessEqual(SOURCE_KEYS, source.keys())
            for problem in source["problems"]:
                self.assertLessEqual(PROBLEM_KEYS, problem.keys())
                self.assertIn(problem["severity"], {"info", "warning", "data-loss"})
                self.assertGreater(problem["count"], 0)
        for lane in info["lanes"]:
            self.assertLessEqual(LANE_KEYS, lane.keys())
            self.assertIn(lane["kind"], LANE_KINDS)
            self.assertEqual(lane["path"][-1], lane["name"])
            self.assertGreaterEqual(lane["busy_ns"], 0)
            self.assertLessEqual(lane["begin_ns"], lane["end_ns"])
        self.assertEqual(info["slices"], sum(source["slices"] for source in info["sources"]))
        self.assertEqual(info["slices"], sum(lane["slices"] for lane in info["lanes"]))

    def test_info_of_a_kineto_trace(self):
        path = self.fixture("chrome_json/kineto.json")
        info = self.json_of("info", path)
        (source,) = info["sources"]
        self.assertEqual(source["path"], path)
        self.assertEqual(source["format"], "chrome_json")
        self.assertEqual(source["bytes"], os.path.getsize(path))
        self.assertEqual((source["rank"], source["worker"], source["step"]), (3, None, None))
        self.assertEqual((source["slices"], source["instants"], source["flows"]), (12, 2, 2))
        self.assertEqual((info["begin_ns"], info["end_ns"]), (1775078550000100000, 1775078550000200000))
        self.assertEqual(info["lost"], 0)
        kinds = {tuple(lane["path"]): lane["kind"] for lane in info["lanes"]}
        self.assertEqual(kinds[("rank 3", "GPU 0", "stream 7")], "stream")
        self.assertEqual(kinds[("rank 3", "GPU 0", "stream 7 annotations")], "annotation")
        self.assertEqual(kinds[("rank 3", "python 41", "thread 41")], "thread")

    def test_info_of_a_rollout(self):
        info = self.json_of("info", self.fixture("verl_rollout/all_events"))
        (source,) = info["sources"]
        self.assertEqual((source["format"], source["worker"], source["step"]), ("verl_rollout", 2, 7))
        self.assertEqual({lane["kind"] for lane in info["lanes"]}, {"phases", "counter", "requests"})

    # --- clocks ---

    def skewed(self, seconds):
        """A run of two workers; the clock of the second one is off."""
        for step in (1, 2, 3):
            for worker in (0, 1):
                end = 10 * step + worker * seconds
                lines = [("async_generate_duration", end - 1, 5), ("barrier_wait_duration", end, 1)]
                text = "".join(
                    json.dumps({"timestamp": f"2025-07-13T11:00:{stamp:09.6f}", "event": name, "duration_sec": duration,
                                "workid": worker, "step": step}) + "\n" for name, stamp, duration in lines)
                self.write(f"exp/step_{step}/worker_{worker}.jsonl", text)
        return os.path.join(self.folder, "exp")

    def test_info_tells_whether_the_clocks_of_a_rollout_agree(self):
        path = self.skewed(1.5)
        clocks = self.json_of("info", path)["clocks"]
        self.assertLessEqual(CLOCKS_KEYS, clocks.keys())
        for worker in clocks["workers"]:
            self.assertLessEqual(CLOCK_KEYS, worker.keys())
        self.assertIn("1 of 2 clocks differs, by up to 1.5 s", clocks["verdict"])
        self.assertEqual([(w["run"], w["worker"], w["applied_ns"], w["offset_ns"], w["residual_ns"], w["steps"], w["proposed"])
                          for w in clocks["workers"]],
                         [("exp", 0, 0, 0, 0, 3, False), ("exp", 1, 0, -1_500_000_000, 0, 3, True)])
        text = self.run_it("info", path).stdout
        self.assertIn("1 of 2 clocks differs", text)
        self.assertIn("exp, worker 1", text)
        self.assertNotIn("clocks", self.json_of("info", self.fixture("chrome_json/kineto.json")))

    def test_clocks_are_moved_by_hand_and_by_barriers(self):
        path = self.skewed(1.5)
        for clock in ("worker_1.jsonl=-1.5s", "exp/*/worker_1.jsonl=-1500ms", "barriers"):
            result = self.run_it("info", path, "--json", "--clock", clock)
            info = json.loads(result.stdout)
            self.assertEqual("--clock barriers: 1 of 2 clocks differs" in result.stderr, clock == "barriers")
            self.assertEqual([worker["applied_ns"] for worker in info["clocks"]["workers"]], [0, -1_500_000_000])
            self.assertEqual([source["clock_offset_ns"] for source in info["sources"]], [0, -1_500_000_000] * 3)
            self.assertIn("The clocks of 2 workers agree within 0 ns", info["clocks"]["verdict"])
            self.assertIn("Offsets are applied to 1.", info["clocks"]["verdict"])
        ends = {}
        for line in self.run_it("dump", path, "--clock", "barriers").stdout.splitlines():
            item = json.loads(line)
            if item.get("name") == "barrier_wait_duration":
                ends.setdefault(item["lane"][1], []).append(item["begin_ns"] + item["dur_ns"])
        self.assertEqual(ends["worker 0"], ends["worker 1"])
        # Some files of a packed trace cannot be moved alone, and a message says so; all of them can be moved together.
        self.run_it("pack", path, "--clock", "barriers", "-o", "exp.tvx")
        result = self.run_it("info", "exp.tvx", "--json", "--clock", "worker_1.jsonl=9s")
        self.assertIn("keep the clocks that they were packed with", result.stderr)
        self.assertEqual([w["applied_ns"] for w in json.loads(result.stdout)["clocks"]["workers"]], [0, -1_500_000_000])
        for clock in ("exp.tvx=9s", "*.jsonl=9s"):
            result = self.run_it("info", "exp.tvx", "--json", "--clock", clock)
            self.assertNotIn("keep the clocks", result.stderr)
            applied = [w["applied_ns"] for w in json.loads(result.stdout)["clocks"]["workers"]]
            self.assertEqual(applied, [9_000_000_000, 7_500_000_000])

    def ranks_with_clocks(self, skews_us, kernel="ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"):
        """A trace per rank. The kernels of all ranks end at the same moments, but the clocks of the ranks are off."""
        ends, now = [], 1_700_000_000_000_000
        for i in range(40):
            now += 1000 + 37 * (i * i % 23) + (9000 if i % 8 == 0 else 0)
            ends.append(now)
        for rank, skew in enumerate(skews_us):
            kernels = [{"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 22, "dur": 20 + 300 * ((i + rank) % 3 == 0),
                        "ts": end + skew - 20 - 300 * ((i + rank) % 3 == 0)} for i, end in enumerate(ends)]
            self.write(f"ranks/rank{rank}.json", json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": kernels}))
        return os.path.join(self.folder, "ranks")

    def test_clocks_of_ranks_are_moved_by_collectives_and_it_is_said(self):
        path = self.ranks_with_clocks([0, 2_000, -11_560_000])
        result = self.run_it("info", path, "--json")
        info = json.loads(result.stdout)
        said = ("The clocks of 3 traces were compared by collective kernels, which all ranks leave together: 2 were moved, by up to "
                "11.56 s; nine in ten kernels end within 0 ns.")
        self.assertIn(said + " (--clock recorded: not moved)", result.stderr)
        self.assertEqual(info["clock_verdict"], said)
        clocks = [source["clock"] for source in info["sources"]]
        self.assertEqual([c["offset_ns"] for c in clocks], [0, -2_000_000, 11_560_000_000])
        self.assertEqual([c["matched"] for c in clocks], [40] * 3)
        self.assertEqual([(c["evidence"], c["residual_ns"], c["residual_p90_ns"]) for c in clocks], [("collectives", 0, 0)] * 3)
        self.assertEqual(clocks[1]["partners"], "rank 0, rank 2")
        text = self.run_it("info", path).stdout
        self.assertIn("clock moved by +11.56s to that of rank 0; 40 collective kernels end within 0 ns", text)
        self.assertIn("clocks: " + said, text)
        ends = {}
        for line in self.run_it("dump", path).stdout.splitlines():
            item = json.loads(line)
            ends.setdefault(item["lane"][0], []).append(item["begin_ns"] + item["dur_ns"])
        self.assertEqual(len(ends), 3)
        self.assertEqual(len({tuple(sorted(times)) for times in ends.values()}), 1)

    def test_clocks_of_ranks_as_recorded_or_without_collectives(self):
        path = self.ranks_with_clocks([0, 2_000, -11_560_000])
        result = self.run_it("info", path, "--json", "--clock", "recorded")
        info = json.loads(result.stdout)
        self.assertNotIn("clocks of", result.stderr)
        self.assertNotIn("clock_verdict", info)
        self.assertEqual({source["clock"]["evidence"] for source in info["sources"]}, {"none"})
        path = self.ranks_with_clocks([0, 2_000, 5_000], kernel="gemm")
        info = self.json_of("info", path)
        self.assertEqual([source["clock"]["offset_ns"] for source in info["sources"]], [0, 0, 0])
        for source in info["sources"]:
            self.assertIn("wall clock, uncertainty unknown", source["clock"]["text"])
        self.assertIn("clocks: Wall clock, uncertainty unknown: 3 traces have no collective kernels that match.",
                      self.run_it("info", path).stdout)

    def test_info_of_names_that_are_not_utf8(self):
        name = os.fsdecode(b"rank_\xff.trace.json")
        self.write(name, b'[{"ph":"X","name":"a\xff","ts":1,"dur":1}]')
        info = self.json_of("info", self.folder)
        self.assertEqual(info["slices"], 1)
        self.assertIn("\ufffd", info["sources"][0]["path"])

    def test_info_as_text(self):
        result = self.run_it("info", self.fixture("chrome_json/kineto.json"))
        for part in ("chrome_json", "rank 3", "12 slices", "2 arrows", "stream 7"):
            self.assertIn(part, result.stdout)

    def test_info_has_the_first_line_of_long_facts(self):
        report = self.write("output.sqlite", "")
        shutil.copyfile(self.fixture("nsys_sqlite/small.sqlite"), report)
        with sqlite3.connect(report) as database:
            database.executemany("INSERT INTO StringIds VALUES (?, ?)", [(990001, "stdout.log"), (990002, "one line\ntwo\nthree\n")])
            database.execute("CREATE TABLE ProcessStreams (filenameId INTEGER, contentId INTEGER)")
            database.execute("INSERT INTO ProcessStreams VALUES (990001, 990002)")
        text = self.run_it("info", report).stdout
        self.assertIn("output one line ... and 2 more lines (stdout.log)", text)
        self.assertNotIn("three", text)
        facts = self.json_of("info", report)["sources"][0]["facts"]
        self.assertIn("one line\ntwo\nthree\n", [fact["value"] for fact in facts])

    def test_ranks_chosen_within_one_report(self):
        report = self.write("two_ranks.sqlite", "")
        shutil.copyfile(self.fixture("nsys_sqlite/small.sqlite"), report)
        next_process = 1 << 24  # in numbers of processes and threads
        with sqlite3.connect(report) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                if not {"globalPid", "globalTid"} & set(columns):
                    continue
                moved = [f"{name} + {next_process}" if name in ("globalPid", "globalTid") else name for name in columns]
                database.execute(f"INSERT INTO {table} SELECT {', '.join(moved)} FROM {table}")
            (process,) = database.execute("SELECT min(globalPid) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()
            database.execute("CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER)")
            database.executemany("INSERT INTO MPI_RANKS VALUES (?, ?)", [(process + 1, 0), (process + next_process + 1, 1)])
        both, slices = self.json_of("info", report), []
        for rank in ("0", "1"):
            one = self.json_of("info", report, "--rank", rank)
            self.assertTrue(all(lane["path"][0].startswith(f"rank {rank}") for lane in one["lanes"]), one["lanes"])
            slices.append(one["slices"])
        self.assertEqual(sum(slices), both["slices"])
        self.assertEqual(slices[0], slices[1])
        self.assertIn("left out: part of another rank", self.run_it("info", report, "--rank", "2", expect=3).stderr)

    def test_one_bad_file_costs_only_itself(self):
        good = self.write("good.json", [event("a", 1, 1)])
        self.write("empty.json", "")
        self.write("page.html", "<html>")
        result = self.run_it("info", self.folder, os.path.join(self.folder, "missing"), "--json")
        info = json.loads(result.stdout)
        found = {os.path.basename(source["path"]): source for source in info["sources"]}
        self.assertEqual(info["slices"], 1)
        self.assertEqual(found["good.json"]["path"], good)
        self.assertIsNone(found["empty.json"]["format"])
        for name, reason in (("empty.json", "empty"), ("page.html", "HTML"), ("missing", "no such file")):
            self.assertIn(reason, found[name]["reason"])
            self.assertRegex(result.stderr, f"{name}: .*{reason}")

    # --- stats ---

    def many(self):
        """200 slices of three names, one after another, and the durations of each name."""
        durations = {"a": [], "b": [], "c": []}
        events = []
        for i in range(200):
            name = "aab"[i % 3] if i < 190 else "c"
            dur = (i * 7919) % 83 + 0.001 * (i % 7)
            durations[name].append(round(dur * 1000))
            events.append(event(name, i * 100, dur))
        return self.write("many.json", events), durations

    def test_stats_has_the_keys_and_percentiles(self):
        path, durations = self.many()
        rows = self.json_of("stats", path)
        self.assertEqual({row["name"] for row in rows}, {"a", "b", "c"})
        for row in rows:
            self.assertLessEqual(STATS_KEYS, row.keys())
            values = durations[row["name"]]
            self.assertEqual(row["category"], "test")
            self.assertEqual(row["count"], len(values))
            self.assertEqual(row["total_ns"], sum(values))
            self.assertEqual(row["self_ns"], sum(values))
            self.assertEqual((row["min_ns"], row["max_ns"]), (min(values), max(values)))
            self.assertAlmostEqual(row["mean_ns"], sum(values) / len(values), delta=1e-6)
            for key, part in (("p50_ns", 0.5), ("p90_ns", 0.9), ("p95_ns", 0.95), ("p99_ns", 0.99)):
                self.assertAlmostEqual(row[key], percentile(values, part), delta=1e-6, msg=key)
        totals = [row["total_ns"] for row in rows]
        self.assertEqual(totals, sorted(totals, reverse=True))

    def test_stats_counts_time_in_children_once(self):
        path = self.write("nested.json", [event("outer", 0, 100), event("inner", 10, 30), event("inner", 50, 20)])
        rows = {row["name"]: row for row in self.json_of("stats", path)}
        self.assertEqual((rows["outer"]["total_ns"], rows["outer"]["self_ns"]), (100_000, 50_000))
        self.assertEqual((rows["inner"]["total_ns"], rows["inner"]["self_ns"]), (50_000, 50_000))

    def test_stats_of_what_never_ended(self):
        begun = {"ph": "B", "name": "task", "pid": 1, "tid": 3, "ts": 0}
        events = [begun, event("task", 10, 5), event("task", 30, 7), event("main", 60, 900), {**begun, "name": "lost", "ts": 70}]
        path = self.write("unfinished.json", events)
        rows = {row["name"]: row for row in self.json_of("stats", path)}
        sums = lambda row: (row["count"], row["unfinished"], row["total_ns"], row["self_ns"], row["max_ns"], row["mean_ns"])
        finished, lost = [row for row in self.json_of("stats", path) if row["name"] in ("task", "lost")], rows["lost"]
        self.assertEqual(sum(row["total_ns"] for row in finished), 12_000)
        self.assertEqual((lost["count"], lost["unfinished"], lost["total_ns"]), (1, 1, 0))
        self.assertEqual(sums(rows["main"]), (1, 0, 900_000, 900_000, 900_000, 900_000))
        self.assertIn("1 of them never ended", self.run_it("stats", path).stdout)
        lanes = {lane["name"]: lane for lane in self.json_of("info", path)["lanes"]}
        self.assertEqual((lanes["thread 3"]["slices"], lanes["thread 3"]["busy_ns"]), (2, 0))
        self.assertEqual(lanes["thread 2"]["busy_ns"], 912_000)

        # An export gives them no duration either, and is the same trace when it is read again.
        out = os.path.join(self.folder, "out.json")
        self.run_it("export", path, "--to", "chrome", "-o", out)
        with open(out, encoding="utf-8") as file:
            written = [e for e in json.load(file)["traceEvents"] if e["ph"] in "XBE"]
        self.assertEqual(sorted((e["ph"], e["name"]) for e in written),
                         [("B", "lost"), ("B", "task"), ("X", "main"), ("X", "task"), ("X", "task")])  # fmt: skip
        dumped = lambda file: self.run_it("dump", file).stdout.split('{"problem"')[0].replace("out.json", "unfinished.json")
        lines = lambda file: [line.split('"row"')[1] for line in dumped(file).splitlines()]
        self.assertEqual(lines(out), lines(path))
        text = self.run_it("export", path, "--to", "csv", "-o", "-").stdout
        self.assertIn(",lost,,70000,,,1,", text)

    def test_a_process_that_has_the_number_of_a_gpu(self):
        lanes = {tuple(lane["path"]): lane["kind"] for lane in self.json_of("info", self.fixture("chrome_json/process_one.json"))["lanes"]}
        self.assertEqual(lanes, {
            ("process_one", "marks"): "thread",
            ("process_one", "python3 1", "marks"): "thread",
            ("process_one", "python3 1", "thread 1 (python3)"): "thread",
            ("process_one", "GPU 1", "stream 7 annotations"): "annotation",
            ("process_one", "GPU 1", "stream 7"): "stream",
            ("process_one", "GPU 2", "stream 7"): "stream",
        })  # fmt: skip
        lanes = {tuple(lane["path"]): lane["kind"] for lane in self.json_of("info", self.fixture("chrome_json/process_unknown.json"))["lanes"]}
        self.assertEqual(lanes, {
            ("process_unknown", "python3 500", "thread 0"): "thread",
            ("process_unknown", "python3 500", "thread 500"): "thread",
            ("process_unknown", "GPU 0", "stream 7"): "stream",
            ("process_unknown", "GPU 0", "stream 20"): "stream",
        })  # fmt: skip
        lanes = {tuple(lane["path"]) for lane in self.json_of("info", self.fixture("chrome_json/process_empty.json"))["lanes"]}
        self.assertEqual(lanes, {
            ("process_empty", "worker:1"), ("process_empty", "thread"), ("process_empty", "process 0", "thread 3"),
        })  # fmt: skip

    def test_stats_as_csv_is_what_json_says(self):
        path, _ = self.many()
        text = self.run_it("stats", path, "--csv").stdout
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        every = self.json_of("stats", path)
        self.assertEqual([row["name"] for row in rows], [row["name"] for row in every])
        columns = {"count": "count", "unfinished": "unfinished", "total (ns)": "total_ns", "self (ns)": "self_ns", "min (ns)": "min_ns",
                   "mean (ns)": "mean_ns", "median (ns)": "p50_ns", "p90 (ns)": "p90_ns", "p95 (ns)": "p95_ns", "p99 (ns)": "p99_ns",
                   "max (ns)": "max_ns", "std (ns)": "stddev_ns"}
        for row, said in zip(rows, every):
            for column, key in columns.items():
                self.assertEqual(float(row[column]), said[key], column)
        self.assertAlmostEqual(sum(float(row["share (%)"]) for row in rows), 100)
        self.assertEqual(len(self.run_it("stats", path, "--csv", "--top", "2").stdout.splitlines()), 3)

    def test_stats_top(self):
        path, _ = self.many()
        every = self.json_of("stats", path)
        for top in (1, 2, 3, 100):
            self.assertEqual(self.json_of("stats", path, "--top", str(top)), every[:top])
        text = self.run_it("stats", path, "--top", "1").stdout
        self.assertIn("... and 2 more names", text)

    def test_stats_range(self):
        events = [event(f"op{i}", 1000 + i * 10, 5) for i in range(10)]  # the view begins at the first
        path = self.write("steps.json", events)

        def names(text):
            return sorted(row["name"] for row in self.json_of("stats", path, "--range", text))

        self.assertEqual(names("0us..12us"), ["op0", "op1"])
        self.assertEqual(names("20us..22us"), ["op2"])
        self.assertEqual(names("22us..24us"), ["op2"])  # within it
        self.assertEqual(names("26us..29us"), [])  # between two
        self.assertEqual(names("..6us"), ["op0"])
        self.assertEqual(names("90us.."), ["op9"])
        self.assertEqual(names("-5s..500s"), sorted(f"op{i}" for i in range(10)))
        self.assertEqual(names("10s..20s"), [])
        rows = self.json_of("stats", path, "--range", "22us..24us")
        self.assertEqual(rows[0]["total_ns"], 2000)  # what is in it
        self.assertEqual(rows[0]["self_ns"], 2000)
        self.assertEqual((rows[0]["mean_ns"], rows[0]["max_ns"]), (5000, 5000))  # of the whole slice
        text = self.run_it("stats", path, "--range", "22us..24us").stdout
        self.assertIn("in 2 \u00b5s (from 22 \u00b5s to 24 \u00b5s), during 2 \u00b5s of which something ran", text)
        self.assertIn("1 slice; total and self count only the part inside the range (slices that reach beyond it: 1)", text)

    def test_a_range_outside_of_the_trace_is_reported(self):
        path = self.write("a.json", [event("a", 1000, 5), event("b", 1090, 5)])
        verbs = (["stats"], ["export", "--to", "csv", "-o", "a.csv"], ["screenshot", "-o", "a.svg", "--timeline"])
        for verb in verbs:
            ok = OK if verb[0] != "screenshot" else FAILED
            said = self.run_it(*verb, path, "--range", "10s..20s", expect=ok).stderr
            self.assertIn("--range: nothing is there; the trace ends at 95 \u00b5s", said, verb)
            said = self.run_it(*verb, path, "--range", "-5s..-1s", expect=ok).stderr
            self.assertIn("--range: nothing is there; it ends before the trace begins", said, verb)
            for inside in ("0s..20s", "20us..50us", "95us..96us"):
                self.assertNotIn("--range", self.run_it(*verb, path, "--range", inside).stderr, verb)
                if verb[0] == "screenshot":
                    os.remove(os.path.join(self.folder, "a.svg"))
        self.run_it("screenshot", "-o", "a.svg", "--timeline", path, "--range", "10s..20s", expect=FAILED)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "a.svg")))
        for verb in (["info"], ["dump"], ["find", "a"]):  # these read only the range
            self.assertIn("--range: nothing is there", self.run_it(*verb, path, "--range", "10s..20s").stderr, verb)
            self.assertNotIn("--range", self.run_it(*verb, path, "--range", "0s..20s").stderr, verb)

    def test_stats_of_a_step(self):
        events = [event(f"ProfilerStep#{n}", n * 100, 90) for n in (6, 7, 8)] + [event("op", 650, 100)]
        path = self.write("steps.json", events)
        rows = {row["name"]: row["total_ns"] for row in self.json_of("stats", path, "--step", "7")}
        self.assertEqual(rows, {"ProfilerStep#7": 90000, "op": 50000})
        text = self.run_it("stats", path, "--step", "ProfilerStep#7").stdout
        self.assertTrue(text.startswith("in ProfilerStep#7 of "), text)
        self.assertIn("2 slices; total and self count only the part inside the range (slices that reach beyond it: 1)", text)
        said = self.run_it("stats", path, "--step", "9", expect=USAGE).stderr
        self.assertIn("there is no step 9 (there are ProfilerStep# 6 to 8 of ", said)
        self.run_it("stats", path, "--step", "7", "--range", "1us..2us", expect=USAGE)
        plain = self.write("plain.json", [event("op", 0, 5)])
        self.assertIn("numbers its steps", self.run_it("stats", plain, "--step", "1", expect=USAGE).stderr)

    def test_questions_about_gpus_take_a_part(self):
        def work(name, ts, dur, cat="kernel"):
            return event(name, ts, dur, cat=cat, pid=0, tid=7, args={"stream": 7, "device": 0})

        path = self.write("gpu.json", {"traceEvents": [work("gemm", 0, 100), work("gemm", 300, 100), work("nccl", 400, 50)]})
        whole = self.json_of("stats", path, "--of", "gpus")[0]
        self.assertEqual((whole["busy_ns"], whole["idle_ns"]), (250000, 200000))
        part = self.json_of("stats", path, "--of", "gpus", "--range", "50us..320us")[0]
        self.assertEqual((part["begin_ns"], part["end_ns"], part["busy_ns"], part["idle_ns"]), (50000, 320000, 70000, 200000))
        hole = self.json_of("stats", path, "--of", "gpus", "--range", "150us..250us")[0]
        self.assertEqual((hole["busy_ns"], hole["idle_ns"]), (0, 100000))
        text = self.run_it("stats", path, "--of", "gpus", "--range", "50us..320us").stdout
        self.assertIn("in 270 \u00b5s", text)
        said = self.run_it("stats", path, "--of", "gpus", "--range", "600us..700us", "--json", expect=NOT_RECOGNISED).stderr
        self.assertIn("no GPU did anything", said)

    # --- report: two runs ---

    def write_runs(self):
        for run, slower in (("small", 1), ("rl_run", 2)):
            for step in (1, 2, 3):
                lines = [
                    json.dumps({"timestamp": f"2025-07-13T11:0{step}:{10 + n:02d}.000000", "event": "async_rollout_request_complete",
                                "duration_sec": slower * (n + 1), "workid": 0, "step": step, "extra": {"request_id": f"r{n}"}})
                    for n in range(6)
                ]
                self.write(f"{run}/step_{step}/worker_0.jsonl", "\n".join(lines) + "\n")
        return [os.path.join(self.folder, run) for run in ("rl_run", "small")]

    @staticmethod
    def compared(folder):
        with open(os.path.join(folder, "report.json")) as file:
            return [chart for chart in json.load(file)["charts"] if chart["id"] == "compare"]

    def test_report_compares_runs_by_name_and_once(self):
        runs = self.write_runs()
        out = os.path.join(self.folder, "out")
        self.run_it("report", *runs, "-o", out, "--format", "svg")
        compared = self.compared(out)
        self.assertEqual(len(compared), 1, compared)  # not once for every step
        self.assertIn("small against rl_run", compared[0]["title"])
        out = os.path.join(self.folder, "named")
        self.run_it("report", *runs, "-o", out, "--format", "svg", "--set", "compare_a=run==small", "--set", "compare_b=run==rl_run")
        compared = self.compared(out)
        self.assertEqual([c["title"].endswith("run==rl_run against run==small") for c in compared], [True])

    def test_report_refuses_a_side_without_requests(self):
        out = os.path.join(self.folder, "out")
        said = self.run_it("report", *self.write_runs(), "-o", out, "--set", "compare_a=run==0", expect=USAGE).stderr
        self.assertIn("compare_a: no complete request matches run==0", said)
        self.assertIn('runs count from 1: run==1 or run=="rl_run", run==2 or run=="small"', said)
        self.assertFalse(os.path.exists(out))

    # --- dump ---

    def test_dump_is_one_object_a_line(self):
        result = self.run_it("dump", self.fixture("chrome_json/kineto.json"))
        facts = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(sum("dur_ns" in fact for fact in facts), 12)
        self.assertEqual(sum("instant" in fact for fact in facts), 2)
        self.assertEqual(sum("flow" in fact for fact in facts), 2)
        self.assertEqual(result.stderr, "")

    def test_dump_does_not_depend_on_chunks_and_threads(self):
        path = self.fixture("chrome_json")
        expected = self.run_it("dump", path).stdout
        self.assertEqual(self.run_it("dump", path, "--chunk-bytes", "16", "--threads", "5").stdout, expected)

    # --- find ---

    def test_find_by_name_and_in_records(self):
        events = [event("load", 10, 5), event("step", 20, 5, args={"note": "slow load"}), event("Load more", 30, 5)]
        path = self.write("trace.json", events)
        names = self.json_of("find", "load", path)
        self.assertEqual([hit["name"] for hit in names["slices"]], ["load", "Load more"])
        self.assertEqual((names["hits"], names["slices"][1]["begin_ns"]), (2, 20_000))
        records = self.json_of("find", "--records", "load", path, "--top", "1")
        self.assertEqual((records["hits"], [hit["name"] for hit in records["slices"]]), (2, ["load"]))
        with open(path) as file:
            text = file.read()
        for hit in self.json_of("find", "--records", '"note"', path)["slices"]:
            self.assertTrue(text[hit["byte"] :].startswith('{"ph"'))
        self.assertIn("0 hits", self.run_it("find", "--records", "nothing", path).stdout)

    def test_find_goes_by_time_over_all_lanes(self):
        path = self.write("trace.json", [event("load", at, 5, tid=tid) for at, tid in ((50, 1), (10, 2), (30, 1), (20, 3), (40, 2))])
        begins = [hit["begin_ns"] for hit in self.json_of("find", "load", path)["slices"]]
        self.assertEqual(begins, [0, 10_000, 20_000, 30_000, 40_000])
        printed = [line.split()[0] for line in self.run_it("find", "load", path).stdout.splitlines() if "thread" in line]
        self.assertEqual(len(printed), 5)
        self.assertEqual(printed, sorted(printed, key=lambda at: float("".join(c for c in at if c in "0123456789."))))

    def test_find_by_expression_in_capitals_on_some_lanes(self):
        events = [event("load", 10, 5), event("Load more", 30, 5), event("reload", 50, 5)]
        path = self.write("trace.json", events)
        found = lambda *how: [hit["name"] for hit in self.json_of("find", *how, path)["slices"]]
        self.assertEqual(found("^l", "--regex"), ["load", "Load more"])
        self.assertEqual(found("^l", "--regex", "--case"), ["load"])
        self.assertEqual(found("Load", "--case"), ["Load more"])
        self.assertEqual(len(found("load", "--lanes", "thread")), 3)
        self.run_it("find", "load", "--lanes", "no such lane", path, expect=2)
        wrong = self.run_it("find", "l(", "--regex", path, expect=2)
        self.assertIn("( is never closed, at character 2", wrong.stderr)

    # --- pack, cache ---

    def test_a_packed_trace_opens_without_its_files(self):
        path = self.write("logs/rank0.json", [event(f"op{i % 7}", 10 * i, 5) for i in range(2000)])
        before = self.run_it("dump", path).stdout
        totals = self.json_of("pack", "logs", "-o", "exp.tvx")
        packed = os.path.join(self.folder, "exp.tvx")
        self.assertEqual((totals["sources"], totals["slices"]), (1, 2000))
        self.assertEqual(totals["text_bytes"], os.path.getsize(path))
        self.assertEqual(totals["packed_bytes"], os.path.getsize(packed))
        shutil.rmtree(os.path.join(self.folder, "logs"))
        self.assertEqual(self.run_it("dump", packed).stdout, before)
        self.assertIn("%", self.run_it("pack", packed, "-o", "again.tvx").stdout)
        self.run_it("pack", packed, "-o", "no/folder/x.tvx", expect=FAILED)

    def test_packed_traces_open_beside_each_other_and_beside_files(self):
        paths = [self.write(f"rank{r}.json", [{"name": "process_labels", "ph": "M", "pid": r, "args": {"labels": f"r{r}"}}] +
                            [event(f"op{i % 7}", 10 * i + r, 5) | {"pid": r} for i in range(500)]) for r in range(3)]
        for r in (0, 2):
            self.run_it("pack", paths[r], "-o", f"rank{r}.tvx")
        for verb in ("dump", "stats"):
            plain = self.run_it(verb, *paths, "--no-cache").stdout
            mixed = self.run_it(verb, "rank0.tvx", paths[1], "rank2.tvx").stdout
            self.assertEqual(sorted(plain.splitlines()), sorted(mixed.splitlines()))
        info = self.json_of("info", "rank0.tvx", paths[1], "rank2.tvx")
        self.assertEqual(sorted(os.path.basename(s["path"]) for s in info["sources"]), ["rank0.json", "rank1.json", "rank2.json"])
        # Records come from the packed texts, and all three can be packed into one file.
        for path in paths:
            os.rename(path, path + ".away")
        self.assertIn("op3", self.run_it("find", "op3", "rank0.tvx", "rank2.tvx").stdout)
        os.rename(paths[1] + ".away", paths[1])
        both = self.run_it("dump", "rank2.tvx", paths[1], "rank0.tvx").stdout
        self.run_it("pack", "rank2.tvx", paths[1], "rank0.tvx", "-o", "all.tvx")
        os.remove(paths[1])
        again = self.run_it("dump", "all.tvx").stdout
        self.assertEqual(sorted(both.splitlines()), sorted(again.splitlines()))
        self.assertIn("op6", self.run_it("find", "\"op6\"", "all.tvx", "--records").stdout)
        # A damaged one is named, and the others are shown.
        with open(os.path.join(self.folder, "rank2.tvx"), "r+b") as file:
            file.truncate(os.path.getsize(file.name) // 2)
        damaged = self.run_it("info", "rank0.tvx", "rank2.tvx")
        self.assertIn("rank2.tvx", damaged.stdout)
        self.assertIn("500 slices", damaged.stdout)

    def test_the_second_time_comes_from_the_cache(self):
        environment = os.environ | {"XDG_CACHE_HOME": os.path.join(self.folder, "cache")}
        # Small traces are not worth an entry: this one takes 9 MB in memory.
        path = self.write("large.json", "[" + ",\n".join(json.dumps(event("a", 10 * i, 5)) for i in range(250_000)) + "]")
        run = lambda *arguments: self.run_it(*arguments, env=environment).stdout
        first = run("info", path, "--json")
        cache = json.loads(run("cache", "--json"))
        self.assertEqual((cache["folder"], cache["entries"]), (os.path.join(self.folder, "cache", "traceview"), 1))
        self.assertGreater(cache["bytes"], 250_000 * 36)
        self.assertEqual(run("info", path, "--json"), first)
        self.assertTrue(json.loads(run("bench", "load", path, "--json"))["second_open_from_cache"])
        self.assertEqual(run("info", path, "--json", "--no-cache"), first)
        run("cache", "--clear")
        self.assertEqual(json.loads(run("cache", "--json"))["entries"], 0)
        run("info", path, "--no-cache")
        self.assertEqual(json.loads(run("cache", "--json"))["entries"], 0)

    # --- a part ---

    def test_range_and_rank_load_a_part(self):
        for rank in range(3):
            self.write(f"logs/rank_{rank}.json", [event("a", 1000 * i, 500) for i in range(10)])
        whole, ranks = self.json_of("info", "logs"), self.json_of("info", "logs", "--rank", "1..2")
        self.assertEqual((whole["slices"], ranks["slices"]), (30, 20))
        self.assertEqual([source["state"] for source in ranks["sources"]], ["ready", "ready", "left-out"])
        part = self.json_of("info", "logs", "--range", "2ms..3.2ms", "--rank", "0")
        self.assertEqual((part["slices"], part["begin_ns"], part["end_ns"]), (2, 2_000_000, 3_500_000))
        for wrong in (["--rank", "x"], ["--range", "5..1"], ["--memory-limit", "much"]):
            self.run_it("info", "logs", *wrong, expect=USAGE)

    def test_runs_of_different_days_are_aligned_as_asked(self):
        monday, tuesday = 1_700_000_000_000_000, 1_700_086_400_000_000
        self.write("days/monday/rank0.json", [event("m0", monday, 10_000), event("m0", monday + 20_000, 5_000)])
        self.write("days/monday/rank1.json", [event("m1", monday + 3_000, 20_000)])
        self.write("days/tuesday/rank0.json", [event("t0", tuesday, 15_000)])

        def begins(*arguments):
            lines = self.run_it("dump", "days", *arguments).stdout.splitlines()
            first = {}
            for item in map(json.loads, lines):
                first.setdefault(item["name"], item["begin_ns"])
            return first

        self.assertEqual(begins(), begins("--align", "recorded"))
        self.assertEqual(begins(), {"m0": monday * 1000, "m1": (monday + 3_000) * 1000, "t0": tuesday * 1000})
        self.assertEqual(begins("--align", "zero"), {"m0": 0, "m1": 3_000_000, "t0": 0})
        self.assertEqual(begins("--align", "fold"), {"m0": 0, "m1": 3_000_000, "t0": 27_000_000})
        recorded = self.run_it("info", "days")
        for stream in (recorded.stdout, recorded.stderr):
            self.assertIn("2 runs fill", stream)
            self.assertIn("--align fold removes the idle time between them, --align zero lets each begin at 0", stream)
        zero = self.run_it("info", "days", "--align", "zero")
        self.assertIn("from 0 ns for 25 ms", zero.stdout)  # and no date
        self.assertIn("2 runs, each from 0", zero.stderr)
        info = self.json_of("info", "days", "--align", "fold")
        self.assertEqual((info["align"], info["begin_ns"], info["end_ns"]), ("fold", 0, 42_000_000))
        self.assertEqual(len({source["aligned_ns"] for source in info["sources"]}), 2)
        # A packed trace keeps its alignment, whatever is asked for later.
        self.run_it("pack", "days", "-o", "days.tvx", "--align", "fold")
        packed = self.run_it("info", "days.tvx", "--align", "zero")
        self.assertIn("--align", packed.stderr)
        self.assertIn("folded away", packed.stdout)
        self.write("one.json", [event("a", monday, 10)])
        self.assertIn("everything is one run", self.run_it("info", "one.json", "--align", "fold").stderr)
        self.run_it("info", "days", "--align", "sideways", expect=USAGE)

    def test_the_cache_knows_how_runs_were_aligned(self):
        environment = os.environ | {"XDG_CACHE_HOME": os.path.join(self.folder, "cache")}
        for day in range(2):
            begin = 1_700_000_000_000_000 + day * 86_400_000_000
            self.write(f"days/{day}.json", "[" + ",\n".join(json.dumps(event("a", begin + 10 * i, 5)) for i in range(130_000)) + "]")
        run = lambda *arguments: json.loads(self.run_it("info", "days", "--json", *arguments, env=environment).stdout)
        for align in ("recorded", "zero", "fold", "zero", "recorded"):
            info = run("--align", align)
            self.assertEqual(info["align"], align)
            self.assertEqual(info, run("--align", align, "--no-cache"))

    def test_marks_beyond_the_work_do_not_take_part_in_shares(self):
        mark = {"ph": "i", "name": "Record Window End", "pid": 1, "tid": 2, "ts": 3000, "s": "g"}
        self.write("a.json", [event("a", 1000 + 100 * i, 100) for i in range(10)] + [mark])
        text = self.run_it("info", "a.json").stdout
        self.assertIn("from 1 ms for 1 ms", text)
        self.assertIn("marks until 1 ms after it", text)
        self.assertRegex(text, r"100\.00 +thread 2")
        info = self.json_of("info", "a.json")
        self.assertEqual((info["begin_ns"], info["end_ns"]), (1_000_000, 3_000_000))
        self.assertEqual((info["work_begin_ns"], info["work_end_ns"]), (1_000_000, 2_000_000))
        self.assertIn("Record Window End", self.run_it("dump", "a.json").stdout)
        self.assertIn("Record Window End", self.run_it("find", "Record Window", "a.json").stdout)

    def test_ranks_in_the_names_of_processes(self):
        named = lambda rank, pid: {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": f"app [Rank {rank}]"}}
        one = lambda rank, pid: [named(rank, pid), event("a", 1 + rank, 5, pid=pid)]
        self.write("both.json", one(3, 3) + one(12, 12))
        self.write("three.json", one(3, 3))
        lanes = [lane["path"][0] for lane in self.json_of("info", "both.json")["lanes"]]
        self.assertEqual(lanes, ["rank 3", "rank 12"])
        part = self.json_of("info", "both.json", "--rank", "3")
        self.assertEqual(part["slices"], 1)
        self.assertEqual([lane["path"][0] for lane in part["lanes"]], ["rank 3"])
        self.run_it("info", "both.json", "--rank", "4", expect=NOT_RECOGNISED)
        self.assertEqual(self.json_of("info", "both.json", "--rank", "3", "--range", "0..1s")["slices"], 1)
        self.assertEqual(self.json_of("info", "three.json")["sources"][0]["rank"], 3)
        left_out = self.run_it("info", "three.json", "--rank", "12", expect=NOT_RECOGNISED)
        self.assertIn("left out", left_out.stderr)

    def test_what_is_not_known_of_many_clocks_is_said_once(self):
        path = self.ranks_with_clocks([0, 2_000, 5_000], kernel="gemm")
        text = self.run_it("info", path).stdout
        self.assertEqual(text.count("uncertainty unknown"), 1)

    def test_what_does_not_fit_into_memory_is_1_with_advice(self):
        self.write("logs/rank_0.json", [event("a", i, 1) for i in range(5000)])
        for verb in (["info"], ["stats"], ["dump"], ["pack", "-o", "x.tvx"], ["bench", "load"], ["screenshot", "-o", "x.png"]):
            result = self.run_it(*verb, "logs", "--memory-limit", "100K", expect=FAILED)
            self.assertIn("--range", result.stderr)
            self.assertIn("--memory-limit", result.stderr)
            self.assertEqual(result.stdout, "")

    # --- bench ---

    def test_bench_load_counts_what_info_does(self):
        path = self.fixture("chrome_json/kineto.json")
        bench = self.json_of("bench", "load", path)
        self.assertEqual((bench["files"], bench["bytes"]), (1, os.path.getsize(path)))
        self.assertEqual((bench["slices"], bench["instants"], bench["flows"], bench["lost"]), (12, 2, 2, 0))
        stages = bench["find_s"] + bench["read_s"] + bench["build_s"] + bench["index_s"]
        self.assertAlmostEqual(stages, bench["total_s"], delta=0.003)

    def test_bench_frame_allocates_nothing_and_looks_at_no_more_than_there_is(self):
        rows = self.json_of("bench", "frame", self.fixture("chrome_json/kineto.json"), "--size", "320x200")
        *zooms, whole = rows
        self.assertEqual(whole["size"], "320x200")
        self.assertGreater(len(zooms), 3)
        for row in zooms:
            self.assertEqual(row["allocations_per_frame"], 0)
            self.assertGreater(row["visits"], 0)
            self.assertGreaterEqual(row["model_p99_ms"], row["model_p50_ms"])

    def test_bench_query_finds_what_stats_does(self):
        path = self.fixture("chrome_json/kineto.json")
        bench = self.json_of("bench", "query", path)
        self.assertEqual(bench["slices"], sum(row["count"] for row in self.json_of("stats", path)))

    # --- exit codes and streams ---

    def test_nothing_recognised_is_3(self):
        text = self.write("notes.txt", "hello\n")
        for verb in ("info", "stats", "dump"):
            result = self.run_it(verb, text, expect=NOT_RECOGNISED)
            self.assertIn("not known", result.stderr)
            self.assertIn("none of the files could be read", result.stderr)
            self.run_it(verb, os.path.join(self.folder, "missing"), expect=NOT_RECOGNISED)
            self.run_it(verb, self.write("empty/empty.json", ""), expect=NOT_RECOGNISED)
        info = self.json_of("info", text, expect=NOT_RECOGNISED)
        self.assertEqual(info["slices"], 0)
        self.assertEqual(len(info["sources"]), 1)
        self.assertEqual(self.json_of("stats", text, expect=NOT_RECOGNISED), [])
        os.mkdir(os.path.join(self.folder, "bare"))
        self.run_it("info", os.path.join(self.folder, "bare"), expect=NOT_RECOGNISED)

    def test_losses_are_4_when_strict(self):
        lossy = self.write("lossy.json", '[{"ph":"X","name":"a","ts":1,"dur":1},42,{"name":"no phase","ts":2}]')
        result = self.run_it("info", lossy)
        self.assertIn("missing_phase", result.stderr)
        result = self.run_it("info", lossy, "--strict", expect=LOSSES)
        self.assertIn("2 items were lost", result.stderr)
        self.assertEqual(json.loads(self.run_it("info", lossy, "--json").stdout)["lost"], 2)
        clean = self.write("clean.json", [event("a", 1, 1)])
        self.assertEqual(self.run_it("info", clean, "--strict").stderr, "")
        self.run_it("stats", lossy, "--strict", expect=LOSSES)
        self.run_it("dump", lossy, "--strict", expect=LOSSES)

    def test_records_that_cannot_be_read_are_losses_and_are_told_once(self):
        deep = "[" * 5000 + "]" * 5000
        record = '{"ph":"X","name":"a","pid":1,"tid":1,"ts":%d,"dur":1,"args":{"x":%s}}'
        path = self.write("deep.json", f"[{record % (1, 7)},{record % (5, deep)}]")
        for form in ([], ["--json"], ["--csv"]):
            result = self.run_it("stats", path, "--group-by", "arg:x", *form)
            self.assertEqual(result.stderr.count("the records of 1 slice cannot be read: " + path), 1, (form, result.stderr))
            self.run_it("stats", path, "--group-by", "arg:x", "--strict", *form, expect=LOSSES)

    def test_wrong_usage_is_2_and_says_what(self):
        path = self.write("a.json", [event("a", 1, 1)])
        for arguments, message in (
            (["--nonsense"], "--nonsense"),
            (["info", path, "--nonsense"], "--nonsense"),
            (["info"], "PATH is required"),
            (["stats", path, "--range", "2s..1s"], "not a time range: 2s..1s"),
            (["info", path, "--clock", "worker_1.jsonl"], "not a clock offset: worker_1.jsonl"),
            (["stats", path, "--top", "x"], "--top"),
            (["screenshot", path], "--output is required"),
            (["screenshot", path, "-o", "a.png", "--size", "1x1"], "not a size: 1x1"),
            (["report", path], "-o is missing"),
        ):
            result = self.run_it(*arguments, expect=USAGE)
            self.assertIn(message, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_help_and_version_go_to_stdout(self):
        for arguments in (["--help"], ["info", "--help"], ["--version"]):
            result = self.run_it(*arguments)
            self.assertIn("traceview", result.stdout)
            self.assertEqual(result.stderr, "")

    def test_a_closed_pipe_is_quiet(self):
        path = self.write("large.json", [event(f"op{i}", i, 1) for i in range(20_000)])
        with subprocess.Popen([TRACEVIEW, "dump", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertTrue(process.stdout.readline().startswith(b'{"lane"'))
            process.stdout.close()  # as `| head -1` does
            self.assertEqual(process.stderr.read(), b"")
            process.wait(timeout=60)

    def test_the_window_without_a_display_is_6(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        path = self.write("a.json", [event("a", 1, 1)])
        result = self.run_it(path, expect=NO_DISPLAY, env=environment)
        self.assertIn("screenshot", result.stderr)  # what to do instead
        self.assertEqual(result.stdout, "")

    # --- wrong first words, and pictures where there is no display ---

    def no_display(self, **more):
        return {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")} | more

    def test_wrong_paths_and_verbs_are_answered_before_displays(self):
        good = self.write("a.json", [event("a", 1, 1)])
        for arguments, says in (
            (["nonexistent"], "nonexistent: no such file or folder"),
            (["--rank", "0", "gone.json"], "gone.json: no such file or folder"),
            (["inof", good], 'did you mean "info"?'),
            (["compare", good, good], "the verbs are info, stats"),
            (["file://elsewhere" + good], "another machine, elsewhere"),
        ):
            for extra in ([], ["--without-display", "p.png"]):
                result = self.run_it(*extra, *arguments, expect=NOT_RECOGNISED, env=self.no_display())
                self.assertIn(says, result.stderr)
                self.assertNotIn("DISPLAY", result.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "p.png")))

    def test_a_picture_where_there_is_no_display(self):
        good = self.write("a.json", [event("a", 1, 1)])
        name = os.path.join(self.folder, "p.png")
        for environment in (self.no_display(), self.no_display(WAYLAND_DISPLAY="nowhere-1")):
            result = self.run_it("--without-display", "p.png", "--light", good, env=environment)
            self.assertIn("no window can be opened", result.stderr)
        self.assertTrue(result.stderr.endswith(os.path.join(self.folder, "p-2.png") + "\n"), result.stderr)
        with open(name, "rb") as file:
            before = file.read()
        self.assertTrue(before.startswith(b"\x89PNG"))
        # A failure writes no picture and replaces none.
        notes = self.write("notes.txt", "hello\n")
        result = self.run_it("--without-display", "p.png", notes, expect=NOT_RECOGNISED, env=self.no_display())
        self.assertIn("no picture is written", result.stderr)
        self.run_it("screenshot", notes, "-o", name, expect=NOT_RECOGNISED)
        with open(name, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual([entry for entry in sorted(os.listdir(self.folder)) if entry.endswith("png")], ["p-2.png", "p.png"])

    def test_an_empty_folder_is_said_by_all_verbs(self):
        os.mkdir(os.path.join(self.folder, "bare"))
        for verb in (["info"], ["stats"], ["dump"], ["report", "-o", "r"], ["screenshot", "-o", "x.png"],
                     ["pack", "-o", "x.tvx"], ["export", "--to", "csv", "-o", "x.csv"], ["find", "a"]):
            result = self.run_it(*verb, "bare", expect=NOT_RECOGNISED)
            self.assertIn("there are no files in bare", result.stderr, verb)

    def test_foreign_files_are_a_line_per_kind_below_what_matters(self):
        self.write("run/trace.json", [event("a", 1, 1)])
        for i in range(300):
            self.write(f"run/src/{i}.{'md' if i % 3 else 'py'}", "text\n")
        result = self.run_it("info", "run")
        self.assertLess(len(result.stderr.splitlines()), 3)
        self.assertIn("300 files: text of a format that is not known (200 .md, 100 .py; ", result.stderr)
        self.assertLess(result.stdout.index("run/trace.json"), result.stdout.index("not shown: 300 files"))
        self.assertEqual(result.stdout.count(".md"), 1)
        self.assertEqual(len(self.json_of("info", "run")["sources"]), 301)  # JSON is for programs: it names each file

    def test_screenshot_of_a_range_shows_it_whatever_is_selected(self):
        path = self.write("a.json", [event("long", 0, 900_000), event("short", 400_000, 20), event("short", 700_000, 90)])

        def picture(*arguments):
            self.run_it("screenshot", path, "-o", "x.png", "--size", "700x400", *arguments)
            with open(os.path.join(self.folder, "x.png"), "rb") as file:
                return file.read()

        # The selected slice is longer than both ranges. If it were brought into view, both pictures would be the same.
        self.assertNotEqual(picture("--range", "399ms..401ms", "--select", "long"),
                            picture("--range", "398ms..402ms", "--select", "long"))
        result = self.run_it("screenshot", path, "-o", "y.png", "--range", "10ms..20ms", "--select", "short", expect=FAILED)
        self.assertIn("in the range", result.stderr)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True, help="the program to test")
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
