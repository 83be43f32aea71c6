#!/usr/bin/env python3
"""Compares what `traceview stats --of` says about communication, waiting, the last rank, launches, gaps and steps with the truth. It is
known for generated training runs of eight ranks with each vendor's kernels (tests/support/make_ranks.py), and in part for megatron_tp2
(../shared/data/pytorch, if it is present), where rank 1 waits 21.6 ms for rank 0."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import make_ranks
from gpu_report_test import pieces
from skips import shared_sample  # noqa: E402

US, MS = make_ranks.US, make_ranks.MS
CLOCK = 3 * US  # clocks may still differ by this after they were compared by these kernels
LEAST_GAP = 500 * US
failures = []


def check(what, got, expected, tolerance=0):
    same = abs(got - expected) <= tolerance if tolerance else got == expected
    if not same:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}" + (f" +- {tolerance}" if tolerance else ""))


def stats(traceview, path, of, *more):
    command = [traceview, "stats", str(path), "--of", of, "--json", "--no-cache", *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)


def recorded(rank):
    return [one for k, one in enumerate(rank["kernels"]) if k not in rank["lost"]]


def is_communication(one):
    return one["stream"] != 7


def check_sums(gpus, nccl, run):
    for rank, gpu in zip(run["ranks"], gpus):
        kernels = recorded(rank)
        sums = {"compute": 0, "overlapped": 0, "exposed": 0}
        for length, kinds in pieces([("x" if is_communication(k) else "c", k["begin"], k["end"]) for k in kernels]):
            if kinds:
                sums["compute" if "x" not in kinds else "overlapped" if "c" in kinds else "exposed"] += length
        what = f"{run['vendor']} {gpu['gpu']}"
        check(what + " compute", gpu["compute_ns"], sums["compute"] + sums["overlapped"])
        check(what + " communication", gpu["communication_ns"], sums["overlapped"] + sums["exposed"])
        check(what + " exposed", gpu["exposed_ns"], sums["exposed"])
        own = [row for row in nccl if row["gpu"] == gpu["gpu"]]
        check(what + " collectives", sum(row["count"] for row in own), sum(map(is_communication, kernels)))
        check(what + " their time", sum(row["total_ns"] for row in own),
              sum(k["end"] - k["begin"] for k in kernels if is_communication(k)))  # fmt: skip


def check_waiting(stragglers, nccl, run):
    ranks = run["ranks"]
    expected = [dict(matched=0, waiting=0, transfer=0, last=0, doubtful=0, lost=0, longest=0) for _ in ranks]
    longest = []
    for members in run["collectives"]:
        if len(members) < 2:
            continue
        members = sorted(members, key=lambda m: m["begin"])
        last, lost = members[-1], 0
        for member in members:
            own = expected[member["rank"]]
            waited = min(last["begin"], member["end"]) - member["begin"]
            own["matched"] += 1
            own["waiting"] += waited
            own["transfer"] += member["end"] - member["begin"] - waited
            own["longest"] = max(own["longest"], waited)
            lost += waited
        sure = last["begin"] - members[-2]["begin"] > 10 * CLOCK
        expected[last["rank"]]["last"] += sure
        for member in members:
            expected[member["rank"]]["doubtful"] += not sure
        expected[last["rank"]]["lost"] += lost
        longest.append((last["begin"] - members[0]["begin"], last["rank"], len(members), lost))
    check(f"{run['vendor']}: GPUs", len(stragglers["gpus"]), len(ranks))
    for rank, gpu, own in zip(ranks, stragglers["gpus"], expected):
        what, n = f"{run['vendor']} {gpu['gpu']}", own["matched"]
        check(what + " clock", gpu["clock"], "collectives")
        check(what + " matched", gpu["matched"], n)
        check(what + " waiting", gpu["waiting_ns"], own["waiting"], n * CLOCK)
        check(what + " transfer", gpu["transfer_ns"], own["transfer"], n * CLOCK)
        check(what + " longest", gpu["longest_wait_ns"], own["longest"], 2 * CLOCK)
        check(what + " time", gpu["total_ns"], sum(k["end"] - k["begin"] for k in recorded(rank) if is_communication(k)))
        if not own["last"] <= gpu["last_in"] <= own["last"] + own["doubtful"]:
            failures.append(f"{what}: last in {gpu['last_in']}, not in {own['last']} of {n} and {own['doubtful']} in doubt")
        check(what + " others waited", gpu["others_waited_ns"], own["lost"], (own["last"] + own["doubtful"]) * 8 * 10 * CLOCK)
        rows = [row for row in nccl if row["gpu"] == gpu["gpu"]]
        for key in ("matched", "waiting_ns", "transfer_ns", "last_in", "last_not_told", "others_waited_ns"):
            check(f"{what} {key} by kernel", sum(row[key] for row in rows), gpu[key])
    late = max(stragglers["gpus"], key=lambda gpu: gpu["others_waited_ns"])
    check(f"{run['vendor']}: who is waited for", late["gpu"].startswith(f"rank {make_ranks.LATE},"), True)
    waited, last, members, lost = max(longest)
    first = stragglers["longest"][0]
    check(f"{run['vendor']}: longest wait", first["waited_ns"], waited, 2 * CLOCK)
    check(f"{run['vendor']}: for", (first["last"] or "").startswith(f"rank {last},"), True)
    check(f"{run['vendor']}: lost by it", first["others_waited_ns"], lost, 8 * CLOCK)


def check_launches(launches, run):
    for rank, gpu in zip(run["ranks"], launches):
        delays = [one["begin"] - one["launch"][1] for one in recorded(rank)]
        what = f"{run['vendor']} {gpu['gpu']} launches"
        check(what, gpu["launched"], len(delays))
        check(what + " unknown", gpu["without_launch"], 0)
        check(what + " median", gpu["p50_ns"], statistics.median(delays), 0.6)
        check(what + " longest", gpu["max_ns"], max(delays))


def check_gaps(gaps, run):
    for rank in run["ranks"]:
        work = [("w", one["begin"], one["end"]) for one in recorded(rank)]
        expected = sorted((length for length, kinds in pieces(work) if not kinds and length >= LEAST_GAP), reverse=True)
        own = [gap["length_ns"] for gap in gaps if gap["gpu"].startswith(f"rank {rank['rank']},")]
        check(f"{run['vendor']} rank {rank['rank']} gaps", own, expected)


def check_steps(pace, run):
    check(f"{run['vendor']} steps of", pace["name"].startswith("ProfilerStep#"), True)
    for rank, line in zip(run["ranks"], pace["lines"]):
        what = f"{run['vendor']} {line['rank']}"
        check(what + " steps", [(turn["number"], turn["length_ns"]) for turn in line["turns"]],
              [(step, end - begin) for step, begin, end in rank["steps"]])  # fmt: skip
        begins = [begin for _, begin, _ in rank["steps"]]
        check(what + " from step to step", [turn["delta_ns"] for turn in line["turns"]],
              [None] + [b - a for a, b in zip(begins, begins[1:])])  # fmt: skip


def check_of_step(traceview, path, run, number):
    """The same sums for one step: from its first begin on any rank to its last end, with kernels clipped to that."""
    of = [(begin, end) for rank in run["ranks"] for step, begin, end in rank["steps"] if step == number]
    first, last = min(begin for begin, _ in of), max(end for _, end in of)

    def inside(begin, end):
        return max(0, min(end, last) - max(begin, first))

    expected = [dict(waiting=0, transfer=0) for _ in run["ranks"]]
    for members in run["collectives"]:
        arrived = max(member["begin"] for member in members)
        for member in members if len(members) > 1 else []:
            waited = min(arrived, member["end"])
            expected[member["rank"]]["waiting"] += inside(member["begin"], waited)
            expected[member["rank"]]["transfer"] += inside(waited, member["end"])
    gpus = stats(traceview, path, "gpus", "--step", str(number))
    stragglers = stats(traceview, path, "stragglers", "--step", str(number))
    for rank, own, gpu, waits in zip(run["ranks"], expected, gpus, stragglers["gpus"]):
        what = f"{run['vendor']} {gpu['gpu']}, step {number}:"
        kernels = [k for k in recorded(rank) if inside(k["begin"], k["end"]) > 0]
        sums = {"compute": 0, "overlapped": 0, "exposed": 0}
        for length, kinds in pieces([("x" if is_communication(k) else "c", max(k["begin"], first), min(k["end"], last))
                                     for k in kernels]):  # fmt: skip
            if kinds:
                sums["compute" if "x" not in kinds else "overlapped" if "c" in kinds else "exposed"] += length
        check(what + " compute", gpu["compute_ns"], sums["compute"] + sums["overlapped"], 2 * CLOCK)
        check(what + " exposed", gpu["exposed_ns"], sums["exposed"], 2 * CLOCK)
        check(what + " busy", gpu["busy_ns"], sum(sums.values()), 2 * CLOCK)
        check(what + " waiting", waits["waiting_ns"], own["waiting"], (len(kernels) + 2) * CLOCK)
        check(what + " transfer", waits["transfer_ns"], own["transfer"], (len(kernels) + 2) * CLOCK)
    check(f"{run['vendor']}, step {number}: longest wait", stragglers["longest"][0]["waited_ns"],
          max(gpu["longest_wait_ns"] for gpu in stragglers["gpus"]))


def check_run(traceview, folder, vendor, seed):
    before = len(failures)
    run = make_ranks.make_run(seed, vendor)
    path = pathlib.Path(folder, f"{vendor}_{seed}")
    make_ranks.write_run(run, path)
    nccl, stragglers = stats(traceview, path, "nccl"), stats(traceview, path, "stragglers")
    check_sums(stats(traceview, path, "gpus"), nccl, run)
    check_waiting(stragglers, nccl, run)
    check_launches(stats(traceview, path, "launches"), run)
    check_gaps(stats(traceview, path, "gaps", "--set", f"gap_least={LEAST_GAP // US}"), run)
    check_steps(stats(traceview, path, "pace"), run)
    check_of_step(traceview, path, run, run["ranks"][0]["steps"][len(run["ranks"][0]["steps"]) // 2][0])
    late = stragglers["gpus"][make_ranks.LATE]
    print(f"{vendor}, seed {seed}: {stragglers['collectives']} collectives, rank {make_ranks.LATE} last in {late['last_in']} of"
          f" {late['matched']}, {'as it was' if len(failures) == before else 'DIFFERENT'}")  # fmt: skip


def check_uncertain(traceview, folder):
    """Two ranks without a common collective, and one rank alone: no number is made up."""
    run = make_ranks.make_run(1, "nccl", steps=4)
    apart = pathlib.Path(folder, "apart")
    run["ranks"] = [run["ranks"][0], run["ranks"][3]]  # different groups of both kinds
    make_ranks.write_run(run, apart)
    found = stats(traceview, apart, "stragglers")
    check("apart: clocks", [gpu["clock"] for gpu in found["gpus"]], ["unknown", "unknown"])
    check("apart: matched", found["collectives"], 0)
    text = subprocess.run([traceview, "stats", str(apart), "--of", "nccl", "--no-cache"], check=True, capture_output=True,
                          text=True, timeout=60).stdout  # fmt: skip
    check("apart: said", "too uncertain" in text, True)
    alone = stats(traceview, apart / "rank0.json", "stragglers")
    check("alone", [gpu["clock"] for gpu in alone["gpus"]], ["alone"])


def check_megatron(traceview, path):
    gpus = stats(traceview, path, "stragglers")
    late, early = gpus["gpus"]
    check("megatron_tp2: last", (late["last_in"], late["last_not_told"], early["last_in"]), (12, 1, 0))
    check("megatron_tp2: rank 0 waits for nobody", late["waiting_ns"] < 20 * US, True)
    check("megatron_tp2: rank 1 waits", early["waiting_ns"], 48_200 * US, 100 * US)
    longest = gpus["longest"][0]
    check("megatron_tp2: longest", longest["waited_ns"], 21_560 * US, 30 * US)
    check("megatron_tp2: whose", (longest["waited_longest"], longest["last"]), ("rank 1, GPU 1", "rank 0, GPU 0"))
    text = subprocess.run([traceview, "stats", str(path), "--of", "nccl", "--no-cache"], check=True, capture_output=True,
                          text=True, timeout=60).stdout  # fmt: skip
    check("megatron_tp2: named", "21.5" in text and "rank 0, GPU 0" in text, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:
        for vendor in make_ranks.VENDORS:
            for seed in range(2):
                check_run(traceview, folder, vendor, seed)
        check_uncertain(traceview, folder)
    if megatron := shared_sample("pytorch/megatron_tp2"):
        check_megatron(traceview, megatron)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
