#!/usr/bin/env python3
"""The story of one slow step, end to end on the window without a display, with the truth known from the generator: eight workers have
64 requests each; in step 67 fourteen requests of worker 0 have a second turn of 150 s, all others end within 25 s. From the folder
to the guilty request (J1), through the tail of its CDF (J2), and an area over steps and workers that is counted again here (J3)."""

import argparse
import datetime
import json
import math
import pathlib
import random
import re
import sys
import tempfile

from rollout_journeys_test import play, seconds_of

FIRST, LAST, SLOW = 61, 70, 67
WORKERS, REQUESTS, STALLED = 8, 64, 14
EPOCH = datetime.datetime(2025, 7, 13, 11, 0, 0)
END = "async_rollout_request_complete"


class Story:
    """Times in whole microseconds since the first step's begin."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.requests = []  # (step, worker, id, begin, end, [length of turns])
        self.waits = {}     # (step, worker) -> length
        self.rollouts = {}  # step -> length
        self.slices = []    # (step, worker, name, begin, end): every slice that is written

    def line(self, lines, name, begin, end, step, worker, **extra):
        stamp = (EPOCH + datetime.timedelta(microseconds=end)).isoformat(timespec="microseconds")
        record = {"timestamp": stamp, "event": name, "duration_sec": (end - begin) / 1e6}
        if extra:
            record["extra"] = extra
        lines.append((end, json.dumps({**record, "workid": worker, "step": step})))
        self.slices.append((step, worker, name, begin, end))

    def write(self, folder):
        now = 0
        for step in range(FIRST, LAST + 1):
            files, ready, base = [], [], now + 2_000_000
            most = self.random.randrange(5_000_000, 8_000_000)  # steps differ, so that only one stands out
            for worker in range(WORKERS):
                lines = []
                self.line(lines, "preprocessing_duration", now, base, step, worker)
                ends = []
                for number in range(REQUESTS):
                    name = f"{self.random.getrandbits(32):08x}-{step}-{worker}-{number}"
                    stalled = step == SLOW and worker == 0 and number < STALLED
                    if stalled:
                        turns = [20_000_000 + 1000 * number, 150_000_000 + 10_000 * number]
                    else:
                        turns = [self.random.randrange(2_000_000, most) for _ in range(self.random.randint(1, 3))]
                    begin, timings = base, []
                    for turn, length in enumerate(turns):
                        self.line(lines, "turn_engine_call", begin, begin + length, step, worker, request_id=name, turn=turn,
                                  generated_tokens=100)
                        timings.append({"turn": turn, "engine_call_duration": length / 1e6})
                        begin += length
                    self.line(lines, END, base, begin, step, worker, request_id=name, turns=len(turns), turn_timings=timings,
                              finish_reason="FinishReasonTypeEnum.STOP", response_length=100)
                    self.requests.append((step, worker, name, base, begin, turns))
                    ends.append(begin)
                ready.append(max(ends))
                files.append(lines)
            free = max(ready) + 1000
            for worker, lines in enumerate(files):
                self.waits[step, worker] = free - ready[worker]
                self.line(lines, "barrier_wait_duration", ready[worker], free, step, worker)
                self.line(lines, "total_step_duration", now, free, step, worker)
                path = pathlib.Path(folder, f"step_{step}", f"worker_{worker}.jsonl")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(text + "\n" for _, text in sorted(lines, key=lambda entry: entry[0])))
            self.rollouts[step] = free - now
            now = free + 5_000_000

    def of_step(self, step):
        """The requests of a step, slowest first."""
        return sorted((r for r in self.requests if r[0] == step), key=lambda r: r[3] - r[4])


def from_folder_to_request(traceview, folder, story):
    """Five actions: drop, bar, wait, ], F."""
    lost = sum(story.waits[SLOW, worker] for worker in range(1, WORKERS)) / 1e6
    guilty = story.of_step(SLOW)[0]
    lengths = sorted(story.rollouts.values())
    middle = (lengths[len(lengths) // 2 - 1] + lengths[len(lengths) // 2]) / 2
    factor = story.rollouts[SLOW] / middle
    state = play(traceview, f"""
