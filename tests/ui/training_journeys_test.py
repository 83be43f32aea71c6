#!/usr/bin/env python3
"""Journeys through training logs (J4), on the window without a display: the console log of a run is shown step by step, and is joined
with the rollout logs of the same run and with a trace of one of its processes, but not with those of another run. The logs are made
here with a fixed seed, and the expected results are computed here from the same numbers, not by our program."""

import argparse
import datetime
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

EPOCH = datetime.datetime(2026, 3, 1, 9, 0, 0, tzinfo=datetime.timezone.utc)
FIRST, LAST = 5, 16
TASK = "\x1b[36m(TaskRunner pid=38606)\x1b[0m "
TRAINER_PID = 39290


class Run:
    """A training run: when its steps began, and the parts of each step, in seconds."""

    def __init__(self, seed, critic=True):
        self.random = random.Random(seed)
        self.critic = critic
        self.steps = {}
        begin = 0.0
        for step in range(FIRST, LAST + 1):
            parts = {"gen": self.random.uniform(8, 20), "reward": 0.5, "old_log_prob": self.random.uniform(2, 3),
                     "adv": 0.1, "update_actor": self.random.uniform(5, 7)}
            if critic:
                parts["update_critic"] = self.random.uniform(3, 4)
            parts = {name: round(seconds, 6) for name, seconds in parts.items()}
            total = round(sum(parts.values()) + self.random.uniform(0.5, 1), 6)
            self.steps[step] = (begin, parts, total)
            begin += total + 1.5

    def console(self, path):
        text = "2026-03-01 09:00:00,101\tINFO worker.py:2013 -- Started a local Ray instance.\n"
        for step, (_, parts, total) in self.steps.items():
            text += f"\x1b[36m(WorkerDict pid={TRAINER_PID})\x1b[0m Let us think step by step:1 - or not.\n"
            pairs = [f"step:{step}", f"actor/entropy:np.float64({0.01 * step})"]
            pairs += [f"timing_s/{name}:{seconds}" for name, seconds in parts.items()]
            pairs += [f"timing_s/step:{total}", f"perf/time_per_step:{total}", f"perf/throughput:{1000 / total}"]
            pairs += [f"timing_per_token_ms/gen:{parts['gen'] / 10}"]
            text += TASK + " - ".join(pairs) + "\x1b[32m [repeated 2x across cluster]\x1b[0m\n"
        pathlib.Path(path).write_text(text)

    def rollout(self, folder):
        for step, (begin, parts, _) in self.steps.items():
            for worker in range(2):
                lines = []
                length = parts["gen"] - 0.2 - 0.05 * worker

                def line(end, event, duration, **extra):
                    stamp = EPOCH + datetime.timedelta(seconds=begin + end)
                    record = {"timestamp": stamp.replace(tzinfo=None).isoformat(timespec="microseconds"), "event": event,
                              "duration_sec": round(duration, 6), "workid": worker, "step": step}
                    lines.append(json.dumps({**record, "extra": extra} if extra else record))

                for request in range(6):
                    seconds = length * (request + 1) / 7
                    line(0.1 + seconds, "async_rollout_request_complete", seconds,
                         request_id=f"{step}-{worker}-{request}", turns=1)
                line(length, "total_step_duration", length)
                path = pathlib.Path(folder, f"step_{step}", f"worker_{worker}.jsonl")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(lines) + "\n")

    def trace(self, folder, step, pid):
        """Writes a trace of the actor's update in one step, within the trainer's timer."""
        begin, parts, _ = self.steps[step]
        names = list(parts)
        before = sum(parts[name] for name in names[:names.index("update_actor")])
        base = int(EPOCH.timestamp()) * 10**9
        name = f"actor_update_step{step}_rank0_pid{pid}_20260301090000000.json"
        first = (begin + before + 0.1) * 1e6
        events = [{"ph": "X", "cat": "cpu_op", "name": "update", "pid": pid, "tid": 1, "ts": first,
                   "dur": (parts["update_actor"] - 0.2) * 1e6}]
        path = pathlib.Path(folder, name)
        path.write_text(json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": base, "traceEvents": events}))
        return path


def play(traceview, script):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "journey.script")
        path.write_text(script)
        result = subprocess.run([traceview, "script", str(path), "--size", "1600x1000"], capture_output=True,
                                text=True, timeout=300)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:] + script
    begin = result.stdout.find("{")
    return json.JSONDecoder().raw_decode(result.stdout[begin:])[0] if begin >= 0 else None


