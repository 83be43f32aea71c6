#!/usr/bin/env python3
"""Did 1000 -> 600 help? Two runs are compared on the window without a display (J8): A lets models write up to 1000 tokens, B is the
same run cut at 600. One timeline is above the other, aligned at the start of the runs or of a step. The distributions are compared by
the Kolmogorov-Smirnov distance, the difference disappears among requests of equal length, a replay of A with 600 tokens gives the
times of B, and a view file restores all of this: split, filter, zoom, chart, notes. rollout_journeys_test.py checks that two runs of
one kind are not called different."""

import argparse
import bisect
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from rollout_journeys_test import Log, play  # noqa: E402

MOST, CUT = 1000, 600
SECONDS_PER_TOKEN = 0.02


class CutLog(Log):
    """Requests of one turn; with the same seed, all requests are the same except those that are cut."""

    def __init__(self, most):
        super().__init__(seed=7, steps=3, workers=2, stall=False)
        self.most = most

    def request(self, lines, step, worker, number, begin):
        name = f"{self.random.getrandbits(32):08x}-{step}-{worker}-{number}"
        wanted = self.random.choice([self.random.randint(50, 500), self.random.randint(500, MOST)])
        tokens = min(wanted, self.most)
        engine = round(tokens * SECONDS_PER_TOKEN, 6)
        end = round(begin + engine, 6)
        self.line(lines, end, "turn_engine_call", engine, worker, step, request_id=name, turn=0, generated_tokens=tokens)
        self.line(lines, end, "async_rollout_request_complete", engine, worker, step, request_id=name, batch_data_id=number,
                  finish_reason="FinishReasonTypeEnum.STOP", turns=1, response_length=tokens, actual_response_tokens=tokens,
                  turn_timings=[{"turn": 0, "engine_call_duration": engine}])  # fmt: skip
        self.requests.append((step, worker, name, begin, end, 1))
        return end


def distance(a, b):
    """The Kolmogorov-Smirnov distance: the greatest difference between the two shares of values up to x."""
    a, b = sorted(a), sorted(b)
    return max(abs(bisect.bisect_right(a, x) / len(a) - bisect.bisect_right(b, x) / len(b)) for x in a + b)


def comparing(traceview, folder, runs):
    charts = play(traceview, f"""
open {folder}
click tab compare
set compare_a run==1
set compare_b run==2
state
""")["charts"]
    compare, matched = charts["compare"], charts["compare_length_matched"]
    a, b = ([r[4] - r[3] for r in run.requests] for run in runs)
    assert compare["title"] == "Duration of requests, run_b against run_a", compare
    assert abs(float(compare["KS distance"]) - distance(a, b)) < 1e-4, (compare, distance(a, b))
    assert compare["verdict"] == "different", compare
    rows = {row["of durations"]: row for row in compare["rows"]}
    difference = sum(b) / len(b) - sum(a) / len(a)
    assert abs(rows["mean"]["difference"] - difference) < 1e-6, rows["mean"]
    assert rows["mean"]["95 % from"] < difference < rows["mean"]["to"] < 0, rows["mean"]
    steps = [sum(run.rollouts) / len(run.rollouts) for run in runs]
    assert abs(rows["mean step time"]["difference"] - (steps[1] - steps[0])) < 1e-6, rows["mean step time"]
    # Requests of equal length take equal time; a tenth of the difference may remain within the strata of lengths.
    assert matched["verdict"] == "not distinguishable", matched
    rows = {row["of durations"]: row for row in matched["rows"]}
    assert abs(rows["mean"]["difference"]) < abs(difference) / 10, rows["mean"]
    used = {int(matched[f"used of run_{side}"].split()[0]) for side in "ab"}
    assert len(used) == 1 and 0 < used.pop() < len(a), matched


