#!/usr/bin/env python3
"""Eight ranks whose clocks are seconds apart and whose rank 4 comes 8 ms late to 43 of 50 collectives (86 %), end to end on the
window without a display (J6): clocks agree by collectives, computing and communication are what a sweep over the kernels gives, the
late rank is named with how often it came last, the arrow of a rank that waited leads to it, and ranks are in the order of their
numbers. Without matching collectives the program claims nothing. Traces are made here (tests/support/make_ranks.py writes them)."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
import make_ranks
from gpu_report_test import pieces
from rollout_journeys_test import play

US, MS = make_ranks.US, make_ranks.MS
RANKS, MEETINGS, LATE, TIMES_LATE = 8, 50, 4, 43
ALL_REDUCE = make_ranks.VENDORS["nccl"][0]
MOST_OFF = 100 * US  # how much a clock may be off after it was moved


def make_run(seed, ranks=RANKS, meetings=MEETINGS, meet=True):
    """Each rank computes, partly during the previous collective, then all meet; sometimes a rank other than 4 is the late one."""
    rng = random.Random(seed)
    late = [LATE] * TIMES_LATE + [rng.choice([r for r in range(ranks) if r != LATE]) for _ in range(meetings - TIMES_LATE)]
    rng.shuffle(late)
    run = {"ranks": [], "collectives": [], "late": late}
    for number in range(ranks):
        run["ranks"].append({"rank": number, "kernels": [], "launches": [], "steps": [], "lost": set(),
                             "skew": rng.randrange(12_000 * MS) if number else 0})

    def kernel(rank, stream, name, begin, end):
        launch = begin - rng.randrange(20 * US, 200 * US)
        rank["kernels"].append({"stream": stream, "name": name, "begin": begin, "end": end, "launch": (launch, launch + 5 * US)})

    now = 1 * MS
    for last in late:
        arrivals = []
        for rank in run["ranks"]:
            begin = now - rng.randrange(50 * US, 150 * US)  # during the end of the previous collective
            end = now + rng.randrange(1_000 * US, 1_500 * US) + (8 * MS if rank["rank"] == last else 0)
            kernel(rank, 7, "gemm", begin, end)
            arrivals.append(end + 5 * US)
        if not meet:
            now = max(arrivals) + 500 * US
            continue
        now = max(arrivals) + rng.randrange(200 * US, 400 * US)
        members = []
        for rank, begin in zip(run["ranks"], arrivals):
            end = now + rng.randrange(-1 * US, 1 * US)
            kernel(rank, 20, ALL_REDUCE, begin, end)
            members.append({"rank": rank["rank"], "begin": begin, "end": end})
        run["collectives"].append(members)
    return run


def clocks(traceview, folder, run):
    """Clocks are moved without a command, and the window says by what and how well; each slice is within 0.1 ms of its true time."""
    play(traceview, f"""
open {folder}
expect trace.lost = 0
expect clocks.traces = {RANKS}
expect clocks.known = {RANKS}
expect clocks.moved = {RANKS - 1}
expect clocks.verdict ~ "compared by collective kernels"
expect clocks.verdict ~ "nine in ten kernels end within"
""")
    dump = subprocess.run([traceview, "dump", folder], capture_output=True, text=True, timeout=120, check=True).stdout
    found = {}
    for event in map(json.loads, dump.splitlines()):
        if event.get("cat") == "kernel" and "dur_ns" in event:
            found.setdefault(next(part for part in event["lane"] if part.startswith("rank ")), []).append(event["begin_ns"])
    assert len(found) == RANKS, list(found)
    zero = min(found["rank 0"]) - min(k["begin"] for k in run["ranks"][0]["kernels"])
    for rank in run["ranks"]:
        own = sorted(found[f"rank {rank['rank']}"])
        truth = sorted(k["begin"] for k in rank["kernels"])
        assert len(own) == len(truth)
        off = max(abs(a - zero - b) for a, b in zip(own, truth))
        assert off < MOST_OFF, (rank["rank"], off)


def sums_and_who_was_late(traceview, folder, run):
    state = play(traceview, f"""
