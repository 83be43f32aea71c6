#!/usr/bin/env python3
"""Checks clocks on runs with known truth: verl's rollouts and console, traces and reports of its processes, Megatron's console and a
trace. They have five zones, validations before and between steps, restarts, a missing worker, workers that begin late, steps that are
all alike, logs that were cut, and logs of another run. Each source must lie within 1 ms of truth, or say what it does not know: the
zone of local times, or the place of steps. A place that is only known within bounds must say the bounds and keep them.

The truth is worked out here, from the same numbers as the files, and not by our program."""

import argparse
import collections
import datetime
import json
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

EPOCH = datetime.datetime(1970, 1, 1)
ZONES = [0, 8, -7, 5.75, 9]  # hours ahead of UTC
BEGIN = 1777626000  # 2026-05-01 09:00:00 UTC
WITHIN = 1_000_000  # ns


class Run:
    """A training of verl on one host: what happened when, in seconds since its begin."""

    def __init__(self, seed, draw):
        r = self.random = random.Random(seed)
        self.zone = ZONES[seed % len(ZONES)]
        self.begin = BEGIN + r.randrange(0, 86400) + r.randrange(10**6) / 1e6
        self.workers = r.choice([2, 2, 3])
        self.alike = draw == "alike"
        self.alike_rollouts = self.alike or r.random() < 0.15
        self.handover = r.choice([0.05, 0.2, 0.6])
        self.missing = r.randrange(self.workers) if r.random() < 0.25 else None
        self.late = r.random() < 0.3
        self.testing = r.choice(["in step", "in step", "beside", "unsaid"])
        self.test_freq = r.choice([0, 0, 2, 3, 5])
        self.validate_first = r.random() < 0.5
        self.rollouts = []  # (S, when, length, cut)
        self.printed = []   # (number, begin, parts, total, pid)
        self.pid = 4000 + r.randrange(1000)
        self.time = 0.0
        self.calls = 0
        self.base = r.uniform(8, 40)
        self.update = r.uniform(6, 30)
        first = 1 if r.random() < 0.85 else 41
        count = r.randrange(4, 15)
        restart = draw == "restart"
        self.train(first, first + count - 1, crash=r.randrange(first + 1, first + count) if restart else None)
        if restart:
            crashed = self.printed[-1][0] + 1
            self.time += r.uniform(30, 400)
            self.calls = 0
            self.pid += 7
            begin = max(first, crashed - r.randrange(0, 3))
            self.train(begin, first + count - 1 + r.randrange(0, 3), crash=None)

    def length(self, mean, alike):
        return mean if alike else mean * self.random.uniform(0.85, 1.15)

    def roll(self, length, cut=False):
        self.calls += 1
        self.rollouts.append((self.calls, self.time, length, cut))

    def validate(self):
        length = self.length(self.base * (1 if self.alike else 0.8), self.alike)
        self.roll(length)
        return length + 1.5

    def train(self, first, last, crash):
        r = self.random
        if self.validate_first:
            self.time += self.validate() + 3
        for number in range(first, last + 1):
            begin = self.time
            length = self.length(self.base, self.alike_rollouts)
            self.roll(length, cut=number == crash)
            if number == crash:
                return
            parts = {"gen": length + self.handover + (0 if self.alike else r.uniform(0, 0.02)), "reward": 0.4,
                     "old_log_prob": self.length(2.5, self.alike), "update_actor": self.length(self.update, self.alike)}
            total = sum(parts.values()) + 0.1
            self.time = begin + total
            if self.test_freq and number % self.test_freq == 0:
                before = self.time
                took = self.validate()
                self.time = before + took
                if self.testing != "unsaid":
                    parts["testing"] = took
                if self.testing == "in step":
                    total += took
            self.printed.append((number, begin, parts, total, self.pid))
            self.time += 0.02 if self.alike else r.uniform(0.01, 0.6)

    # --- files ---

    def local(self, seconds):
        micros = round((self.begin + self.zone * 3600 + seconds) * 1e6)
        return (EPOCH + datetime.timedelta(microseconds=micros)).isoformat(timespec="microseconds")

    def write_rollouts(self, folder, kept):
        """Returns the true begin of each worker's line of each rollout, in ns UTC."""
        truth = []
        for s, begin, length, cut in self.rollouts:
            present = [w for w in range(self.workers) if w != self.missing]
            for w in present:
                late = self.random.uniform(0.3, 4) if self.late and w != present[0] and self.random.random() < 0.5 else 0
                end = begin + length
                lines = [(begin + late + 0.5, "preprocessing_duration", 0.5, {})]
                for q in range(3):
                    took = (length - late - 0.6) * (3 - q) / 3
                    lines.append((begin + late + 0.5 + took, "async_rollout_request_complete", took,
                                  {"request_id": f"{s}-{w}-{q}-{begin}", "turns": 1}))
                lines.append((end - 0.05, "barrier_wait_duration", 0.01, {}))
                lines.append((end, "total_step_duration", end - begin - late, {}))
                if cut:
                    lines = [x for x in lines if x[0] < begin + length * 0.7]
                if not kept(s):
                    continue
                path = pathlib.Path(folder, "rollout", f"step_{s}", f"worker_{w}.jsonl")
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(path, "a") as f:
                    for at, event, duration, extra in sorted(lines, key=lambda x: x[0]):
                        record = {"timestamp": self.local(at), "event": event, "duration_sec": duration, "workid": w, "step": s}
                        if extra:
                            record["extra"] = extra
                        f.write(json.dumps(record) + "\n")
                truth.append((w, "preprocessing_duration", round((self.begin + begin + late) * 1e9)))
        return truth

    def write_console(self, path, kept):
        text = ""
        truth = []
        for number, begin, parts, total, pid in self.printed:
            text += f"\x1b[36m(WorkerDict pid={pid + 1})\x1b[0m a line of the worker\n"
            if not kept(number):
                continue
            pairs = [f"step:{number}", "actor/entropy:0.31"] + [f"timing_s/{k}:{v!r}" for k, v in parts.items()]
            text += f"\x1b[36m(TaskRunner pid={pid})\x1b[0m " + " - ".join(pairs + [f"timing_s/step:{total!r}"]) + "\n"
            truth.append((number, round((self.begin + begin) * 1e9)))
        pathlib.Path(path).write_text(text)
        return truth

    def write_trace(self, folder, step, slack):
        number, begin, parts, _, pid = step
        first = begin + parts["gen"] + parts["reward"] + parts["old_log_prob"] + slack / 2
        length = parts["update_actor"] - slack
        at = round((self.begin + first) * 1e9)
        name = f"actor_update_step{number}_rank0-of-1_pid{pid + 1}_20260501090000000.json"
        base = 1749600000000000000
        event = {"ph": "X", "cat": "cpu_op", "name": "the_update", "pid": pid + 1, "tid": 1, "ts": (at - base) // 1000,
                 "dur": round(length * 1e6)}
        pathlib.Path(folder, name).write_text(
            json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": base, "traceEvents": [event]}))
        return at // 1000 * 1000

    def write_report(self, folder, steps, says_zone):
        """Writes a report of the controller, with ranges around its steps. Returns the true begins of these."""
        pid = steps[0][4]
        path = pathlib.Path(folder, f"worker_process_{pid}.1.sqlite")
        db = sqlite3.connect(path)
        db.executescript("""
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
 color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,
 int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, jsonTextId INTEGER,
 jsonText TEXT, binaryData TEXT);
""")
        thread = pid << 24 | pid
        session = int(self.begin) - 5
        utc = EPOCH + datetime.timedelta(seconds=session)
        local = utc + datetime.timedelta(hours=self.zone)
        db.execute("INSERT INTO StringIds VALUES (1, './nv')")
        db.execute("INSERT INTO PROCESSES VALUES (?,?,?)", (pid << 24, pid, "./nv"))
        db.execute("INSERT INTO ThreadNames VALUES (1, 0, ?)", (thread,))
        db.executemany("INSERT INTO META_DATA_EXPORT VALUES (?,?)",
                       [("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", "2022.4.2.1"),
                        ("EXPORT_SCHEMA_VERSION", "2.14.0"), ("EXPORT_PARAM_TIME_NORMALIZE", "false")])
        db.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?,?,?)",
                   (session * 10**9, utc.isoformat(), local.isoformat() if says_zone else None))
        truth = []
        for _, begin, parts, total, _ in steps:
            first = round((self.begin + begin - session) * 1e9)
            at = first
            for name, length in [("step", total)] + list(parts.items()):
                if name == "testing":
                    continue
                db.execute("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES (?,?,59,?,?,0)",
                           (at, at + round(length * 1e9), name, thread))
                at += 0 if name == "step" else round(length * 1e9)
            truth.append(first + session * 10**9)
        db.commit()
        db.close()
        return truth


