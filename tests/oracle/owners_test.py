#!/usr/bin/env python3
"""Whose the GPUs' time is, as `traceview stats --of owners` says, counted again in Python: on traces that are made here, and on samples
of PyTorch (../shared/data/pytorch) where they are there. Each launch is joined with its work by correlation, and what is around it is
found with a stack over the sorted slices of its thread.

    python3 tests/oracle/owners_test.py --traceview build/release/app/traceview [--seeds 30] [--seed N]
"""

import argparse
import collections
import decimal
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from real_files import too_large

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import shared_sample  # noqa: E402

WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
CALLS = {"cuda_runtime", "cuda_driver"}
KINDS = ("operator", "module", "range", "function")
SAMPLES = [
    "tracelens/h100/google_owlv2-large-patch14-ensemble__1016001.json.gz",
    "tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
    "hta/nccl_parser_config/nccl_data.json.gz",
]
# Figures that others have counted in these samples.
KNOWN = {
    ("tracelens/h100/google_owlv2-large-patch14-ensemble__1016001.json.gz", "operator", "aten::_softmax"): 262_538_215,
    ("tracelens/h100/google_owlv2-large-patch14-ensemble__1016001.json.gz", "module", "Owlv2Attention_6"): 21_808_306,
}

Slice = collections.namedtuple("Slice", "begin end kind name")
failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


def to_ns(us):
    return int((decimal.Decimal(us) * 1000).to_integral_value())


def kind_of(category, name):
    if re.fullmatch(r"ProfilerStep#\d+", name):
        return None
    if category == "python_function":
        return "module" if name.startswith("nn.Module: ") else "function"
    return {"cpu_op": "operator", "user_annotation": "range"}.get(category)


class Events:
    """The slices of each thread, the work of the GPUs, and what launched it."""

    def __init__(self, events):
        self.threads = collections.defaultdict(list)
        self.calls = collections.defaultdict(list)  # by correlation: when it began and ended, and on which thread
        self.work = []  # length, correlation, begin
        starts, self.forward = {}, {}  # of fwdbwd arrows: by id; and by thread and begin of the backward operator
        for event in events:
            args = event.get("args", {})
            if event["ph"] in "sf" and event.get("cat") == "fwdbwd":
                place = ((event["pid"], event["tid"]), to_ns(event["ts"]))
                if event["ph"] == "s":
                    starts[event["id"]] = place
                else:
                    self.forward[place] = event["id"]
            if event["ph"] != "X":
                continue
            begin = to_ns(event["ts"])
            end = begin + to_ns(event["dur"])
            thread = (event["pid"], event["tid"])
            if event["cat"] in WORK and end > begin:
                self.work.append((end - begin, args.get("correlation"), begin))
            elif event["cat"] in CALLS:
                self.calls[args.get("correlation")].append((begin, end, thread))
            elif kind := kind_of(event["cat"], event["name"]):
                self.threads[thread].append(Slice(begin, end, kind, event["name"].removeprefix("nn.Module: ")))
        self.forward = {to: starts[number] for to, number in self.forward.items() if number in starts}
        for slices in self.threads.values():
            slices.sort(key=lambda one: (one.begin, -one.end))  # stable: what comes later in the file is further inside

    def around(self, thread, moments):
        """For each (begin, end) of a launch: the slices around it, outermost first."""
        found, opened, slices = {}, [], iter(self.threads[thread])
        following = next(slices, None)
        for begin, end in sorted(set(moments)):
            while following and following.begin <= begin:
                opened.append(following)
                following = next(slices, None)
            opened = [one for one in opened if one.end > begin]
            found[begin, end] = [one for one in opened if one.begin < begin or one.end >= end]
        return found

    def launch_of(self, correlation, begin):
        known = [call for call in self.calls.get(correlation, []) if call[0] <= begin] if correlation is not None else []
        return max(known, default=None)

    def paths(self):
        """-> for each piece of work its length, and its path, or None if no launch is known: (kind, name, backward) of each."""
        launches = [self.launch_of(correlation, begin) for _, correlation, begin in self.work]
        moments = collections.defaultdict(list)
        for launch in filter(None, launches):
            moments[launch[2]].append(launch[:2])
        around = {thread: self.around(thread, all) for thread, all in moments.items()}
        for (length, _, _), launch in zip(self.work, launches):
            yield length, launch and self.with_forward(launch[2], around[launch[2]][launch[:2]])

    def with_forward(self, thread, slices):
        for i, one in enumerate(slices):
            start = self.forward.get((thread, one.begin))
            backward = "Backward" in one.name or one.name.startswith(("autograd::engine::evaluate_function", "CppNode<"))
            if one.kind == "operator" and start and backward:
                outer = [other for other in self.threads[start[0]] if other.begin <= start[1] < other.end]
                return [(other.kind, other.name, False) for other in outer] + [(x.kind, x.name, True) for x in slices[i:]]
        return [(one.kind, one.name, False) for one in slices]


