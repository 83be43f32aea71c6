#!/usr/bin/env python3
"""Checks arrows and names of ranks that were merged into one file, on generated files whose truth is known.

    python3 tests/oracle/merged_ranks_test.py --traceview build/release/app/traceview [--count FILE...]

All ranks use the same ids, queues are deep, and ranks are not in step, so no arrow can be guessed from its length. --count prints how
many arrows a file has by a join of its own, which matches flow events within a rank, and how many traceview has.
"""

import argparse
import collections
import copy
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(f"{what}: {found} instead of {expected}")


def rank_events(rank, pid, gpu, order, correlated, launches=40):
    calls, works = [], []
    for i in range(launches):
        begin, start = 1000 - 30 * rank + 10 * i, 1500 + 10 * rank + 100 * i
        args = {"correlation": 1000 + i} if correlated else {}
        call = {"pid": pid, "tid": pid, "ts": begin}
        work = {"pid": gpu, "tid": 7, "ts": start}
        calls.append([{"ph": "X", "cat": "cuda_runtime", "name": f"call {rank}.{i}", "dur": 5, "args": args, **call},
                      {"ph": "s", "id": 1000 + i, "cat": "ac2g", "name": "ac2g", **call}])
        works.append([{"ph": "X", "cat": "kernel", "name": f"work {rank}.{i}", "dur": 50, "args": args, **work},
                      {"ph": "f", "bp": "e", "id": 1000 + i, "cat": "ac2g", "name": "ac2g", **work}])  # fmt: skip
    if order == "calls first":
        groups = calls + works
    else:
        groups = [group for pair in zip(calls, works) for group in pair]
    return [event for group in groups for event in group]


def named(events, pid, name, labels=None):
    events.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}})
    if labels:
        events.append({"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": {"labels": labels}})


def sglang(correlated):
    events = []
    for rank, place in enumerate(("TP00-DP00", "TP01-DP00", "TP00-DP01")):
        own = rank_events(rank, 4100, 0, "in turns", correlated)
        named(own, 4100, "sglang::scheduler", "CPU")
        named(own, 0, "sglang::scheduler", "GPU 0")
        for event in own:
            event["pid"] = f"[{place}] {event['pid']}"
        events += own
    return events, ("TP00-DP00", "TP01-DP00", "TP00-DP01")


def numbered(correlated):
    events = []
    for rank in range(2):
        events += rank_events(rank, rank * 1000 + 500, rank * 1000, "calls first", correlated)
        named(events, rank * 1000, f"Rank {rank} - GPU Stream")
        named(events, rank * 1000 + 500, f"Rank {rank} - CPU/CUDA Runtime")
    return events, ("rank 0", "rank 1")


def unnamed(correlated):
    events = []
    for rank in range(3):
        events += rank_events(rank, 4100 + rank, rank, "calls first", correlated)
        named(events, rank, "python", f"GPU {rank}")
    return events, ()


def one_gpu(correlated):
    events = []
    for rank in range(2):
        events += rank_events(rank, 4100 + rank, 0, "in turns", correlated)
    named(events, 0, "python", "GPU 0")
    return events, ()


def moved_ids(correlated):
    events = []
    for rank in range(2):
        for event in rank_events(rank, 4100, 0, "in turns", correlated):
            event = copy.deepcopy(event)
            event["pid"] += rank * 100_000
            if "id" in event:
                event["id"] += rank * 10_000_000
            if "correlation" in event.get("args", {}):
                event["args"]["correlation"] += rank * 70_000
            events.append(event)
    return events, ()


def by_time(events):
    return sorted((e for e in events if e["ph"] != "M"), key=lambda e: e["ts"]) + [e for e in events if e["ph"] == "M"]


def dump(traceview, path):
    done = subprocess.run([traceview, "dump", "--no-cache", str(path)], capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_merged(traceview, folder):
    kinds = {"sglang": (sglang, True), "numbered": (numbered, True), "unnamed": (unnamed, False), "one GPU": (one_gpu, False),
             "moved ids": (moved_ids, True)}  # fmt: skip
    for kind, (make, also_by_time) in kinds.items():
        for correlated in (True, False):
            events, groups = make(correlated)
            truth = sum(1 for event in events if event["ph"] == "f")
            for order in ("as merged", "by time") if also_by_time else ("as merged",):
                what = f"{kind}, {'correlated' if correlated else 'flows'}, {order}"
                path = pathlib.Path(folder) / "merged.json"
                text = {"distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": events if order == "as merged" else by_time(events)}
                path.write_text(json.dumps(text))
                lines = dump(traceview, path)
                arrows = [line["flow"] for line in lines if "flow" in line]
                check(what + ", arrows", len(arrows), truth)
                check(what + ", wrong", sum(a.split()[1] != b.split()[1] for a, b in arrows), 0)
                roots = {line["lane"][0] for line in lines if "lane" in line}
                if groups:
                    check(what + ", groups", roots, set(groups))
    # The events are mixed by time, and nothing tells whose work a GPU does. No arrow is better than a wrong one.
    path.write_text(json.dumps({"traceEvents": by_time(unnamed(True)[0])}))
    arrows = [line["flow"] for line in dump(traceview, path) if "flow" in line]
    check("in doubt, wrong", sum(a.split()[1] != b.split()[1] for a, b in arrows), 0)


def count(path):
    """The arrows of a file, counted by the (pid, tid) of both ends."""
    text = gzip.open(path).read() if str(path).endswith(".gz") else open(path, "rb").read()
    document = json.loads(text)
    events = document["traceEvents"] if isinstance(document, dict) else document
    place = re.compile(r"\[[^\]]*\]|rank ?\d+|TP\d+", re.I)
    names = {e["pid"]: e["args"].get("name", "") for e in events if e.get("ph") == "M" and e.get("name") == "process_name"}

    def rank_of(event):
        found = place.search(str(event["pid"])) or place.search(names.get(event["pid"], ""))
        return found.group().lower() if found else ""

    ends = collections.defaultdict(lambda: ([], []))
    for event in events:
        if event.get("ph") not in ("s", "f"):
            continue
        local = (event.get("id2") or {}).get("local")
        number = local if local is not None else (event.get("id2") or {}).get("global", event.get("id"))
        within = event["pid"] if local is not None else rank_of(event)
        ends[within, event.get("cat"), event.get("name"), str(number)][event["ph"] == "f"].append((event["pid"], event.get("tid")))
    arrows = collections.Counter()
    for starts, finishes in ends.values():
        if len(starts) == 1:
            arrows.update((starts[0], finish) for finish in finishes)
    return arrows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    parser.add_argument("--count", nargs="*")
    options = parser.parse_args()
    for path in options.count or []:
        arrows = count(path)
        shown = sum("flow" in line for line in dump(options.traceview, path))
        print(f"{path}: {sum(arrows.values())} arrows here, {shown} in traceview")
    with tempfile.TemporaryDirectory() as folder:
        check_merged(options.traceview, folder)
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
