#!/usr/bin/env python3
"""Journeys through a rollout, on the window without a display: from the slow step to the request that held it up (J1), from the tail
of a CDF to its requests (J2), from an area of the timeline to the charts (J3), from clocks that differ to clocks that agree, from two
runs to whether they differ (J8). The log is made here with a fixed seed, and the expected results are computed here from the same
numbers, not by our program."""

import argparse
import datetime
import json
import pathlib
import random
import subprocess
import sys
import tempfile

STEPS, WORKERS, REQUESTS = 12, 4, 24
SLOW_STEP, SLOW_WORKER, STALLED = 7, 0, 6
PAIRS = 100
EPOCH = datetime.datetime(2025, 7, 13, 11, 0, 0)


def moved(line, seconds):
    """The line as a clock writes it that is off by this many seconds."""
    record = json.loads(line)
    stamp = datetime.datetime.fromisoformat(record["timestamp"]) + datetime.timedelta(seconds=seconds)
    return json.dumps({**record, "timestamp": stamp.isoformat()})


class Log:
    """Writes a log and keeps all of its numbers as the truth."""

    def __init__(self, seed=20251122, steps=STEPS, workers=WORKERS, stall=True, tool_seconds=1):
        self.random = random.Random(seed)
        self.steps, self.workers = steps, workers
        self.stall = stall
        self.tool_seconds = tool_seconds  # a factor on the time that tools take
        self.requests = []  # (step, worker, id, begin, end, turns)
        self.waits = {}     # (step, worker) -> seconds
        self.rollouts = []  # seconds per step

    def line(self, lines, end, event, duration, worker, step, **extra):
        record = {"timestamp": (EPOCH + datetime.timedelta(microseconds=round(end * 1e6))).isoformat(), "event": event}
        if duration is not None:
            record["duration_sec"] = round(duration, 6)
        if extra:
            record["extra"] = extra
        lines.append((end, json.dumps({**record, "workid": worker, "step": step})))

    def request(self, lines, step, worker, number, begin):
        name = f"{self.random.getrandbits(32):08x}-{step}-{worker}-{number}"
        turns = self.random.randint(1, 4)
        stalled = self.stall and step == SLOW_STEP and worker == SLOW_WORKER and number < STALLED
        now, timings = begin + 0.001, []
        for turn in range(turns):
            tokens = self.random.randint(20, 200)
            engine = tokens * 0.01 + (120 + number if stalled and turn == turns - 1 else 0)
            now = round(now + engine, 6)
            self.line(lines, now, "turn_engine_call", engine, worker, step, request_id=name, turn=turn, generated_tokens=tokens)
            timings.append({"turn": turn, "pre_process_duration": 0, "engine_call_duration": engine,
                            "post_process_duration": 0, "tool_parsing_duration": 0})
            if turn + 1 < turns:
                tool = round(self.tool_seconds * self.random.uniform(0.05, 0.6), 6)
                now = round(now + tool, 6)
                self.line(lines, now, "tool_calling_state", tool, worker, step, request_id=name, turn=turn + 1)
        end = round(now + 0.01, 6)
        self.line(lines, end, "async_rollout_request_complete", end - begin, worker, step, request_id=name, batch_data_id=number,
                  finish_reason="FinishReasonTypeEnum.STOP", turns=turns, response_length=turns * 100,
                  actual_response_tokens=turns * 90, turn_timings=timings)
        self.requests.append((step, worker, name, begin, end, turns))
        return end

    def write(self, folder, skew=()):
        """`skew`: seconds by which the clocks of some workers are off."""
        now = 0.0
        for step in range(1, self.steps + 1):
            files, ready = [], []
            for worker in range(self.workers):
                lines, begin = [], round(now + 2 + worker * 0.01, 6)
                self.line(lines, begin, "preprocessing_duration", begin - now, worker, step)
                ready.append(max(self.request(lines, step, worker, n, begin) for n in range(REQUESTS)))
                self.line(lines, ready[-1], "async_generate_duration", ready[-1] - begin, worker, step)
                files.append(lines)
            free = round(max(ready) + 0.002, 6)
            for worker, lines in enumerate(files):
                self.waits[step, worker] = round(free - ready[worker], 6)
                self.line(lines, free, "barrier_wait_duration", free - ready[worker], worker, step)
                self.line(lines, round(free + 0.1, 6), "total_step_duration", free + 0.1 - now, worker, step)
                path = pathlib.Path(folder, f"step_{step}", f"worker_{worker}.jsonl")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(moved(text, dict(skew).get(worker, 0)) + "\n"
                                        for _, text in sorted(lines, key=lambda entry: entry[0])))
            self.rollouts.append(free + 0.1 - now)
            now = round(free + 5, 6)


