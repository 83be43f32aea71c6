#!/usr/bin/env python3
"""Checks that work on a GPU is recognised in each profiler's format. Random work is written as JAX on GPUs and TPUs, rocprofv3, RPD,
unitrace, Nsight Systems with graphs, PyTorch with processes that have a GPU's numbers, and profilers that no rule knows would write
it. What `traceview stats` says about it is compared with sums over the drawn work."""

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from gpu_report_test import pieces

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from nsys_odd import MAIN, about, call, copy, kernel  # noqa: E402
from nsys_schema import Export, global_pid  # noqa: E402

spec = importlib.util.spec_from_file_location("make_perfetto_fixtures", HERE.parent / "fixtures" / "make_perfetto_fixtures.py")
perfetto = importlib.util.module_from_spec(spec)
spec.loader.exec_module(perfetto)

NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


def stats(traceview, path, of, code=0):
    command = [traceview, "stats", str(path), "--of", of, "--json", "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    check(f"{' '.join(command[1:])}: exit, {done.stderr[:200]}", done.returncode, code)
    return json.loads(done.stdout) if done.returncode == 0 else None


def draw(rng, kinds=("compute", "compute", "communication", "memory")):
    """(kind, begin, end, stream) in whole microseconds; on two streams, each in order."""
    work = []
    for stream in (0, 1):
        at = 1000 + rng.randrange(300)
        for _ in range(rng.randrange(8, 30)):
            length = rng.randrange(5, 120)
            work.append((rng.choice(kinds), at, at + length, stream))
            at += length + rng.choice([0, 3, 40])
    return work


def sums_of(work):
    sums = dict.fromkeys(("busy_ns", "compute_ns", "communication_ns", "overlapped_ns", "exposed_ns", "graph_ns",
                          "memory_alone_ns", "idle_ns"), 0)  # fmt: skip
    for length, running in pieces([each[:3] for each in work]):
        computes, graph, communicates = "compute" in running, "graph" in running, "communication" in running
        sums["busy_ns"] += 1000 * length if running else 0
        sums["compute_ns"] += 1000 * length if computes else 0
        sums["communication_ns"] += 1000 * length if communicates else 0
        sums["overlapped_ns"] += 1000 * length if communicates and (computes or graph) else 0
        sums["exposed_ns"] += 1000 * length if communicates and not (computes or graph) else 0
        sums["graph_ns"] += 1000 * length if graph and not computes else 0
        sums["memory_alone_ns"] += 1000 * length if running == {"memory"} else 0
        sums["idle_ns"] += 1000 * length if not running else 0
    return sums


def check_devices(traceview, what, path, works, names=None):
    rows = stats(traceview, path, "gpus") or []
    check(f"{what}: devices", len(rows), len(works))
    for number, (row, work) in enumerate(zip(rows, works)):
        communicates = any(kind == "communication" for one in works for kind, *_ in one)
        for key, value in sums_of(work).items():
            of_communication = key in ("communication_ns", "overlapped_ns", "exposed_ns")
            check(f"{what} {number}: {key}", row[key], value if communicates or not of_communication else None)
        check(f"{what} {number}: slices", row["slices"], len(work))
        if names:
            check(f"{what} {number}: name", row["gpu"].endswith(names[number]), True)
    kernels = stats(traceview, path, "kernels") or []
    expected = [end - begin for work in works for kind, begin, end, _ in work if kind != "memory"]
    check(f"{what}: kernels", sum(row["count"] for row in kernels), len(expected))
    check(f"{what}: time of kernels", sum(row["total_ns"] for row in kernels), 1000 * sum(expected))
    return rows


# --- Trace Event Format ---


def named(kind, pid, tid, text):
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": text}}


def slice_of(name, pid, tid, begin, end, **more):
    return {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": end - begin, **more}


def jax(rng, works, device):
    """JAX: no categories. The lanes XLA Ops, XLA Modules and Steps repeat the streams (GPU), or there are no streams (TPU)."""
    events = [named("process_name", 701, 0, "/host:CPU"), named("thread_name", 701, 1, "python3"),
              slice_of("$train.py:40 main", 701, 1, 900, 9000)]  # fmt: skip
    ops, modules, steps = 4294967294, 4294967293, 4294967295
    for number, work in enumerate(works):
        pid = number + 1
        events.append(named("process_name", pid, 0, f"/device:{device}:{number}"))
        events += [named("thread_name", pid, tid, name) for tid, name in
                   ((ops, "XLA Ops"), (modules, "XLA Modules"), (steps, "Steps"), (9, "Framework Name Scope"))]  # fmt: skip
        if device == "GPU":
            events += [named("thread_name", pid, 13 + s, f"Stream #{13 + s}(Compute)") for s in (0, 1)]
        else:
            events.append(named("thread_name", pid, 11, "Async XLA Ops"))
        for kind, begin, end, stream in work:
            name = {"compute": "loop_fusion", "communication": NCCL, "memory": "MemcpyH2D"}[kind]
            if device == "TPU":
                name = {"compute": "fusion.3", "communication": "all-reduce.1", "memory": "copy-start.2"}[kind]
            if device == "GPU":
                events.append(slice_of(name, pid, 13 + stream, begin, end, args={"hlo_op": "loop_fusion"}))
                events.append(slice_of("loop_fusion", pid, ops, begin, end))  # repeats the kernel
            else:
                events.append(slice_of(name, pid, ops if stream == 0 else 11, begin, end))
        if device == "TPU":
            events.append(slice_of("while.1", pid, ops, 990, 8000))  # its operations are events of their own
        for step in range(4):
            events.append(slice_of(str(step), pid, steps, 1000 + 1000 * step, 1990 + 1000 * step))
            events.append(slice_of("jit_train_step(123)", pid, modules, 1000 + 1000 * step, 1990 + 1000 * step))
            events.append(slice_of("while/body", pid, 9, 1000 + 1000 * step, 1990 + 1000 * step))
    rng.shuffle(events)
    return {"displayTimeUnit": "ns", "traceEvents": [*events, {}]}


def rpd(rng, works):
    """rocmProfileData's rpd2tracing.py: process ids are strings, devices are known by their process's name."""
    events = []
    for number, work in enumerate(works):
        pid = str(number)
        events.append(named("process_name", pid, "0", f"GPU{number}"))
        for kind, begin, end, stream in work:
            name = {"compute": "Cijk_Ailk_Bljk", "communication": "ncclDevKernel_Generic_1", "memory": "CopyHostToDevice"}[kind]
            events.append(slice_of(name, pid, str(stream), begin, end))
        events.append(slice_of("Marker", pid, "0", 500, 9500))
        events.append(slice_of("hipLaunchKernel", "4711", "4711", 10, 500))
        events.append(named("thread_name", "4711", "4711", "Hip 4711"))
    rng.shuffle(events)
    return events


def unknown(rng, works, label, category, kernel_category=None):
    """A profiler that no rule knows: its device's label, or its kernels' category, says what they are."""
    events = []
    for number, work in enumerate(works):
        if label:
            events.append(named("process_name", number, 0, "app"))
            events.append({"ph": "M", "name": "process_labels", "pid": number, "tid": 0, "args": {"labels": f"{label} {number}"}})
        for kind, begin, end, stream in work:
            name = {"compute": "gemm", "communication": NCCL, "memory": "memcpy h2d"}[kind]
            events.append(slice_of(name, number, 7 + stream, begin, end, cat=category))
        events.append(slice_of("launch", 4711 + number, 1, 10, 900, cat="cpu"))
    rng.shuffle(events)
    return events


def colliding(rng, works):
    """PyTorch in a container: process and thread have the numbers of the GPU and its stream."""
    events, correlation = [], 0
    for number, work in enumerate(works):
        for label, name in (("CPU", f"thread {number} (python)"), (f"GPU {number}", f"stream {number} ")):
            events += [named("process_name", number, 0, "python3"), named("thread_name", number, number, name),
                       {"ph": "M", "name": "process_labels", "pid": number, "tid": 0, "args": {"labels": label}}]  # fmt: skip
        for kind, begin, end, stream in work:
            correlation += 1
            category = "gpu_memcpy" if kind == "memory" else "kernel"
            name = {"compute": "gemm", "communication": NCCL, "memory": "Memcpy HtoD (Pageable -> Device)"}[kind]
            tid = number if stream == 0 else 99
            events.append(slice_of("cudaLaunchKernel", number, number, begin - 3, begin - 1, cat="cuda_runtime",
                                   args={"correlation": correlation}))  # fmt: skip
            events.append(slice_of(name, number, tid, begin, end, cat=category, args={"correlation": correlation}))
            for phase, at, on in (("s", begin - 3, number), ("f", begin, tid)):
                events.append({"ph": phase, "id": correlation, "pid": number, "tid": on, "ts": at, "cat": "ac2g", "name": "ac2g",
                               **({"bp": "e"} if phase == "f" else {})})  # fmt: skip
        events.append(slice_of("aten::step", number, number, 900, 9000, cat="cpu_op"))
    return {"schemaVersion": 1, "traceEvents": events}


# --- Perfetto: rocprofv3 --output-format pftrace ---


def rocprofv3(rng, works, parted):
    parts = [perfetto.process(1, 4242, "python3"), perfetto.thread(11, 4242, 4242, "python3", parent=1)]
    events, correlation = [], 0
    for number, work in enumerate(works):
        agent, base = 4 + number, 100 * (number + 1)
        kind_of_track = "STREAM" if parted else "QUEUE"
        for stream in (0, 1):
            parts.append(perfetto.track(base + stream, (2, f"COMPUTE AGENT [{agent}] {kind_of_track} [{stream}] (GPU)")))
            parts.append(perfetto.track(base + 10 + stream, (2, f"COPY to AGENT [{agent}] {kind_of_track} [{stream}] (GPU)")))
        for kind, begin, end, stream in work:
            correlation += 1
            name = {"compute": "Cijk_Ailk_Bljk", "communication": NCCL, "memory": "MEMORY_COPY_HOST_TO_DEVICE"}[kind]
            category = "memory_copy" if kind == "memory" else "kernel_dispatch"
            track = base + stream + (10 if kind == "memory" else 0)
            events.append((begin * 1000 - 800, 1, 11, "hipLaunchKernel", "hip_api", correlation))
            events.append((begin * 1000 - 300, 2, 11, None, None, None))
            events.append((begin * 1000, 1, track, name, category, correlation))
            events.append((end * 1000, 2, track, None, None, None))
    for at, kind, track, name, category, flow in sorted(events, key=lambda e: (e[0], -e[1])):
        more = [perfetto.name(name), perfetto.category(category), perfetto.flow(flow)] if name else []
        parts.append(perfetto.event(at, kind, track, *more))
    return parts


# --- Nsight Systems: graphs as a whole ---


def nsys(path, rng, work, nodes):
    export = Export(path)
    about(export)
    for number, (kind, begin, end, stream) in enumerate(work):
        begin, end, stream = 1000 * begin, 1000 * end, 7 + stream
        launch = "cudaGraphLaunch" if kind == "graph" else "cudaMemcpyAsync" if kind == "memory" else "cudaLaunchKernel"
        call(export, f"{launch}_v10000", begin - 5000, begin - 3000, 100 + number)
        if kind == "graph":
            export.add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", start=begin, end=end, deviceId=0, contextId=1, greenContextId=0,
                       streamId=stream, correlationId=100 + number, globalPid=global_pid(4711), graphId=3, graphExecId=4)  # fmt: skip
        elif kind == "memory":
            copy(export, begin, end, 100 + number, 4096, 1, 1, 2, stream=stream)
        else:
            kernel(export, NCCL if kind == "communication" else "gemm(int)", begin, end, 100 + number, stream=stream)
    for at in range(0, 9_000_000, 100_000):  # events of the CPU, though the names of their tables sound like a GPU's
        for table in ("CUDA_GRAPH_EVENTS", *(["CUDA_GRAPH_NODE_EVENTS"] if nodes else [])):
            node = {"graphNodeId": at} if table == "CUDA_GRAPH_NODE_EVENTS" else {"graphId": 3}
            export.add(table, start=at, end=at + 90_000, eventClass=95, globalTid=MAIN, nameId=export.string("cudaGraphAddNode"),
                       **node)  # fmt: skip
    export.close()


def check_nsys(traceview, folder, seed):
    rng = random.Random(seed)
    for what, kinds in (("mixed", ("compute", "graph", "graph", "communication", "memory")), ("graphs alone", ("graph",))):
        work, path = draw(rng, kinds), pathlib.Path(folder, f"{what}{seed}.sqlite")
        nsys(str(path), rng, work, nodes=seed % 2 == 1)
        rows = check_devices(traceview, f"nsys, {what}", path, [work])
        launched = stats(traceview, path, "launches")
        check(f"nsys, {what}: launches", sum(row["launched"] for row in launched), len(work))
        command = [traceview, "stats", str(path), "--of", "findings", "--json", "--no-cache"]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300).stdout)
        graphs = [one for one in found if one["id"] == "graphs"]
        check(f"nsys, {what}: said", len(graphs), 1 if any(kind == "graph" for kind, *_ in work) else 0)
        check(f"nsys, {what}: capture", rows[0]["capture"]["whole"], True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:

        def written(name, events):
            path = pathlib.Path(folder, name)
            path.write_text(json.dumps(events))
            return path

        for seed in range(3):
            rng = random.Random(seed)
            works = [draw(rng), draw(rng)]
            for device in ("GPU", "TPU"):
                check_devices(traceview, f"jax {device}", written(f"jax{device}{seed}.json", jax(rng, works, device)), works,
                              [f"{device} 0", f"{device} 1"])  # fmt: skip
                steps = json.loads(subprocess.run([traceview, "stats", f"{folder}/jax{device}{seed}.json", "--of", "gpu_steps", "--json",
                                                   "--no-cache"], capture_output=True, text=True, timeout=300).stdout or "null")  # fmt: skip
                check(f"jax {device}: steps are known", bool(steps), True)
            check_devices(traceview, "rpd", written(f"rpd{seed}.json", rpd(rng, works)), works, ["GPU 0", "GPU 1"])
            check_devices(traceview, "unitrace", written(f"uni{seed}.json", unknown(rng, works, "", "gpu_op")), works)
            for label in ("GPU", "MUSA", "XPU", "HPU", "MLU", "DCU"):
                check_devices(traceview, f"unknown category, {label}", written(f"{label}{seed}.json",
                              unknown(rng, works, label, "Kernel_Exec")), works, [f"{label} 0", f"{label} 1"])  # fmt: skip
            path = written(f"collides{seed}.json", colliding(rng, works))
            check_devices(traceview, "pid collides", path, works)
            launched = stats(traceview, path, "launches")
            check("pid collides: launches", sum(row["launched"] for row in launched), sum(len(work) for work in works))
            check("pid collides: their delays", {row["p50_ns"] for row in launched}, {1000})
            for parted in (False, True):
                path = pathlib.Path(folder, f"rocprof{seed}{parted}.pftrace")
                perfetto.write(str(path), *rocprofv3(rng, works, parted))
                check_devices(traceview, "rocprofv3", path, works, ["GPU agent 4", "GPU agent 5"])
                check("rocprofv3: launches", sum(row["launched"] for row in stats(traceview, path, "launches")),
                      sum(len(work) for work in works))  # fmt: skip
            check_nsys(traceview, folder, seed)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