open {folder}
expect trace.lost = 0
expect trace.sources = {(LAST - FIRST + 1) * WORKERS}
expect rollout.steps = {LAST - FIRST + 1}
expect rollout.workers = {WORKERS}
expect rollout.requests = {len(story.requests)}
expect rollout.outliers = 1
expect rollout.outlier.step = {SLOW}
expect rollout.outlier.factor near {factor} {factor / 100}
click step {SLOW}
expect rollout.step = {SLOW}
expect view.span_ns near {story.rollouts[SLOW] * 1000} {story.rollouts[SLOW] * 210}
expect rollout.worst.worker = 0
expect rollout.worst.request = {guilty[2]}
expect rollout.worst.lost_s near {lost} 0.001
order tail
expect lanes.workers.0 = "worker 0"
scroll_to barrier_wait_duration "worker 3"
click slice barrier_wait_duration "worker 3"
expect selected.duration_ns = {story.waits[SLOW, 3] * 1000}
press ]
expect selected.name = {END}
expect rollout.request.id = {guilty[2]}
press F
expect view.span_ns near {(guilty[4] - guilty[3]) * 1000} {(guilty[4] - guilty[3]) * 210}
click tab requests
state
""")
    return state, guilty


def turns_of_the_request(traceview, folder, story):
    state, guilty = from_folder_to_request(traceview, folder, story)
    slowest = [row["request id"] for row in state["charts"]["slowest_requests"]["rows"]]
    assert slowest[:STALLED] == [r[2] for r in story.of_step(SLOW)[:STALLED]], slowest
    phases = state["charts"]["request_phases"]
    assert phases["title"].startswith(f"Request {guilty[2][:8]}, step {SLOW}, worker 0"), phases
    assert phases["turns"] == "2", phases
    assert abs(sum(row["share"] for row in phases["rows"]) - 100) < 0.05, phases
    play(traceview, f"""
open {folder}
click step {SLOW}
press L
expect rollout.request.id = {guilty[2]}
expect selected.children = 2
press Shift+Down
expect selected.name = turn_engine_call
expect selected.duration_ns = {guilty[5][0] * 1000}
click slice turn_engine_call "worker 0/requests"
expect selected.duration_ns = {guilty[5][1] * 1000}
expect selected.parent = {END}
press Shift+Up
expect rollout.request.id = {guilty[2]}
""")


def tail_of_the_cdf(traceview, folder, story):
    """Checks a value of the curve, a brush over the tail, and the keys from the slowest request to the next."""
    of_step = story.of_step(SLOW)
    seconds = [(r[4] - r[3]) / 1e6 for r in of_step]
    tail = math.ceil(0.05 * len(of_step))
    edge, longest = (seconds[tail - 1] + seconds[tail]) / 2, seconds[0]
    states = play(traceview, f"""
open {folder}
click step {SLOW}
keep of_step view.span_ns
click tab cdf
move chart 0 25 50
frames 3
state
move chart 0 {edge} 50
drag chart 0 {longest + 1} 50
state
press L
expect rollout.request.id = {of_step[0][2]}
expect view.begin_ns < {of_step[0][3] * 1000}
expect view.end_ns > {of_step[0][4] * 1000}
press L
expect rollout.request.id = {of_step[1][2]}
press L
expect rollout.request.id = {of_step[2][2]}
press L
expect rollout.request.id = {of_step[3][2]}
keep begin view.begin_ns
keep span view.span_ns
press Esc
expect rollout.brush = ""
expect rollout.selected = {len(story.requests)}
expect view.begin_ns = $begin
expect view.span_ns = $span
press Alt+Left
expect view.span_ns = $of_step
""", many=True)
    at = states[0]["charts"]["pointed"]
    done = sum(s <= at for s in seconds) / len(seconds)
    assert 24.5 < at < 25.5 and f"({len(of_step)} requests) {100 * done:.2f}%" in states[0]["charts"]["read"], states[0]["charts"]["read"]
    # The mouse is on a pixel, which differs a little from the quantile, so the limit comes from the brush itself.
    brush = states[1]["rollout"]["brush"]
    least = float(re.search(r"dur>=([0-9.]+)s", brush)[1])
    assert abs(least - edge) < 0.5, (brush, edge)
    assert f"step=={SLOW}" in brush and states[1]["rollout"]["selected"] == sum(s >= least for s in seconds) >= tail - 5, (brush, tail)


def area_counted_again(traceview, folder, story):
    """An area from within step 63 to within step 67, over workers 2 to 4: all of its numbers are counted again here."""
    begin = min(b for step, _, _, b, _ in story.slices if step == 63) / 1e6 + 3
    states = play(traceview, f"""
