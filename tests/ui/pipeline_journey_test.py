#!/usr/bin/env python3
"""Journey through a pipeline (J7), on the window without a display and on the command line: from the folder of a training's logs to
its bubbles, the slow stage and the way of a micro-batch. The logs are made here, job by job, and the expected numbers are computed
here, not by our program."""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

STAGES, MICRO_BATCHES, STEPS, FIRST = 4, 4, 5, 20
SLOW_STEP, SLOW_STAGE = 23, 2
FORWARD, BACKWARD, OPTIMIZER = 10.0, 20.0, 5.0  # ms
EPOCH_MS = 1_700_000_000_000


def one_forward_one_backward(stage):
    ahead = min(STAGES - 1 - stage, MICRO_BATCHES)
    plan = [("forward", n) for n in range(ahead)]
    for n in range(MICRO_BATCHES):
        if ahead + n < MICRO_BATCHES:
            plan.append(("forward", ahead + n))
        plan.append(("backward", n))
    return plan


def play_step(step, begin):
    """{stage: [(type, micro-batch, begin, end)]} in ms."""
    plans = {stage: one_forward_one_backward(stage) for stage in range(STAGES)}
    done, jobs, free = {}, {stage: [] for stage in plans}, dict.fromkeys(plans, begin)
    while any(plans.values()):
        for stage, plan in plans.items():
            if not plan:
                continue
            kind, n = plan[0]
            before = {"forward": ("forward", stage - 1, n) if stage > 0 else None,
                      "backward": ("backward", stage + 1, n) if stage < STAGES - 1 else ("forward", stage, n)}[kind]
            if before and before not in done:
                continue
            factor = 1.5 if (step, stage) == (SLOW_STEP, SLOW_STAGE) else 1
            start = max(free[stage], done[before] if before else begin)
            end = start + factor * (FORWARD if kind == "forward" else BACKWARD)
            jobs[stage].append((kind, n, start, end))
            done[kind, stage, n] = free[stage] = end
            plan.pop(0)
    for stage in jobs:
        jobs[stage].append(("optimizer", 0, free[stage], free[stage] + OPTIMIZER))
    return jobs


def write_logs(folder):
    """Writes the logs of two machines with two devices each; returns the jobs of each step."""
    steps, now = {}, 0.0
    for step in range(FIRST, FIRST + STEPS):
        steps[step] = play_step(step, now)
        now = max(end for jobs in steps[step].values() for *_, end in jobs) + 3
    for stage in range(STAGES):
        path = pathlib.Path(folder, f"machine{stage // 2}", f"workerlog.{stage % 2}")
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"[    INFO] - Schedule Profiler start at step {FIRST} and end at step {FIRST + STEPS}"]
        for step in steps:
            for kind, n, begin, end in steps[step][stage]:
                lines.append("I1114 22:13:20.000001 4711 standalone_executor.cc:217] Profiler Info: Job "
                             f"({n}), type = {kind}, micro_batch_id = {n}, job_start_time = {EPOCH_MS + begin:.6f}, "
                             f"job_end_time = {EPOCH_MS + end:.6f}")
            lines.append(f"[    INFO] - loss: 3.2, global_step: {step}")
        path.write_text("\n".join(lines) + "\n")
    # The same jobs as Paddle's tool writes them next to the logs; they must not be shown a second time.
    pathlib.Path(folder, "pipeline_profile.json").write_text('{"traceEvents":[{"name":"forward_0","cat":"forward","ph":"B",'
                                                             '"ts":1,"pid":0,"tid":"GPU0"}]}')
    return steps


def bubbles(jobs, wanted):
    """The bubble of each stage, in per cent."""
    span = [(begin, end) for of_stage in jobs.values() for kind, _, begin, end in of_stage if wanted(kind)]
    length = max(end for _, end in span) - min(begin for begin, _ in span)
    return [100 * (1 - sum(end - begin for kind, _, begin, end in jobs[stage] if wanted(kind)) / length) for stage in jobs]


def play(traceview, script):
    result = subprocess.run([traceview, "script", "-", "--size", "1600x1000"], input=script, capture_output=True, text=True,
                            timeout=300)
    assert result.returncode == 0, f"{result.stderr}\nin\n{script}"
    return json.loads(result.stdout) if result.stdout.strip() else None


