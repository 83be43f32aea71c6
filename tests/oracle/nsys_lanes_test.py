#!/usr/bin/env python3
"""Checks where traceview puts rows when only one kind of row tells it: samples of a CPU name the process, or kernels of NVSHMEM name a
context's GPU. Checks also how many rows of a damaged table with gaps are counted as lost.

    python3 tests/oracle/nsys_lanes_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import nsys_odd  # noqa: E402
from nsys_corrupt import page_of  # noqa: E402
from nsys_schema import Export, global_pid  # noqa: E402

NVSHMEM = "nvshmemi_transfer_rma_kernel(int)"
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {got} is not {expected}")


def dumped(traceview, path):
    command = [traceview, "dump", path, "--no-cache"]
    out = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def check_rank_of_samples(traceview, folder):
    """There are only samples: no row of a GPU, a call or a range names their process."""
    path = os.path.join(folder, "samples.sqlite")
    export = Export(path)
    export.add("META_DATA_EXPORT", name="EXPORT_PRODUCT_NAME", value="NVIDIA Nsight Systems")
    export.add("PROCESSES", globalPid=global_pid(nsys_odd.PID), pid=nsys_odd.PID, name="/usr/bin/python3")
    export.add("MPI_RANKS", globalTid=nsys_odd.MAIN, rank=3)
    for i in range(3):
        export.add("COMPOSITE_EVENTS", id=i + 1, start=1_000 * i, cpu=2, threadState=1, globalTid=nsys_odd.MAIN, cpuCycles=1)
    export.close()
    groups = {event["lane"][0] for event in dumped(traceview, path) if "lane" in event}
    check("the process of samples", groups, {f"rank 3, pid {nsys_odd.PID}"})


def check_context_of_communication(traceview, folder):
    path = os.path.join(folder, "communication.sqlite")
    export = Export(path)
    nsys_odd.about(export)
    nsys_odd.kernel(export, "gemm(int)", 1_000, 2_000, 1)
    for context in (2, 3):
        nsys_odd.kernel(export, NVSHMEM, 1_000 * context, 1_000 * context + 500, context, device=1, context=context)
        # Exports give device 0 for every wait.
        export.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", start=1_000 * context, end=1_000 * context + 600, deviceId=0,
                   contextId=context, streamId=7, correlationId=10 + context, globalPid=global_pid(nsys_odd.PID), syncType=3,
                   eventId=0, eventSyncId=0)  # fmt: skip
    export.close()
    events = dumped(traceview, path)
    streams = {event["lane"][2] for event in events if event.get("name") == NVSHMEM}
    check("streams of the contexts", {name.split(", ")[-1] for name in streams}, {"context 2", "context 3"})
    waits = [event["lane"][1] for event in events if event.get("cat") == "cuda_sync"]
    check("the GPU of the waits", waits, ["GPU 1", "GPU 1"])


def check_rows_lost_between_gaps(traceview, folder):
    path = os.path.join(folder, "gaps.sqlite")
    export = Export(path, page_size=512)
    nsys_odd.about(export)
    for i in range(100):
        nsys_odd.kernel(export, "gemm(int)", 1_000 * i, 1_000 * i + 500, i + 1)
    export.close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"UPDATE {KERNELS} SET rowid = rowid * 1000000000 WHERE rowid > 50")
    db.close()
    root, size = page_of(path, KERNELS)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    # Goes down to a leaf page in the middle of the rows with gaps. See "B-tree Pages" in SQLite's file format.
    at = (root - 1) * size
    while data[at] == 5:
        cells = int.from_bytes(data[at + 3 : at + 5], "big")
        place = at + 12 + 2 * (3 * cells // 4)
        cell = at + int.from_bytes(data[place : place + 2], "big")
        at = (int.from_bytes(data[cell : cell + 4], "big") - 1) * size
    data[at : at + size] = b"\xa5" * size
    with open(path, "wb") as file:
        file.write(data)
    events = dumped(traceview, path)
    lost = sum(event["count"] for event in events if event.get("problem") == "unreadable_rows")
    # A table is read in at most 4096 pieces, and each piece that meets the damage reports it.
    check("there are lost rows, but not as many as row numbers", 0 < lost <= 4096, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True)
    traceview = parser.parse_args().traceview
    with tempfile.TemporaryDirectory() as folder:
        for one in (check_rank_of_samples, check_context_of_communication, check_rows_lost_between_gaps):
            one(traceview, folder)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