def sums(paths, by):
    """-> by name of the owner: own, total, times, of the backward pass."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for length, path in paths:
        owners = [] if path is None else [one for one in path if by == "path" or one[0] == by]
        if path is None:
            name = "(no launch was recorded)"
        elif not owners:
            name = f"(launched outside {'everything' if by == 'path' else {'range': 'marked range'}.get(by, by) + 's'})"
        else:
            name = " > ".join(one[1] for one in owners) if by == "path" else owners[-1][1]
        row = rows[name]
        row[0] += length
        row[2] += 1
        row[3] += length if path and path[-1][2] else 0
        if not owners:
            row[1] += length
        elif by == "path":
            for depth in range(len(owners)):
                rows[" > ".join(one[1] for one in owners[: depth + 1])][1] += length
        else:
            for outer in {one[1] for one in owners}:
                rows[outer][1] += length
    return {name: tuple(row) for name, row in rows.items()}


def asked(traceview, path, by):
    command = [traceview, "stats", "--no-cache", "--of", "owners", "--set", f"owners_by={by}", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None
    rows = json.loads(done.stdout)[0].get("rows", [])
    title = {"range": "marked range"}.get(by, by)
    return {
        row[title]: (int(row["own (ns)"]), int(row["with all inside (ns)"]), int(row["times"]), int(row.get("backward (ns)", 0))) for row in rows
    }


def compare(traceview, path, events, what, most=1000):
    paths = list(events.paths())
    if not paths:
        return 0
    for by in (*KINDS, "path"):
        expected, got = sums(paths, by), asked(traceview, path, by)
        if got is None:
            failures.append(f"{what}, {by}: no answer")
            continue
        if len(expected) <= most:
            for name in sorted(set(expected) | set(got)):
                check(f"{what}, {by}, {name!r}", got.get(name), expected.get(name))
        else:  # the table ends after 1,000 rows, the largest first
            for name, row in got.items():
                check(f"{what}, {by}, {name!r}", row, expected.get(name))
        if len(expected) <= most:
            check(f"{what}, {by}: sum", sum(row[0] for row in got.values()), sum(length for length, _ in paths))
    return len(paths)


class Generated:
    """Nested slices of a program with modules, operators and ranges, what they launch, and a backward pass on a second thread."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events, self.correlation, self.arrow = [], 100, 0
        self.free = collections.Counter()
        self.operators = []  # forward operators: begin and thread
        now = 1_000_000
        for step in range(self.random.randint(1, 3)):
            begin = now
            for _ in range(self.random.randint(1, 6)):
                now = self.block(now, 1, 0)
            self.add("user_annotation", f"ProfilerStep#{step}", 1, begin, now + 100)
            now += 500
        for begin, thread in self.random.sample(self.operators, len(self.operators) // 2):
            now = self.backward(now, begin, thread)
        self.random.shuffle(self.events)

    def add(self, category, name, tid, begin, end, **args):
        """Times are in ns."""
        event = {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": tid, "ts": begin / 1000, "dur": (end - begin) / 1000}
        self.events.append(event | ({"args": args} if args else {}))

    def launch(self, now, tid):
        self.correlation += 1
        end = now + self.random.randint(1, 40)
        known = self.random.random() < 0.9
        if known:
            self.add("cuda_runtime", "cudaLaunchKernel", tid, now, end, correlation=self.correlation)
        stream = self.random.choice([7, 13])
        for _ in range(self.random.choice([1, 1, 1, 3]) if known else 1):
            begin = max(end + self.random.randint(0, 3000), self.free[stream])
            self.free[stream] = begin + self.random.randint(1, 900)
            category = self.random.choice(["kernel", "kernel", "gpu_memcpy", "gpu_memset"])
            name = f"{category} {self.random.randint(0, 9)}"
            self.add(category, name, stream, begin, self.free[stream], correlation=self.correlation, device=0, stream=stream)
        return end + self.random.randint(0, 5)

    def block(self, now, tid, depth):
        """One slice with what is in it, which may begin or end with it; -> when it ended."""
        kinds = ("cpu_op", "python_function", "nn.Module", "user_annotation", "launch")
        kind = self.random.choices(kinds, (3, 1, 2, 1, 4 if depth else 1))[0]
        if kind == "launch" or depth > 6:
            return self.launch(now, tid)
        begin = now
        now += self.random.choice([0, 0, 3])
        for _ in range(self.random.randint(0, 3)):
            now = self.block(now, tid, depth + 1)
        now += self.random.choice([0, 7]) if now > begin else 1
        number = self.random.randint(0, 4)
        name = {"cpu_op": "aten::op", "python_function": "loop.py(3): f", "nn.Module": "nn.Module: Block_", "user_annotation": "part "}[kind]
        self.add("python_function" if kind == "nn.Module" else kind, f"{name}{number}", tid, begin, now)
        if kind == "cpu_op" and tid == 1:
            self.operators.append((begin, tid))
        return now

    def backward(self, now, begin, thread):
        """What autograd runs for a forward operator, on its own thread; an arrow leads there."""
        self.arrow += 1
        first = now
        now = self.launch(now + 2, 2)
        self.add("cpu_op", "OpBackward0", 2, first + self.random.choice([0, 1]), now + 1)
        self.add("cpu_op", "autograd::engine::evaluate_function: OpBackward0", 2, first, now + 2)
        for ph, tid, ts in (("s", thread, begin), ("f", 2, first)):
            end = {"bp": "e"} if ph == "f" else {}
            arrow = {"ph": ph, "id": self.arrow, "cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": tid, "ts": ts / 1000}
            self.events.append(arrow | end)
        return now + self.random.randint(3, 30)


def read(path):
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        return json.load(file, parse_float=decimal.Decimal)["traceEvents"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    work = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in [options.seed] if options.seed is not None else range(options.seeds):
            path = pathlib.Path(folder, f"{seed}.json")
            path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": Generated(seed).events}))
            work += compare(options.traceview, path, Events(read(path)), f"seed {seed}")
    assert work > 0
    for sample in SAMPLES if options.seed is None else []:
        path = shared_sample(f"pytorch/{sample}")
        if not path or too_large(str(path)):
            continue
        compare(options.traceview, pathlib.Path(path), Events(read(pathlib.Path(path))), sample)
        for (file, by, name), own in KNOWN.items():
            if file == sample:
                check(f"{sample}, {by}, {name}: known", asked(options.traceview, path, by)[name][0], own)
    for failure in failures[:40]:
        print(failure)
    print(f"{work} pieces of work in generated traces, {len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