def lanes_and_jobs(traceview, folder, steps):
    """Checks every job's lane, begin and duration, and the steps above all jobs."""
    dump = subprocess.run([traceview, "dump", folder, "--strict"], capture_output=True, text=True, timeout=60, check=True)
    found = sorted((tuple(event["lane"][1:]), event["name"], event["begin_ns"], event["dur_ns"])
                   for event in map(json.loads, dump.stdout.splitlines()) if "dur_ns" in event)
    ns = lambda ms: EPOCH_MS * 1_000_000 + round(ms * 1_000_000)
    truth = []
    for step, jobs in steps.items():
        for stage, of_stage in jobs.items():
            for kind, n, begin, end in of_stage:
                lane = (f"machine{stage // 2}", f"GPU {stage % 2}")
                truth.append((lane, f"{kind}_{n}", ns(begin), ns(end) - ns(begin)))
        begin = min(b for of_stage in jobs.values() for *_, b, _ in of_stage)
        end = max(e for of_stage in jobs.values() for *_, e in of_stage)
        truth.append((("steps",), f"step {step}", ns(begin), ns(end) - ns(begin)))
    assert found == sorted(truth), (len(found), len(truth))


def window(traceview, folder, steps):
    jobs = sum(len(of_stage) for step in steps.values() for of_stage in step.values())
    state = play(traceview, f"""
open {folder}
expect trace.lost = 0
expect trace.slices = {jobs + STEPS}
expect trace.flows = {STEPS * MICRO_BATCHES * (2 * STAGES - 1)}
click slice "step {SLOW_STEP}"
expect selected.lane = steps
expect args.type = forward
press F
click slice backward_3
expect selected.lane = "GPU 0"
expect selected.duration_ns = {round(1.5 * BACKWARD * 1e6)}
press ]
expect selected.name = backward_3
expect selected.lane = "GPU 1"
expect selected.duration_ns = {round(BACKWARD * 1e6)}
press ]
expect selected.lane = "GPU 0"
expect selected.outgoing = 0
press [
press [
press [
expect selected.name = backward_3
press [
expect selected.name = forward_3
expect selected.incoming = 1
click tab pipeline
expect window.panel = pipeline
set pipeline_step {FIRST}
settle
expect view.begin_ns < 1000000
state
""")
    compute = lambda kind: kind in ("forward", "backward")
    even, slow = steps[FIRST], steps[SLOW_STEP]
    ideal = 100 * (STAGES - 1) / (MICRO_BATCHES + STAGES - 1)
    assert all(abs(bubble - ideal) < 1e-9 for bubble in bubbles(even, compute)), bubbles(even, compute)
    facts = state["charts"]["pipeline_stages"]
    number = lambda text: float(text.split()[0])
    assert f"step {FIRST}" in facts["title"], facts
    assert abs(number(facts["ideal of 1F1B"]) - ideal) < 0.1, facts
    assert abs(number(facts["bubble of forward and backward, mean"]) - ideal) < 0.1, facts
    every = bubbles(even, lambda kind: True)
    assert abs(number(facts["bubble of the step, mean"]) - sum(every) / STAGES) < 0.1, facts
    # The first step shown is the longest one, and its slow stage is named.
    facts = play(traceview, f"open {folder}\nclick tab pipeline\nstate\n")["charts"]["pipeline_stages"]
    assert f"step {SLOW_STEP}" in facts["title"], facts
    assert facts["slowest stage"].startswith(f"machine{SLOW_STAGE // 2} GPU {SLOW_STAGE % 2} "), facts
    mean = sum(bubbles(slow, compute)) / STAGES
    assert abs(number(facts["bubble of forward and backward, mean"]) - mean) < 0.1, facts


def report(traceview, folder, steps):
    """`report` has the same numbers without a window: every stage and step to 0.1 %."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([traceview, "report", folder, "-o", out, "--format", "svg", "--set", f"pipeline_step={SLOW_STEP}"],
                       check=True, capture_output=True, timeout=120)
        names = [str(path.relative_to(out)) for path in pathlib.Path(out).rglob("*")]
        tables = {name: list(csv.reader(pathlib.Path(out, name).open())) for name in names if name.endswith(".csv")}
    compute = lambda kind: kind in ("forward", "backward")
    stages = [f"machine{stage // 2} GPU {stage % 2}" for stage in range(STAGES)]
    lines = {}
    for name, rows in tables.items():
        if "pipeline_bubble" not in name:
            continue
        for row in rows[1:]:
            lines[row[0], int(float(row[1]))] = float(row[2])
    for step, jobs in steps.items():
        for stage, bubble in zip(stages, bubbles(jobs, compute)):
            assert abs(lines[stage, step] - bubble) < 0.1, (stage, step, lines[stage, step], bubble)


def parts_of_steps(traceview, folder, steps):
    """Checks each step's forward, backward, other work and idle time, as means of its stages: in a table, and in the strip, whose bars
    go to the step and have the same numbers."""
    lines = subprocess.run([traceview, "stats", folder, "--of", "pipeline", "--csv"], capture_output=True, text=True, check=True,
                           timeout=60).stdout.splitlines()
    # The output has several tables; that of the steps begins with its header.
    first = next(i for i, line in enumerate(lines) if line.startswith("step,") and "forward (s)" in line)
    table = list(csv.DictReader(lines[first:first + 1 + len(steps)]))
    truth = {}
    for step, jobs in steps.items():
        every = [job for of_stage in jobs.values() for job in of_stage]
        length = max(end for *_, end in every) - min(begin for _, _, begin, _ in every)
        busy = {kind: sum(end - begin for k, _, begin, end in every if k == kind) / STAGES
                for kind in ("forward", "backward", "optimizer")}
        truth[step] = {"forward (s)": busy["forward"], "backward (s)": busy["backward"], "other work (s)": busy["optimizer"],
                       "idle (s)": length - sum(busy.values())}
    assert len(table) == len(truth), table
    for row, (step, parts) in zip(table, truth.items()):
        assert row["step"] == f"step {step}", row
        for column, ms in parts.items():
            assert abs(float(row[column]) * 1000 - ms) < 1e-5, (column, row, ms)
    state = play(traceview, f"""