class Verdict:
    def __init__(self):
        self.wrong = []
        self.counts = collections.Counter()
        self.megatron = []  # by run: the median distance of iterations from truth, in s

    def check(self, seed, what, ok, detail=""):
        if not ok:
            self.wrong.append(f"seed {seed}: {what} {detail}")


def ask(traceview, *paths):
    """What the program says about the sources, and all its slices."""
    command = [traceview, "info", "--json", "--no-cache", *map(str, paths)]
    info = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    command = [traceview, "dump", "--no-cache", *map(str, paths)]
    slices = []
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("{") and '"begin_ns"' in line and '"name"' in line:
            slices.append(json.loads(line))
    for s in slices:
        s["at"] = s["begin_ns"]
    return info, slices


def differences(found, true):
    """The differences between the times of each key, both in order; None if a key has not the same number of times in both."""
    out = []
    for key in set(found) | set(true):
        a, b = sorted(found.get(key, [])), sorted(true.get(key, []))
        if len(a) != len(b):
            return None
        out += [abs(x - y) for x, y in zip(a, b)]
    return out


def by_key(pairs):
    out = collections.defaultdict(list)
    for *key, at in pairs:
        out[tuple(key)].append(at)
    return out


def check_verl(seed, traceview, folder, verdict, verbose):
    r = random.Random(seed * 7919 + 1)
    draw = r.choice(["plain", "plain", "plain", "alike", "restart", "restart"])
    run = Run(seed, draw)
    gone = set()
    cut = r.random()
    if cut < 0.12:
        gone = set(range(1, r.randrange(2, 4)))      # only later rollouts were kept
    elif cut < 0.2:
        gone = {r.randrange(2, 6)}                   # one in the middle is missing
    elif cut < 0.3:
        gone = {run.rollouts[-1][0]}
    rollouts = by_key(run.write_rollouts(folder, lambda s: s not in gone))
    last = run.printed[-1][0] - (r.randrange(1, 3) if r.random() < 0.2 else 0)
    stranger = r.random() < 0.12
    writer = Run(seed + 5000, draw) if stranger else run
    if stranger:
        writer.printed = [(*step[:4], step[4] + 20000) for step in writer.printed]
    with_console = r.random() < 0.92
    console = []
    if with_console:
        console = writer.write_console(pathlib.Path(folder, "console.log"), (lambda n: True) if stranger else lambda n: n <= last)
    traced = []
    for _ in range(r.choice([0, 0, 1, 1, 2])):
        step = r.choice(run.printed)
        traced.append((step, r.uniform(0.2, 3)))
    traces = {}
    for step, slack in traced:
        traces[(step[0], step[4])] = run.write_trace(folder, step, slack)
    report = []
    if r.random() < 0.25:
        of_pid = [p for p in run.printed if p[4] == run.pid]
        first = r.randrange(len(of_pid))
        report = run.write_report(folder, of_pid[first:first + r.randrange(1, 5)], r.random() < 0.6)
    info, slices = ask(traceview, folder)

    # Sources in UTC lie at their true times.
    found = sorted(s["at"] for s in slices if s["name"] == "the_update")
    verdict.check(seed, "traces", all(abs(a - b) <= 1000 for a, b in zip(found, sorted(traces.values()))) and
                  len(found) == len(traces), (found, traces))
    ranges = sorted(s["at"] for s in slices if s["name"] == "step" and s["cat"] == "nvtx")
    for s in info["sources"]:
        if s["format"] == "nsys_sqlite":
            verdict.check(seed, "role of the controller", s["role"] == "controller", s["role"])
    verdict.check(seed, "report", ranges == sorted(report), (ranges, report))

    # Rollouts lie at their true times, or as written, and then the program says that their zone is unknown.
    about = [s for s in info["sources"] if s["format"] == "verl_rollout"]
    told = {s["clock"]["evidence"] for s in about}
    verdict.check(seed, "rollouts of one run have one zone", len(told) == 1 and told <= {"zone", "no_zone"}, told)
    known = told == {"zone"}
    local = 0 if known else round(run.zone * 3600e9)
    if not known:
        verdict.check(seed, "says that the zone is unknown", all("zone unknown" in s["clock"]["text"] for s in about))
    seen = by_key((int(s["lane"][1].split()[-1]), s["name"], s["at"]) for s in slices if s["name"] == "preprocessing_duration")
    apart = differences(seen, {k: [at + local for at in v] for k, v in rollouts.items()})
    verdict.check(seed, "rollouts", apart is not None and max(apart, default=0) <= WITHIN, (known, apart and max(apart)))
    verdict.counts["rollouts with " + ("zone" if known else "unknown zone")] += 1
    tells = bool(report) or bool(traces)
    if with_console and not stranger and tells:
        verdict.counts["rollouts beside UTC, " + ("zone found" if known else "zone not found")] += 1

    if not with_console:
        return
    placing = next(s["placing"] for s in info["sources"] if s["format"] == "verl_console")
    verdict.check(seed, "says how steps were placed", bool(placing))
    guessed = re.search(r"(\d+) of (\d+) steps laid end to end", placing)
    allowed = int(guessed[1]) if guessed else 0
    bounds = WITHIN
    by_trace = re.search(r"on the clock of \S+\.json: .*\(\+- ([\d.]+) s\)", placing)
    kind = "stranger" if stranger else draw
    if "laid end to end: " in placing:
        verdict.counts[f"console ({kind}) refused"] += 1
    else:
        verdict.counts[f"console ({kind}) joined" + (" by a trace" if by_trace else "")] += 1
        if by_trace:
            bounds = round(float(by_trace[1]) * 1e9) + 10**7
        steps = by_key((int(s["name"].split()[1]), s["at"]) for s in slices if s["cat"] == "step" and s["name"].startswith("step "))
        by_rollout = "on the clock of rollout" in placing
        true = by_key(((n, at + (local if by_rollout else 0)) for n, at in console))
        apart = differences(steps, true)
        bad = None if apart is None else sum(d > bounds for d in apart)
        verdict.check(seed, f"console ({kind})", bad is not None and bad <= allowed,
                      f"{bad} bad, {allowed} guessed, worst {max(apart or [0]) / 1e9:.3f} s: {placing}")
        verdict.counts["steps joined"] += len(console) - allowed
        verdict.counts["steps guessed"] += allowed
    if verbose:
        print(f"seed {seed}: {kind} zone {run.zone:+} first {run.validate_first} freq {run.test_freq} {run.testing} gone {gone} "
              f"traces {[s[0][0] for s in traced]} report {len(report)} -> zone {'known' if known else 'unknown'}; {placing}")