def console_alone(traceview, folder):
    """Five charts of one log; the mouse points at a step in all of them, and a click goes there."""
    run = Run(1, critic=False)
    log = pathlib.Path(folder, "grpo.log")
    run.console(log)
    state = play(traceview, f"""
open {log}
expect trace.lost = 0
expect training.steps = {LAST - FIRST + 1}
expect training.placing ~ "laid end to end"
click tab training
settle
state
""")
    charts = state["charts"]
    for chart in ("step_timing_breakdown", "per_token_timing", "throughput", "time_per_step", "component_comparison"):
        assert chart in charts and charts[chart]["empty"] == "", (chart, charts)
    totals = [total for _, _, total in run.steps.values()]
    facts = charts["time_per_step"]
    for name, value in (("mean", statistics.fmean(totals)), ("std", statistics.pstdev(totals)), ("min", min(totals)),
                        ("max", max(totals)), ("median", statistics.median(totals))):
        assert facts[name] == f"{value:.4g}", (name, facts, value)
    rest = statistics.fmean(total - sum(parts.values()) for _, parts, total in run.steps.values())
    shown, unit = charts["step_timing_breakdown"]["mean unaccounted"].split()
    assert abs(float(shown) - rest * {"s": 1, "ms": 1000}[unit]) < 0.06, (charts, rest)
    state = play(traceview, f"""
open {log}
click tab training
settle
move chart 0 {FIRST + 3} 1
frames 3
expect charts.pointed > {FIRST + 2.5}
expect charts.pointed < {FIRST + 3.5}
click chart 0 {FIRST + 3} 1
settle
expect training.step = {FIRST + 3}
expect steps.step = {FIRST + 3}
expect steps.count = {LAST - FIRST + 1}
expect steps.text ~ generate
state
""")
    total = run.steps[FIRST + 3][2]
    assert total * 1e9 <= state["view"]["span_ns"] < total * 1.5e9, state["view"]
    play(traceview, f"""
open {log}
click step {FIRST + 5}
settle
expect training.step = {FIRST + 5}
expect steps.step = {FIRST + 5}
press N
settle
expect training.step = {FIRST + 6}
expect steps.step = {FIRST + 6}
press Shift+N
settle
expect steps.step = {FIRST + 5}
scroll_to "step {FIRST + 5}"
click tab metrics
set metric actor/entropy
settle
expect charts.metric.title = actor/entropy
expect charts.metric.max = {0.01 * LAST:.4g}
click tab training
set log grpo.log
""")


def joined_with_rollouts(traceview, folder):
    """The rollouts of the same run are recognised by their lengths; choosing a step in one log also chooses it in the other."""
    run = Run(2)
    run.rollout(pathlib.Path(folder, "exp"))
    run.console(pathlib.Path(folder, "train.log"))
    step = FIRST + 4
    state = play(traceview, f"""
open {folder}
expect training.placing ~ "on the clock of rollout exp"
click tab training
settle
click chart 0 {step} 1
settle
expect training.step = {step}
expect rollout.step = {step}
state
""")
    begin, _, total = run.steps[step]
    view = state["view"]
    assert view["begin_ns"] <= begin * 1e9 + 5e6 and view["begin_ns"] + view["span_ns"] >= (begin + total) * 1e9 - 5e6, view
    assert state["training"]["placing"].startswith(f"on the clock of rollout exp: {len(run.steps)} of {len(run.steps)}"), state
    play(traceview, f"""
open {folder}
click step {step + 1}
settle
expect rollout.step = {step + 1}
expect training.step = {step + 1}
""")


def not_joined_with_others(traceview, folder):
    """Another run has the same step numbers but other lengths: the program says so and joins nothing."""
    Run(3).rollout(pathlib.Path(folder, "exp"))
    other = Run(4)
    for step, (begin, parts, total) in other.steps.items():
        other.steps[step] = (begin, {name: seconds * 3 for name, seconds in parts.items()}, total * 3)
    other.console(pathlib.Path(folder, "other.log"))
    play(traceview, f"""
open {folder}
expect training.placing ~ "not joined with rollout exp"
expect training.placing ~ "laid end to end"
""")


def joined_with_a_trace(traceview, folder):
    """A trace of a numbered step is joined if its process printed into the log."""
    run = Run(5)
    log = pathlib.Path(folder, "train.log")
    run.console(log)
    trace = run.trace(folder, FIRST + 2, TRAINER_PID)
    play(traceview, f"""
open {log} {trace}
expect training.placing ~ "step {FIRST + 2}, process {TRAINER_PID} of the log, within update_actor"
""")
    stranger = run.trace(folder, FIRST + 2, 4711)
    play(traceview, f"""
open {log} {stranger}
expect training.placing ~ "process 4711"
expect training.placing ~ "not joined"
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    for journey in (console_alone, joined_with_rollouts, not_joined_with_others, joined_with_a_trace):
        with tempfile.TemporaryDirectory() as folder:
            journey(options.traceview, folder)
        print("ok", journey.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