def play(traceview, script, many=False):
    """What the script's `state` lines print: the last one, or with `many` a list of all."""
    result = subprocess.run([traceview, "script", "-", "--size", "1600x1000"], input=script, capture_output=True, text=True,
                            timeout=300)
    assert result.returncode == 0, f"{result.stderr}\nin\n{script}"
    states, at, text = [], 0, result.stdout.strip()
    while at < len(text):
        state, at = json.JSONDecoder().raw_decode(text, at)
        at += len(text) - at - len(text[at:].lstrip())
        states.append(state)
    return states if many else states[-1] if states else None


def seconds_of(text):
    """A duration as charts write it, with four digits: "2.429 s", "618.8 ms"."""
    number, unit = text.replace(",", "").split()
    return float(number) * {"s": 1, "ms": 1e-3, "\u00b5s": 1e-6}[unit]


def about(text, seconds):
    return abs(seconds_of(text) - seconds) <= 1e-3 * seconds


def slow_step(traceview, folder, log):
    lost = sum(seconds for (step, worker), seconds in log.waits.items() if step == SLOW_STEP and worker != SLOW_WORKER)
    guilty = max((r for r in log.requests if r[0] == SLOW_STEP), key=lambda r: r[4])
    assert guilty[1] == SLOW_WORKER
    in_order = sorted(log.rollouts)
    factor = log.rollouts[SLOW_STEP - 1] / ((in_order[5] + in_order[6]) / 2)
    state = play(traceview, f"""
open {folder}
expect trace.lost = 0
expect rollout.steps = {STEPS}
expect rollout.workers = {WORKERS}
expect rollout.requests = {STEPS * WORKERS * REQUESTS}
expect rollout.outliers = 1
expect rollout.outlier.step = {SLOW_STEP}
expect rollout.outlier.factor > {factor * 0.99}
expect rollout.outlier.factor < {factor * 1.01}
click step {SLOW_STEP}
expect rollout.step = {SLOW_STEP}
expect view.span_ns < {log.rollouts[SLOW_STEP - 1] * 1.21e9}
expect rollout.worst.step = {SLOW_STEP}
expect rollout.worst.worker = {SLOW_WORKER}
expect rollout.worst.request = {guilty[2]}
expect rollout.worst.lost_s > {lost - 0.001}
expect rollout.worst.lost_s < {lost + 0.001}
order tail
expect lanes.workers.0 = "worker {SLOW_WORKER}"
order wait
expect lanes.workers.{WORKERS - 1} = "worker {SLOW_WORKER}"
order none
expect lanes.workers.1 = "worker 1"
scroll_to barrier_wait_duration
click slice barrier_wait_duration
expect selected.name = barrier_wait_duration
press ]
expect selected.name = async_rollout_request_complete
expect rollout.request.id = {guilty[2]}
press F
expect view.span_ns < {(guilty[4] - guilty[3]) * 1.21e9}
press [
expect selected.name = barrier_wait_duration
press ]
click tab requests
state
""")
    phases = state["charts"]["request_phases"]
    of_step = sorted(r[4] - r[3] for r in log.requests if r[0] == SLOW_STEP)
    assert phases["title"].startswith(f"Request {guilty[2][:8]}, step {SLOW_STEP}, worker {SLOW_WORKER}"), phases
    assert about(phases["duration"], guilty[4] - guilty[3]), phases
    assert int(phases["turns"]) == guilty[5], phases
    assert of_step[len(of_step) // 2 - 1] * 0.999 < seconds_of(phases["of the median request"]) < of_step[len(of_step) // 2] * 1.001


def tail_of_a_cdf(traceview, folder, log):
    of_step = sorted((r for r in log.requests if r[0] == SLOW_STEP), key=lambda r: r[3] - r[4])
    longest = of_step[0][4] - of_step[0][3]
    rest = max(r[4] - r[3] for r in of_step[STALLED:])
    middle = (rest + 120) / 2
    names = [r[2] for r in of_step]
    play(traceview, f"""
open {folder}
click step {SLOW_STEP}
click tab cdf
expect window.panel = cdf
move chart 0 {middle} 50
drag chart 0 {longest} 50
expect rollout.selected = {STALLED}
expect rollout.brush ~ step=={SLOW_STEP}
expect rollout.brush ~ dur>=
press L
expect rollout.request.id = {names[0]}
expect view.span_ns < {longest * 1.21e9}
press L
expect rollout.request.id = {names[1]}
press L
expect rollout.request.id = {names[2]}
press Shift+L
expect rollout.request.id = {names[1]}
press Esc
expect rollout.brush = ""
expect rollout.selected = {len(log.requests)}
click chart 0 {longest} 100
expect rollout.request.id = {names[0]}
expect selected.name = async_rollout_request_complete
expect rollout.brush = ""
press Alt+Left
filter turns>=3
filter dur>1s
expect rollout.chips = 2
press Alt+Left
expect rollout.chips = 1
press Alt+Left
expect rollout.chips = 0
press Alt+Right
expect rollout.chips = 1
""")


def area_and_filters(traceview, folder, log):
    state = play(traceview, f"""
open {folder}
move 0.2 0.1
drag 0.55 0.8
filter turns>=3 && tool_s>0.5
click tab cdf
set histogram_bins 200
set duration_axis log
state
""")
    begin, length = state["range"]["begin_ns"] * 1e-9, state["range"]["length_ns"] * 1e-9
    # The area covers lanes of workers or the whole run; a worker's phases and counters stand for its requests.
    workers = set()
    for name in state["range"]["names"]:
        _, of_worker, lane = name.partition("worker ")
        worker, _, part = lane.partition("/")
        if not of_worker:
            workers.update(range(WORKERS))
        else:
            workers.add(int(worker))
    assert length > 0 and workers, state["range"]
    # Tool seconds are the part of a request without its engine calls; they are summed up here from the files.
    tools = {}
    for path in pathlib.Path(folder).rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record["event"] == "tool_calling_state":
                name = record["extra"]["request_id"]
                tools[name] = tools.get(name, 0) + record["duration_sec"]
    wanted = [r for r in log.requests
              if r[3] < begin + length and r[4] > begin and r[1] in workers and r[5] >= 3 and tools.get(r[2], 0) > 0.5]
    assert 0 < len(wanted) < len(log.requests)
    assert state["rollout"]["selected"] == len(wanted), (state["rollout"], len(wanted))
    assert state["rollout"]["chips"] == 1
    # Charts of one step show all requests that an area has selected, whatever their steps.
    of_step = sorted(r[4] - r[3] for r in wanted)
    facts = state["charts"]["request_cdf"]
    half = len(of_step) // 2
    median = of_step[half] if len(of_step) % 2 else (of_step[half - 1] + of_step[half]) / 2
    assert int(facts["n"]) == len(of_step), (facts, of_step)
    for name, seconds in (("mean", sum(of_step) / len(of_step)), ("median", median), ("max", of_step[-1])):
        assert about(facts[name], seconds), (name, facts, seconds)
    assert state["charts"]["request_histogram"]["empty"] == "", state["charts"]


def clocks_that_differ(traceview, folder, log):
    """Two workers are on another host, 3.25 s ahead; one clock is then set by hand. This journey has a log of its own."""
    with tempfile.TemporaryDirectory() as skewed:
        Log().write(skewed, skew=((1, 3.25), (3, 3.25)))
        state = play(traceview, f"""
open {skewed}
click tab clocks
expect window.panel = clocks
expect rollout.clocks.proposed = 2
expect rollout.clocks.applied = 0
click step {SLOW_STEP}
scroll_to barrier_wait_duration
click slice barrier_wait_duration
click clocks align
expect rollout.clocks.proposed = 0
expect rollout.clocks.applied = 2
expect rollout.clocks.verdict ~ "Offsets are applied to 2."
expect rollout.step = {SLOW_STEP}
expect selected.name = barrier_wait_duration
doubleclick clocks 2
type -1500.25
press Enter
expect rollout.clocks.applied = 3
expect rollout.clocks.proposed = 1
state
""")
        clocks = state["rollout"]["clocks"]
        assert clocks["applied_ns"] == [0, -3_250_000_000, -1_500_250_000, -3_250_000_000], clocks
        assert clocks["offset_ns"] == [0, 0, 1_500_250_000, 0], clocks
        agreeing = play(traceview, f"open {folder}\nclick tab clocks\nstate\n")["rollout"]
        assert "agree within" in agreeing["clocks"]["verdict"], agreeing
        again = play(traceview, f"""
open {skewed}
click tab clocks
click clocks align
click clocks logged
expect rollout.clocks.applied = 0
click clocks align
state
""")["rollout"]
        # The same culprit and the same wait as in the log whose clocks agree.
        for key in ("step", "worker", "request"):
            assert again["worst"][key] == agreeing["worst"][key], again
        assert abs(again["worst"]["lost_s"] - agreeing["worst"]["lost_s"]) < 1e-6, again


def same_and_changed(traceview, folder):
    """At most 5 of 100 pairs of runs of one kind may be called different; a run whose tools became slow must be."""
    lines = []
    for pair in range(PAIRS):
        for run in (0, 1):
            log = Log(1000 + 2 * pair + run, steps=2, workers=2, stall=False)
            log.write(pathlib.Path(folder, f"pair{pair}", f"run_{'ab'[run]}"))
        lines.append(f"open {folder}/pair{pair}\nstate")
    states = play(traceview, "open " + f"{folder}/pair0\nclick tab compare\nset compare_a run==1\nset compare_b run==2\n"
                  + "\n".join(lines), many=True)
    assert len(states) == PAIRS
    verdicts = []
    for state in states:
        chart = state["charts"]["compare"]
        assert chart["title"] == "Duration of requests, run_b against run_a", chart
        verdicts.append(chart["verdict"])
    alike = verdicts.count("not distinguishable")
    assert alike + verdicts.count("different") == PAIRS, verdicts
    assert alike >= 0.95 * PAIRS, f"{PAIRS - alike} of {PAIRS} pairs of one kind were called different"
    print(f"   {alike} of {PAIRS} pairs not distinguishable")
    slow = pathlib.Path(folder, "changed")
    Log(1, stall=False).write(slow / "run_a")
    Log(2, stall=False, tool_seconds=3).write(slow / "run_b")
    play(traceview, f"""
open {slow}
click tab compare
set compare_a run==1
set compare_b run==2
expect charts.compare.verdict = different
set compare_b run==1
expect charts.compare.verdict = "not distinguishable"
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Log()
        log.write(folder)
        for journey in (slow_step, tail_of_a_cdf, area_and_filters, clocks_that_differ):
            journey(options.traceview, folder, log)
            print("ok", journey.__name__)
    with tempfile.TemporaryDirectory() as folder:
        same_and_changed(options.traceview, folder)
        print("ok", same_and_changed.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