open {folder}
click tab nccl_overlap
settle
state
""")
    charts = state["charts"]
    waits, overlap = charts["collective_waits"]["rows"], charts["nccl_overlap"]["rows"]
    for number, rank in enumerate(run["ranks"]):
        row, sum_row, gpu = waits[number], overlap[number], f"rank {number}, GPU {number}"
        assert row["GPU"] == sum_row["GPU"] == gpu, (row, sum_row)
        assert (row["matched"], row["last in"]) == (MEETINGS, run["late"].count(number)), row
        assert row["last %"] == 100 * run["late"].count(number) / MEETINGS, row
        waited = sum(max(m["begin"] for m in members) - members[number]["begin"] for members in run["collectives"])
        assert abs(row["waiting"] - waited) < MEETINGS * 3 * US, (row, waited)
        parts = {"compute": 0, "overlapped": 0, "exposed": 0}
        for length, kinds in pieces([("x" if k["stream"] == 20 else "c", k["begin"], k["end"]) for k in rank["kernels"]]):
            if kinds:
                parts["compute" if "x" not in kinds else "overlapped" if "c" in kinds else "exposed"] += length
        assert parts["overlapped"] > 0 and parts["exposed"] > 0, parts
        assert sum_row["overlapped"] == parts["overlapped"] and sum_row["exposed"] == parts["exposed"], (sum_row, parts)
        assert sum_row["communication"] == parts["overlapped"] + parts["exposed"], (sum_row, parts)
    assert waits[LATE]["last %"] == 86, waits[LATE]
    assert max(waits, key=lambda row: row["others waited for it"])["GPU"] == f"rank {LATE}, GPU {LATE}", waits
    first = charts["longest_collective_waits"]["rows"][0]
    longest = max(run["collectives"], key=lambda members: max(m["begin"] for m in members) - min(m["begin"] for m in members))
    last = max(longest, key=lambda m: m["begin"])
    assert first["for"] == f"rank {last['rank']}, GPU {last['rank']}" and first["ranks"] == RANKS, (first, last)


def arrow_and_order(traceview, folder, run):
    """The arrow goes from the longest wait of a rank that waited for rank 4 to that rank, and back; lanes are in the order of ranks."""
    longest = {}
    for number in range(RANKS):
        members = max(run["collectives"], key=lambda members: members[number]["end"] - members[number]["begin"])
        longest[number] = max(members, key=lambda m: m["begin"])["rank"]
    waiter = next(number for number, last in longest.items() if last == LATE and number != LATE)
    lines = "\n".join(f'expect lanes.in_sight.{2 * n + s} = "rank {n} / stream {(7, 20)[s]}"' for n in range(RANKS) for s in (0, 1))
    play(traceview, f"""
open {folder}
{lines}
click slice "{ALL_REDUCE}" "rank {waiter}/"
expect selected.path = "rank {waiter}/GPU {waiter}/stream 20"
expect selected.collective ~ "for rank {LATE}, GPU {LATE}, the last of {RANKS} ranks"
press ]
expect selected.path = "rank {LATE}/GPU {LATE}/stream 20"
expect selected.collective ~ "came last of {RANKS} ranks"
expect selected.waits = {RANKS - 1}
press [
expect selected.path != "rank {LATE}/GPU {LATE}/stream 20"
""")


def sixteen_in_order(traceview, folder, run):
    """Rank 10 comes after rank 9, not after rank 1."""
    with tempfile.TemporaryDirectory() as other:
        make_ranks.write_run(make_run(7, ranks=16, meetings=TIMES_LATE + 3), other)
        state = play(traceview, f"""
open {other}
press C
expect clocks.known = 16
state
""")
        ranks = [name.split()[1] for name in state["lanes"]["in_sight"] if name.startswith("rank ")]
        assert ranks == [str(n) for n in range(16)], state["lanes"]["in_sight"]


def nothing_claimed(traceview, folder, run):
    """Ranks that never meet have only their wall clocks."""
    with tempfile.TemporaryDirectory() as other:
        make_ranks.write_run(make_run(8, ranks=2, meet=False), other)
        play(traceview, f"""
open {other}
expect clocks.traces = 2
expect clocks.known = 0
expect clocks.moved = 0
expect clocks.verdict ~ "Wall clock, uncertainty unknown"
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = parser.parse_args().traceview
    with tempfile.TemporaryDirectory() as folder:
        run = make_run(6)
        make_ranks.write_run(run, folder)
        for part in (clocks, sums_and_who_was_late, arrow_and_order, sixteen_in_order, nothing_claimed):
            part(traceview, folder, run)
            print("ok", part.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