open {folder}
settle
expect steps.count = {STEPS}
expect steps.of = "mean of {STAGES} stages"
press N
settle
expect steps.step = {FIRST}
click step {SLOW_STEP}
settle
expect steps.step = {SLOW_STEP}
state
""")
    text = state["steps"]["text"]
    parts = truth[SLOW_STEP]
    length = sum(parts.values())
    for name, column in (("forward", "forward (s)"), ("backward", "backward (s)"), ("idle", "idle (s)")):
        assert f"({100 * parts[column] / length:.1f} %)  {name}" in text, (name, parts, text)
    assert f"slowest stage: machine{SLOW_STAGE // 2} GPU {SLOW_STAGE % 2}" in text and "times the median" in text, text
    begin, end = (pick(t for of_stage in steps[SLOW_STEP].values() for t in (job[at] for job in of_stage))
                  for pick, at in ((min, 2), (max, 3)))
    view = state["view"]  # the first step begins at 0
    assert view["begin_ns"] <= begin * 1e6 + 1 and view["begin_ns"] + view["span_ns"] >= end * 1e6 - 1, view
    assert view["span_ns"] < 1.3 * (end - begin) * 1e6, view


def info(traceview, folder, steps):
    """`info` has the bubbles to nine digits."""
    found = json.loads(subprocess.run([traceview, "info", folder, "--json"], capture_output=True, text=True, check=True).stdout)
    run, = found["pipelines"]
    assert run["stages"] == [f"machine{stage // 2} GPU {stage % 2}" for stage in range(STAGES)], run["stages"]
    assert [step["step"] for step in run["steps"]] == list(steps)
    for step, jobs in zip(run["steps"], steps.values()):
        for wanted, key in ((lambda kind: True, "bubble"), (lambda kind: kind != "optimizer", "compute_bubble")):
            for stage, bubble in zip(step["stages"], bubbles(jobs, wanted)):
                assert abs(100 * stage[key] - bubble) < 1e-7, (step["step"], key, stage, bubble)


def export(traceview, folder, steps):
    """The export, which Paddle's own viewer and ours can open, has the same jobs at the same times; so has an export of one step."""
    def jobs_of(path):
        dump = subprocess.run([traceview, "dump", path], capture_output=True, text=True, timeout=60, check=True).stdout
        events = [event for event in map(json.loads, dump.splitlines()) if "dur_ns" in event and event["cat"] != "step"]
        return sorted((event["name"], event["begin_ns"], event["dur_ns"]) for event in events)

    whole = jobs_of(folder)
    first = min(begin for _, begin, _ in whole)
    # The second step alone, by the time range of its jobs.
    of_step = [(b, e) for of_stage in steps[FIRST + 1].values() for *_, b, e in of_stage]
    begin, end = min(b for b, _ in of_step), max(e for _, e in of_step)
    base = min(b for jobs in steps[FIRST].values() for *_, b, _ in jobs)
    with tempfile.TemporaryDirectory() as out:
        path = str(pathlib.Path(out, "all.json"))
        subprocess.run([traceview, "export", folder, "--to", "chrome", "-o", path], check=True, capture_output=True, timeout=60)
        assert jobs_of(path) == whole
        window = f"{begin - base}ms..{end - base}ms"
        subprocess.run([traceview, "export", folder, "--to", "chrome", "--range", window, "-o", path], check=True,
                       capture_output=True, timeout=60)
        part = jobs_of(path)
        assert set(part) <= set(whole) and len(of_step) <= len(part) < len(whole), (len(part), len(of_step), len(whole))
    assert first == EPOCH_MS * 1_000_000 + round(base * 1_000_000)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    traceview = parser.parse_args().traceview
    with tempfile.TemporaryDirectory() as folder:
        steps = write_logs(folder)
        for part in (lanes_and_jobs, info, window, parts_of_steps, report, export):
            part(traceview, folder, steps)
            print(f"ok {part.__name__}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
