#!/usr/bin/env python3
"""The story of the one slow step, end to end on the window without a display, with what is true known from the generator: eight
workers of 64 requests; in step 67 fourteen requests of worker 0 have a second turn of 150 s, all others end by 25 s. From the
folder to the guilty request (J1), through the tail of its CDF (J2), and an area over steps and workers counted again (J3)."""

import argparse
import datetime
import json
import math
import pathlib
import random
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
        self.slices = []    # (step, worker, name, begin, end): all that is written

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
                        turns = [self.random.randrange(2_000_000, 8_000_000) for _ in range(self.random.randint(1, 3))]
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
        """Slowest first."""
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
    print(json.dumps(state["charts"], indent=1)[:6000])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        story = Story(20250713)
        story.write(folder)
        for journey in (turns_of_the_request,):
            journey(options.traceview, folder, story)
            print("ok", journey.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