def check_megatron(seed, traceview, folder, verdict, verbose):
    """A console with stamps, and the trace of one of its processes."""
    r = random.Random(seed)
    zone = ZONES[seed % len(ZONES)]
    begin = BEGIN + r.randrange(0, 86400)
    zoned = r.random() < 0.15
    stages = r.random() < 0.6
    count = r.randrange(4, 4000 if r.random() < 0.2 else 40)
    pid = 1300 + r.randrange(500)
    mean = r.uniform(1.5, 4)

    def stamp(at):
        text = (EPOCH + datetime.timedelta(seconds=int(at) + zone * 3600)).isoformat(sep=" ")
        if zoned:
            text += f"{'-' if zone < 0 else '+'}{int(abs(zone)):02}:{int(abs(zone) % 1 * 60):02}"
        return text

    at, text, true = begin, "", []
    profiled = r.randrange(1, count - 1)
    trace_at = None
    for i in range(1, count + 1):
        if i == profiled:
            trace_at = at + 0.5
            if stages:
                text += f"STAGE:{stamp(at)[:19]} {pid}:{pid} ActivityProfilerController.cpp:314] Completed Stage: Warm Up\n"
        took = mean * r.uniform(0.9, 1.1)
        at += took
        text += (f" [{stamp(at)}] iteration {i:8}/{count:8} | consumed samples: {i * 16:12} | elapsed time per iteration (ms): "
                 f"{took * 1000:.1f} | learning rate: 1.0E-04 | lm loss: 2.1E+00 |\n")
        true.append((i, at - took))
        if i == profiled and stages:
            text += f"STAGE:{stamp(at)[:19]} {pid}:{pid} ActivityProfilerController.cpp:320] Completed Stage: Collection\n"
        elif i == profiled:
            text += f"STAGE:{stamp(at)[:19]} {pid}:{pid} ActivityProfilerController.cpp:326] Completed Stage: Post Processing\n"
    if zoned and stages:
        text = re.sub("STAGE.*\n", "", text)  # these lines never name a zone
    pathlib.Path(folder, "train.log").write_text(text)
    base = 1749600000000000000
    event = {"ph": "X", "cat": "cpu_op", "name": "the_update", "pid": pid, "tid": 1, "ts": round((trace_at * 1e9 - base) / 1000),
             "dur": 500000}
    name = f"host_{pid}.1724066820235157909.pt.trace.json"
    pathlib.Path(folder, name).write_text(
        json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": base, "traceEvents": [event]}))
    info, slices = ask(traceview, folder)
    clock = next(s["clock"] for s in info["sources"] if s["format"] == "megatron_log")
    evidence = clock["evidence"] if clock else "none"
    if zoned and not stages:
        # Stamps of iterations have a zone and those of stages have none. No real program writes such a log.
        verdict.counts["megatron mixed"] += 1
        return
    known = evidence == "zone" or zoned
    verdict.counts["megatron " + ("with zone in stamps" if zoned else "zone found" if known else "zone unknown")] += 1
    local = 0 if known else zone * 3600
    steps = {int(s["name"].split()[1]): s["at"] / 1e9 for s in slices if s["name"].startswith("iteration ")}
    # Stamps are whole seconds, so each iteration is off by at most a second. Lengths are exact, which makes most of them better.
    apart = [abs(steps.get(i, 0) - at - local) for i, at in true]
    verdict.check(seed, "megatron", max(apart) <= 1, f"{evidence} {max(apart):.3f} s")
    verdict.megatron.append(statistics.median(apart))
    update = [s["at"] for s in slices if s["name"] == "the_update"]
    verdict.check(seed, "megatron's trace", len(update) == 1 and abs(update[0] - trace_at * 1e9) <= 1000, update)
    if verbose:
        print(f"seed {seed}: megatron zone {zone:+} stages {stages} count {count} -> {evidence} {clock and clock['text']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", help="folder for the files of a single seed")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    verdict = Verdict()
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            check = check_megatron if seed % 7 == 6 else check_verl
            check(seed, options.traceview, options.keep or folder, verdict, options.verbose)
    print(f"seeds {options.first} to {options.first + options.seeds - 1}: {len(verdict.wrong)} wrong")
    for what, count in sorted(verdict.counts.items()):
        print(f"  {what}: {count}")
    for line in verdict.wrong:
        print("WRONG", line)
    # A program that refuses everything is never wrong, so enough must be joined.
    counts = verdict.counts
    if options.seeds >= 40:
        for clear in ("plain", "restart"):
            joined, refused = counts[f"console ({clear}) joined"], counts[f"console ({clear}) refused"]
            assert joined >= 2 * refused, (clear, joined, refused)
        assert counts["rollouts beside UTC, zone found"] > 2 * counts["rollouts beside UTC, zone not found"], counts
        assert counts["console (stranger) joined"] == 0, counts
        assert statistics.median(verdict.megatron) < 0.1, verdict.megatron
    return 1 if verdict.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