def replaying(traceview, folder, runs):
    rows = play(traceview, f"""
open {folder}
click tab what_if
set what_if_tokens {CUT}
state
""")["charts"]["what_if"]["rows"]
    for step, (was, then) in enumerate(zip(runs[0].rollouts, runs[1].rollouts), 1):
        row = next(row for row in rows if row["step"] == f"run_a, step {step}")
        assert abs(row["as it was"] - was) < 1e-6, row
        assert abs(row[f"at most {CUT} tokens"] - then) < 0.02 * then, (row, then)


def above_each_other(traceview, folder, runs):
    begins = [[0.0] for _ in runs]
    for begin, run in zip(begins, runs):
        for seconds in run.rollouts[:-1]:
            begin.append(begin[-1] + seconds + 4.9)  # as Log.write() waits after a step
    later = [round((b - a) * 1e9) for a, b in zip(*begins)]
    play(traceview, f"""
open {folder}
expect split.on = false
press V
expect split.on = true
expect split.by = starts
expect split.upper.title = run_a
expect split.lower.title = run_b
expect split.difference_ns near 0 1000
keep all split.upper.span_ns
half lower
move 0.2 0.05
expect hovered.name = total_step_duration
hold W 20
expect split.upper.span_ns < $all
keep span split.upper.span_ns
keep begin split.upper.begin_ns
expect split.lower.span_ns = $span
expect split.lower.begin_ns near $begin 1000
click split lower step
click split item "step 2"
expect split.by = steps
expect split.upper.title = "run_a, step 2"
expect split.lower.title = "run_b, step 2"
expect split.difference_ns near {later[1]} 1000
press N
expect split.upper.title = "run_a, step 3"
expect split.lower.title = "run_b, step 3"
expect split.difference_ns near {later[2]} 1000
keep begin split.upper.begin_ns
expect split.lower.begin_ns near $begin+{later[2]} 1000
half lower
move 0.4 0.05
click
expect selected.name = total_step_duration
expect selected.path ~ run_b
half upper
move 0.4 0.05
down Ctrl
click
up Ctrl
expect several.slices = 2
click split upper align
click split item "Aligned at the selected"
expect split.by = slices
expect split.difference_ns near {-later[2]} 1000
press Esc 3
expect several.slices = 0
expect split.on = true
move split edge
drag 0.9 0.5
expect split.share < 0.4
click split upper close
expect split.on = false
""")


def coming_back(traceview, folder):
    looked = play(traceview, f"""
open {folder}
click tab compare
set compare_a run==1
set compare_b run==2
filter dur>5s
lanes worker 1
press V
expect split.by = starts
half lower
move 0.2 0.2
press M
press Ctrl+M
type "the 1000 -> 600 問"
press Enter
move 0.4 0.3
hold W 20
settle
press Ctrl+S
settle
press Enter
settle
state
""")
    saved = looked["notes"]["file"]
    assert pathlib.Path(saved).exists(), looked["notes"]
    again = play(traceview, f"open {saved}\nsettle\nstate\n")
    for part, keys in (("view", ("begin_ns", "span_ns")), ("rollout", ("chips", "selected")), ("window", ("panel",)), ("marks", None), ("notes", ("list",)),
                       ("split", ("on", "by", "difference_ns", "upper", "lower"))):
        if keys is None:
            assert again[part] == looked[part] and again[part], (part, again[part], looked[part])
        for key in keys or ():
            assert again[part].get(key) == looked[part].get(key), (part, key, again[part], looked[part])
    assert again["rollout"]["chips"] == 1 and again["charts"]["compare"] == looked["charts"]["compare"]
    assert again["lanes"] == looked["lanes"], (again["lanes"], looked["lanes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = [CutLog(MOST), CutLog(CUT)]
        for run, name in zip(runs, ("run_a", "run_b")):
            run.write(pathlib.Path(folder, name))
        for journey, more in ((above_each_other, [runs]), (comparing, [runs]), (replaying, [runs]), (coming_back, [])):
            journey(options.traceview, folder, *more)
            print("ok", journey.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
