#!/usr/bin/env python3
"""traceview export, end to end: files for other programs, read here by code that is independent of the program.

    python3 tests/app/export_test.py --traceview build/traceview [TEST...]

Exports are compared event by event with those that Paddle's tool made from the sample logs (../shared/data/paddle). Perfetto traces
are decoded by the parser of protobuf's wire format below.
"""

import argparse
import collections
import contextlib
import csv
import glob
import io
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import shared_sample  # noqa: E402

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(TESTS, "fixtures")
TRACEVIEW = ""

COLOURS = {
    "forward": "thread_state_running", "backward": "rail_idle", "optimizer": "rail_response",
    "default": "thread_state_unknown", "step": "thread_state_unknown",
}  # fmt: skip
QUARTER_MICROSECOND = 0.3  # and a little more: doubles near 1.7e15 are as far apart


# --- protobuf's wire format ---


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """The fields of a message as [(number, value)]; submessages and texts are bytes."""
    at, out = 0, []
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = data[at : at + 8], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size
        else:
            raise AssertionError(f"wire type {kind}")
        out.append((key >> 3, value))
    return out


def first(message, number, otherwise=None):
    return next((value for n, value in message if n == number), otherwise)


def all_of(message, number):
    return [value for n, value in message if n == number]


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def annotation(data):
    message = fields(data)
    name = first(message, 10, b"").decode()
    decode = {
        2: bool, 3: int, 4: signed, 5: lambda v: struct.unpack("<d", v)[0], 6: bytes.decode,
    }  # fmt: skip
    for number, how in decode.items():
        value = first(message, number)
        if value is not None:
            return name, how(value)
    if all_of(message, 12):
        return name, [annotation(element)[1] for element in all_of(message, 12)]
    return name, dict(annotation(entry) for entry in all_of(message, 11))


class Perfetto:
    """What trace_processor makes of a trace: slices with a depth, by track, from packets in a stable order of time."""

    def __init__(self, data):
        self.tracks, self.names, self.categories = {}, {}, {}
        self.slices, self.instants, self.samples = [], [], []
        self.flows = collections.defaultdict(lambda: [None, None])
        self.clocks = {}
        events = []
        for number, packet in fields(data):
            assert number == 1
            packet = fields(packet)
            assert first(packet, 10) == 1, "a packet without a sequence"
            for clock in all_of(fields(first(packet, 6, b"")), 1):
                clock = fields(clock)
                self.clocks[first(clock, 1)] = first(clock, 2)
            interned = fields(first(packet, 12, b""))
            for table, which in ((self.categories, 1), (self.names, 2)):
                for entry in all_of(interned, which):
                    entry = fields(entry)
                    assert first(entry, 1) not in table
                    table[first(entry, 1)] = first(entry, 2, b"").decode()
            if first(packet, 60):
                track = fields(first(packet, 60))
                process = fields(first(track, 3, b""))
                name = first(track, 2) or first(process, 6)
                self.tracks[first(track, 1)] = (name.decode(), first(track, 5), first(track, 8) is not None)
            if first(packet, 11) is not None:
                events.append((first(packet, 8), fields(first(packet, 11))))
        events.sort(key=lambda event: event[0])  # stable
        open_slices = collections.defaultdict(list)
        for ts, event in events:
            kind, track = first(event, 9), first(event, 11)
            name, parent, counter = self.tracks[track]
            path = f"{self.tracks[parent][0]} / {name}"
            assert counter == (kind == 4)
            if kind == 4:
                self.samples.append((path, ts, struct.unpack("<d", first(event, 44))[0]))
                continue
            if kind == 2:
                begun = open_slices[track].pop()
                begun["dur"] = ts - begun["ts"]
                continue
            made = {
                "path": path, "ts": ts, "dur": 0, "name": self.names[first(event, 10)],
                "cat": self.categories.get(first(event, 3), ""), "args": dict(annotation(a) for a in all_of(event, 4)),
            }  # fmt: skip
            for which, side in ((47, 0), (48, 1)):
                for flow in all_of(event, which):
                    self.flows[flow][side] = made
            if kind == 3:
                self.instants.append(made)
            else:
                assert kind == 1
                made["depth"] = len(open_slices[track])
                open_slices[track].append(made)
                self.slices.append(made)
        # Slices that never ended have no end here either.
        self.endless = {(made["name"], made["ts"]) for stack in open_slices.values() for made in stack}
        for stack in open_slices.values():
            for made in stack:
                made["dur"] = None


