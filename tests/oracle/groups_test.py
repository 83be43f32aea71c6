#!/usr/bin/env python3
"""Checks which rank is waited for in process groups that work in lockstep, on generated ranks whose truth is known.

    python3 tests/oracle/groups_test.py --traceview build/release/app/traceview [--seeds 3]

Eight ranks: 2 tensor-parallel x 2 data-parallel x 2 pipeline stages. Every group's kernels end at the same moments as those of the
other groups of its kind, so ends do not tell groups apart; one rank of each group is late. Records say different things about their
group, by kind: everything, with the clocks of four ranks 3 ms off; names that each file counts for itself, told apart by ranks; ranks
in distributedInfo alone; numbers that begin again; collectives of two kernels; no numbers. Without numbers only ends within a group
are left, and kernels of a group must still not be joined to another's.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

RANKS, US = 8, 1_000
KERNEL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
KINDS = ("all", "own names", "in info", "again", "two kernels", "no numbers")
failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(f"{what}: {found} instead of {expected}")


def groups_of(rank):
    """By kind of group, the ranks of this rank's group. A rank is pipeline * 4 + data * 2 + tensor."""
    tensor, data, pipeline = rank % 2, rank // 2 % 2, rank // 4
    return {
        "tp": [pipeline * 4 + data * 2 + t for t in range(2)],
        "dp": [pipeline * 4 + d * 2 + tensor for d in range(2)],
        "world": list(range(RANKS)),
    }


def make_run(seed, kind):
    rng = random.Random(seed)
    ranks = [{"kernels": [], "skew": 3_000 * US if kind == "all" and r >= 4 else 0} for r in range(RANKS)]
    last = [0] * RANKS
    numbers = {}
    now = 1_000_000
    late = {}
    for step in range(60):
        kind_of_group = ("tp", "tp", "dp", "world")[step % 4]
        end = now + 400 * US
        for rank in range(RANKS):
            group = groups_of(rank)[kind_of_group]
            key = (kind_of_group, tuple(group))
            if rank == group[0]:
                late[key] = rng.choice(group)
                numbers[key] = (numbers.get(key, -1) + 1) % (7 if kind == "again" else 10**6)
            parts = 2 if kind == "two kernels" else 1
            for part in range(parts):
                begin = now + part * 150 * US + (100 * US if rank == late[key] and part == 0 else rng.randrange(20 * US))
                stop = end if part == parts - 1 else now + 140 * US
                begin = min(begin, stop - US)
                ranks[rank]["kernels"].append((begin, stop, kind_of_group, group, numbers[key]))
            last[late[key]] += rank == group[0]
        now = end + rng.randrange(50, 60) * US
    return ranks, last


def document(rank, run, kind):
    own = run[rank]
    base = 1_700_000_000_000_000_000
    names = {"world": "0", "tp": "1", "dp": "2"}
    events = [{"ph": "M", "name": "process_labels", "pid": rank, "tid": 0, "args": {"labels": f"GPU {rank}"}}]
    for begin, end, of_kind, group, number in own["kernels"]:
        args = {"device": rank, "stream": 20, "Collective name": "allreduce", "Group size": len(group)}
        first = f"{of_kind} of {group[0]}"
        args["Process Group Name"] = names[of_kind] if kind in ("own names", "in info") else first
        if kind != "in info":
            args["Process Group Ranks"] = json.dumps(group)
        if kind != "no numbers":
            args["Seq"] = number
        events.append({"ph": "X", "cat": "kernel", "name": KERNEL, "pid": rank, "tid": 20, "ts": (begin + own["skew"]) / 1000,
                       "dur": (end - begin) / 1000, "args": args})  # fmt: skip
    info = {"backend": "nccl", "rank": rank, "world_size": RANKS}
    if kind == "in info":
        info["pg_config"] = [{"pg_name": names[k], "ranks": g} for k, g in groups_of(rank).items()]
    return {"schemaVersion": 1, "baseTimeNanoseconds": base, "distributedInfo": info, "traceEvents": events}


def check_run(traceview, folder, kind, seed):
    run, last = make_run(seed, kind)
    path = pathlib.Path(folder) / f"{kind.replace(' ', '_')}_{seed}"
    path.mkdir()
    for rank in range(RANKS):
        (path / f"rank{rank}.json").write_text(json.dumps(document(rank, run, kind)))
    command = [traceview, "stats", str(path), "--of", "stragglers", "--json", "--no-cache"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)
    check(f"{kind}: GPUs", len(found["gpus"]), RANKS)
    for rank, gpu in enumerate(found["gpus"]):
        what = f"{kind} {seed}, {gpu['gpu']}"
        check(what + " matched", gpu["matched"], len(run[rank]["kernels"]))
        if kind not in ("no numbers", "two kernels"):
            check(what + " last in", gpu["last_in"], last[rank])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for seed in range(options.seeds):
                check_run(options.traceview, folder, kind, seed)
    for failure in failures[:20]:
        print(failure)
    print(f"{len(KINDS) * options.seeds} runs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