open {folder}
move slice total_step_duration "worker 2/phases"
move time {begin}s
drag slice total_step_duration "worker 4/phases"
click tab statistics
state
click tab cdf
set histogram_bins 200
set duration_axis log
state
filter turns>=3
state
""", many=True)
    area, workers = states[0]["range"], (2, 3, 4)
    assert area["names"] == [f"/{pathlib.Path(folder).name}/worker {worker}/phases" for worker in workers], area
    low, high = area["begin_ns"], area["begin_ns"] + area["length_ns"]
    assert high - low > 100e9, area
    phases = ("total_step_duration", "preprocessing_duration", "barrier_wait_duration")
    slices = [(step, worker, name, 1000 * b, 1000 * e) for step, worker, name, b, e in story.slices]  # ns
    inside = [s for s in slices if s[1] in workers and s[2] in phases and s[3] < high and s[4] > low]
    clipped = lambda s: min(s[4], high) - max(s[3], low)
    found = states[0]["statistics"]
    assert found["slices"] == len(inside), (found, len(inside))
    assert found["total_ns"] == sum(map(clipped, inside)), found
    # The other phases are nested in the step of their worker, so a step's own time is the rest.
    own = sum(clipped(s) for s in inside if s[2] == phases[0]) - sum(clipped(s) for s in inside if s[2] != phases[0])
    assert found["names"][phases[0]]["self_ns"] == own, (found, own)
    busy, until = 0, low
    for s in sorted(inside, key=lambda s: s[3]):
        busy += max(0, min(s[4], high) - max(s[3], until))
        until = max(until, min(s[4], high))
    assert found["busy_ns"] == busy, (found, busy)
    for name in phases:
        lengths = sorted(s[4] - s[3] for s in inside if s[2] == name)
        for key, part in (("p50_ns", 0.5), ("p95_ns", 0.95), ("p99_ns", 0.99)):
            at = part * (len(lengths) - 1)
            under = int(at)
            value = lengths[under] + (lengths[min(under + 1, len(lengths) - 1)] - lengths[under]) * (at - under)
            assert abs(found["names"][name][key] - value) < 2, (name, key, found, value)
    chosen = [r for r in story.requests if r[1] in workers and 1000 * r[3] < high and 1000 * r[4] > low]
    assert states[1]["rollout"]["selected"] == len(chosen), (states[1]["rollout"], len(chosen))
    assert states[1]["charts"]["request_cdf"]["n"] == f"{len(chosen):,}", states[1]["charts"]["request_cdf"]
    many = [r for r in chosen if len(r[5]) >= 3]
    assert 0 < len(many) < len(chosen)
    assert states[2]["rollout"]["selected"] == len(many) and states[2]["rollout"]["chips"] == 1, states[2]["rollout"]
    facts = states[2]["charts"]["request_cdf"]
    lengths = [(r[4] - r[3]) / 1e6 for r in many]
    assert facts["n"] == f"{len(many):,}", facts
    assert abs(seconds_of(facts["mean"]) - sum(lengths) / len(lengths)) < 2e-3 * seconds_of(facts["mean"]), facts
    assert abs(seconds_of(facts["max"]) - max(lengths)) < 2e-3 * max(lengths), facts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        story = Story(20250713)
        story.write(folder)
        for journey in (turns_of_the_request, tail_of_the_cdf, area_counted_again):
            journey(options.traceview, folder, story)
            print("ok", journey.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