class Export(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-export-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def run_export(self, *args, code=0):
        done = subprocess.run([TRACEVIEW, "export", "--no-cache", *args], capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def export(self, form, *paths):
        out = self.path(f"out.{form}")
        self.run_export("--to", form, "-o", out, *paths)
        with open(out, "rb") as file:
            return file.read()

    # --- Paddle ---

    def logs_of(self, folder):
        return sorted(glob.glob(os.path.join(folder, "**", "workerlog.*"), recursive=True))

    def pairs(self, events):
        """[(tid, name, cat, begin, end, cname)] of B and E events."""
        out, open_events = [], {}
        for event in events:
            key = (event.get("pid"), event["tid"], event.get("name"))
            if event["ph"] == "B":
                self.assertNotIn(key, open_events)
                open_events[key] = event
            elif event["ph"] == "E":
                begin = open_events.pop(key)
                self.assertEqual((begin.get("cname"), begin["cat"]), (event.get("cname"), event["cat"]))
                out.append((event["tid"], event["name"], event["cat"], begin["ts"], event["ts"], event.get("cname")))
        self.assertEqual(open_events, {})
        return out

    def assert_as_the_tool(self, ours, theirs, first_step):
        """Checks that ours equals theirs where the tool is right, and the logs where it is wrong."""
        theirs = [event for event in theirs if event[4] > 0 and (event[2] == "step" or event[3] > 0)]
        by_lane = lambda events: sorted(events, key=lambda e: (str(e[0]), e[3], e[4], e[1]))
        jobs, tool_jobs = ([e for e in by_lane(side) if e[2] != "step"] for side in (ours, theirs))
        self.assertEqual(len(jobs), len(tool_jobs))
        for job, tool_job in zip(jobs, tool_jobs):
            self.assertEqual(job[:3], tool_job[:3])
            for ours_at, theirs_at in zip(job[3:5], tool_job[3:5]):
                self.assertLessEqual(abs(ours_at - theirs_at), QUARTER_MICROSECOND)
            if job[2] in COLOURS:
                self.assertEqual(job[5], tool_job[5])
            elif job[2].startswith(("forward", "backward")):
                self.assertIsNotNone(job[5])  # the tool has none for forward0, backward_b, ...
            else:
                self.assertIsNone(job[5])
        steps, tool_steps = ([e for e in by_lane(side) if e[2] == "step"] for side in (ours, theirs))
        if any(step[3] == 0 for step in tool_steps):  # in theirs, a job without times swallowed the other steps
            self.assertEqual(len(tool_steps), 1)
            self.assertGreater(len(steps), 1)
            self.assertLessEqual(abs(steps[-1][4] - tool_steps[-1][4]), QUARTER_MICROSECOND)
            return
        self.assertEqual(len(steps), len(tool_steps))
        for number, (step, tool_step) in enumerate(zip(steps, tool_steps)):
            self.assertEqual((step[0], step[2], step[5]), (tool_step[0], tool_step[2], tool_step[5]))
            self.assertEqual(step[1], f"step{first_step + number}")  # the tool always begins at step0
            for ours_at, theirs_at in zip(step[3:5], tool_step[3:5]):
                self.assertLessEqual(abs(ours_at - theirs_at), QUARTER_MICROSECOND)

    def test_paddle_samples_are_as_paddles_tool_exports_them(self):
        samples = shared_sample("paddle")
        if not samples:
            return
        compared = 0
        for expected in sorted(glob.glob(f"{samples}/*/pipeline_profile.json")):
            folder = os.path.dirname(expected)
            logs = self.logs_of(folder)
            if not logs:
                continue
            with self.subTest(os.path.basename(folder)):
                with open(logs[0], encoding="utf-8") as file:
                    banner = re.search(r"Profiler start at step (\d+)", file.read())
                first_step = int(banner[1]) if banner else 0
                with open(expected, encoding="utf-8") as file:
                    theirs = json.load(file)["traceEvents"]
                ours = json.loads(self.export("paddle", *logs))["traceEvents"]
                self.assertEqual({event["ph"] for event in ours}, {"B", "E"})
                self.assert_as_the_tool(self.pairs(ours), self.pairs(theirs), first_step)

                with open(expected.replace(".json", "_perfetto.json"), encoding="utf-8") as file:
                    theirs = json.load(file)["traceEvents"]
                ours = json.loads(self.export("chrome", *logs))["traceEvents"]
                names = [[event for event in side if event["ph"] == "M"] for side in (ours, theirs)]
                self.assertEqual(*names)
                self.assert_as_the_tool(self.pairs(ours), self.pairs(theirs), first_step)
                for event in ours:
                    if event["ph"] == "B" and event["cat"] != "step":
                        self.assertEqual(event["args"]["type"], event["cat"])
                compared += 2
        self.assertGreaterEqual(compared, 14)

    def test_paddle_dygraph_records_become_the_array_of_their_tool(self):
        folder = shared_sample("paddle/dygraph_pp_records")
        if not folder:
            return
        ours = json.loads(self.export("paddle", *sorted(glob.glob(os.path.join(folder, "profile_record*")))))
        with open(os.path.join(folder, "pipeline_profile.json"), encoding="utf-8") as file:
            self.assertEqual(ours, json.load(file))

    def test_paddle_fixtures(self):
        machines = os.path.join(FIXTURES, "paddle_log", "machines")
        events = json.loads(self.export("paddle", machines))["traceEvents"]
        order = list(dict.fromkeys(event["tid"] for event in events))
        self.assertEqual(
            sorted(order),
            sorted(["GPU0(machine:2)", "GPU10(machine:2)", "GPU0(machine:10)", "GPU10(machine:10)", "Step"]),
        )
        names = [event for event in json.loads(self.export("chrome", machines))["traceEvents"] if event["ph"] == "M"]
        self.assertEqual(
            [(event["tid"], event["args"]["name"]) for event in names],
            [(2333, "STEP"), (2334, "GPU:0(machine:2)"), (2335, "GPU:10(machine:2)"), (2336, "GPU:0(machine:10)"),
             (2337, "GPU:10(machine:10)")],
        )  # fmt: skip
        one_device = self.path("one.json")
        self.run_export(machines, "--to", "paddle", "-o", one_device, "--lanes", "machine2 / GPU 10$")
        with open(one_device, encoding="utf-8") as file:
            self.assertEqual({event["tid"] for event in json.load(file)["traceEvents"]}, {"GPU10(machine:2)"})

    def test_paddle_form_of_anything_else_is_refused(self):
        out = self.path("out.json")
        for path in (
            os.path.join(FIXTURES, "chrome_json", "kineto.json"),
            os.path.join(FIXTURES, "paddle_log"),  # many runs
        ):
            done = self.run_export(path, "--to", "paddle", "-o", out, code=1)
            self.assertIn(b"not one run of Paddle's pipeline logs", done.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    # --- Perfetto ---

    def dump(self, *paths):
        done = subprocess.run([TRACEVIEW, "dump", "--no-cache", *paths], capture_output=True, check=True)
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def test_perfetto_traces_hold_every_slice_with_its_args(self):
        kineto = os.path.join(FIXTURES, "chrome_json", "kineto.json")
        cases = [kineto] + [
            os.path.join(FIXTURES, *name.split("/"))
            for name in (
                "chrome_json/overlapping.json", "chrome_json/zero_length.json", "chrome_json/flow_one_to_many.json",
                "chrome_json/names_utf8.json", "chrome_json/async_nestable.json", "chrome_json/counters.json",
                "chrome_json/instants.json", "verl_rollout/all_events", "paddle_log/virtual_stages",
                "chrome_json/one_line.json", "chrome_json/exported.json",
            )
        ]  # fmt: skip
        for path in cases:
            with self.subTest(path):
                trace = Perfetto(self.export("perfetto", path))
                # A lane that overlaps becomes several tracks: "thread 2", "thread 2 2".
                lane_of = lambda name, known: name if name in known else re.sub(r" \d+$", "", name)
                expected = self.dump(path)
                known = {" / ".join(line["lane"]) for line in expected if "lane" in line}
                key = lambda s: (lane_of(s["path"], known), s["name"], s["cat"], s["ts"], str(s["dur"]))
                unfinished = {(line["name"], line["begin_ns"]) for line in expected if line.get("unfinished")}
                self.assertLessEqual(trace.endless, unfinished)
                self.assertEqual(bool(trace.endless), bool(unfinished))
                dur = lambda line: str(None if (line["name"], line["begin_ns"]) in trace.endless else line["dur_ns"])
                self.assertEqual(
                    sorted(map(key, trace.slices)),
                    sorted((" / ".join(line["lane"]), line["name"], line["cat"], line["begin_ns"], dur(line))
                           for line in expected if "dur_ns" in line),
                )  # fmt: skip
                self.assertEqual(
                    sorted((lane_of(i["path"], known), i["name"], i["ts"]) for i in trace.instants),
                    sorted((" / ".join(line["lane"]), line["instant"], line["t_ns"]) for line in expected if "instant" in line),
                )
                self.assertEqual(
                    sorted(trace.samples),
                    sorted((" / ".join(line["lane"]), line["t_ns"], line["value"]) for line in expected if "series" in line),
                )
                self.assertEqual(
                    sorted((a["name"], b["name"], a["ts"], b["ts"]) for a, b in trace.flows.values()),
                    sorted((*line["flow"], line["from_ns"], line["to_ns"]) for line in expected if "flow" in line),
                )
        with open(kineto, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        trace = Perfetto(self.export("perfetto", kineto))
        args = collections.Counter(
            (event["name"], json.dumps(event.get("args", {}), sort_keys=True).replace("null", '"null"'))
            for event in events
            if event["ph"] in "Xi"
        )
        ours = collections.Counter((s["name"], json.dumps(s["args"], sort_keys=True)) for s in trace.slices + trace.instants)
        self.assertEqual(ours, args)

    def test_perfetto_args_of_every_kind(self):
        args = {"text": "你好 \"x\"\n", "int": -5, "large": 18446744073709551615, "float": 0.5, "yes": True, "none": None,
                "list": [1, [2], {"a": "b"}], "empty": {}, "deep": {"a": {"b": [1.5]}}}  # fmt: skip
        path = self.write("a.json", json.dumps([{"ph": "X", "name": "a", "ts": 1, "dur": 1, "args": args}]))
        trace = Perfetto(self.export("perfetto", path))
        expected = dict(args, none="null")
        self.assertEqual(trace.slices[0]["args"], expected)
        self.assertEqual(trace.clocks.keys(), {1, 6})

    # --- other formats and outputs ---

    def test_csv_is_what_python_reads(self):
        path = os.path.join(FIXTURES, "chrome_json", "names_utf8.json")
        rows = list(csv.DictReader(io.StringIO(self.export("csv", path).decode(), newline="")))
        self.assertEqual(
            sorted((row["lane"], row["name"], row["category"], int(row["begin_ns"]), int(row["duration_ns"])) for row in rows),
            sorted((" / ".join(line["lane"]), line["name"], line["cat"], line["begin_ns"], line["dur_ns"])
                   for line in self.dump(path) if "dur_ns" in line),
        )  # fmt: skip

    def test_names_that_are_no_text_still_make_json(self):
        name = b'odd \xff \\" \x01.json'
        path = os.path.join(os.fsencode(self.folder), name)
        with open(path, "wb") as file:
            file.write(b'[{"ph":"X","name":"a\\u0001\\n\\"","ts":1,"dur":1}]')
        for form in ("chrome", "csv", "perfetto"):
            out = self.path("out." + form)
            self.run_export(path, "--to", form, "-o", out)
            with open(out, "rb") as file:
                text = file.read()
            if form == "chrome":
                events = json.loads(text.decode())["traceEvents"]
                self.assertEqual([e["name"] for e in events if e["ph"] == "X"], ['a\x01\n"'])
            elif form == "csv":
                text.decode()
            else:
                self.assertEqual(Perfetto(text).slices[0]["name"], 'a\x01\n"')

    def test_archives_and_packed_traces(self):
        plain = os.path.join(FIXTURES, "chrome_json", "kineto.json")
        packed = self.path("a.tvx")
        subprocess.run([TRACEVIEW, "pack", plain, "-o", packed], check=True, capture_output=True)
        self.assertEqual(self.export("chrome", packed), self.export("chrome", plain))
        self.assertEqual(self.export("perfetto", packed), self.export("perfetto", plain))

    def test_infinite_samples_of_a_database_are_left_out(self):
        path = self.path("metrics.sqlite")
        shutil.copyfile(os.path.join(FIXTURES, "nsys_sqlite", "small.sqlite"), path)
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value REAL)")
            rows = [(1000, 0.5), (2000, float("inf")), (3000, float("-inf"))]
            database.executemany("INSERT INTO GPU_METRICS VALUES (?, 1, 1, ?)", rows)
        events = json.loads(self.export("chrome", path))["traceEvents"]
        self.assertEqual([event["args"][""] for event in events if event["ph"] == "C"], [0.5])

    def test_the_dialog_keeps_a_long_path(self):
        trace = self.write("a.json", '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5}]')
        deep = os.path.join(self.folder, *["d" * 100] * 11)  # longer than a buffer of 1,024 bytes
        os.makedirs(deep)
        script = f"open {trace}\npress Ctrl+E\nsettle\nexpect window.export_command ~ {deep}/a_export.json\n"
        done = subprocess.run([os.path.abspath(TRACEVIEW), "script", "-"], input=script, capture_output=True, text=True, cwd=deep)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_dialogs_command_writes_what_is_shown(self):
        hour = 3_600_000_000  # two runs, hours apart
        paths = [self.write(f"{i}.json", json.dumps([{"ph": "X", "name": f"op{k}", "pid": 1, "tid": 1, "ts": i * hour + k * 900, "dur": 5}
                                                     for k in range(9)])) for i in range(2)]  # fmt: skip
        recorded, written = self.export("csv", *paths), []
        for act, options in (("clock 1.json 1.5", ["--clock", "1.json=1.5s"]), ("press O", ["--align", "zero"])):
            script = f'open {" ".join(paths)}\npress O\nwait\n{act}\nwait\npress Ctrl+E\nclick export "format csv"\nsettle\nstate\n'
            done = subprocess.run([os.path.abspath(TRACEVIEW), "script", "-"], input=script, capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            words = shlex.split(json.loads(done.stdout)["window"]["export_command"])
            self.assertEqual(words[:2], ["traceview", "export"])
            words[words.index("-o") + 1] = "-"
            written.append(self.run_export(*words[2:]).stdout)
            self.assertEqual(written[-1], self.export("csv", *paths, *options), words)
        self.assertEqual(len({recorded, *written}), 3)
        script = f'open {self.folder}\nclose {paths[1]}\npress Ctrl+E\nexpect window.export_command ~ "closed in the window: 1 file"\n'
        done = subprocess.run([os.path.abspath(TRACEVIEW), "script", "-"], input=script, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_output_does_not_depend_on_threads(self):
        path = os.path.join(FIXTURES, "verl_rollout", "all_events")
        for form in ("chrome", "csv", "perfetto"):
            self.assertEqual(self.export(form, path, "--threads", "1"), self.export(form, path, "--threads", "4"))

    def test_output(self):
        path = os.path.join(FIXTURES, "chrome_json", "kineto.json")
        done = self.run_export(path, "--to", "chrome", "-o", "-")
        self.assertEqual(done.stdout, self.export("chrome", path))
        done = self.run_export(path, "--to", "chrome", "-o", self.path("a.json"), "--json")
        self.assertEqual(json.loads(done.stdout)["bytes"], os.path.getsize(self.path("a.json")))
        done = self.run_export(path, "--to", "chrome", "-o", self.folder, code=1)
        self.assertIn(b"it is a folder", done.stderr)
        done = self.run_export(path, "--to", "chrome", "-o", self.path("none/a.json"), code=1)
        self.assertIn(b"check that the folder is there", done.stderr)
        pipe = self.path("pipe")  # our own pipe: if a fault replaced it, no device of the machine would be lost
        os.mkfifo(pipe)
        with open(os.open(pipe, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0):  # a small trace fits into it unread
            self.run_export(path, "--to", "chrome", "-o", pipe)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        os.remove(pipe)
        self.run_export(path, "--to", "nothing", "-o", self.path("b.json"), code=2)
        self.run_export(path, "--to", "chrome", code=2)
        done = self.run_export(path, "--to", "chrome", "-o", self.path("b.json"), "--lanes", "/(/", code=2)
        self.assertIn(b"not a regular expression", done.stderr)
        done = self.run_export(path, "--to", "chrome", "-o", self.path("b.json"), "--lanes", "no such lane")
        self.assertIn(b"nothing was chosen", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "b.json", "out.chrome"])

    def test_an_interrupted_export_leaves_nothing(self):
        path = self.write("big.json", "[" + ",\n".join(
            f'{{"ph":"X","name":"op{i % 50}","pid":1,"tid":{i % 7},"ts":{i},"dur":1,"args":{{"n":{i}}}}}' for i in range(200000)
        ) + "]")  # fmt: skip
        pipe = self.path("pipe")
        os.mkfifo(pipe)  # is read to its end only after the signal, so the export cannot end before
        command = [TRACEVIEW, "export", "--no-cache", path, "--to", "chrome", "-o"]
        def usual_signals():  # a job in the background may ignore them
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

        process = subprocess.Popen([*command, pipe], stderr=subprocess.PIPE, preexec_fn=usual_signals)
        with open(pipe, "rb") as reader:
            reader.read(100)
            process.send_signal(signal.SIGINT)
            reader.read()
        self.assertEqual(process.wait(), 130)
        self.assertIn(b"interrupted", process.stderr.read())
        process.stderr.close()

        out = self.path("out.json")
        process = subprocess.Popen([*command, out], stderr=subprocess.DEVNULL, preexec_fn=usual_signals)
        while process.poll() is None and not glob.glob(out + "*.part"):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        self.assertIn(process.wait(), (0, 130))  # it may have ended just before
        self.assertEqual(glob.glob(out + "*.part"), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = options.traceview
    ended = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
