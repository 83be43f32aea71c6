#!/usr/bin/env python3
"""Checks that communication and computing are told apart by each vendor's names. Random work gets these names in generated traces,
and what `traceview stats --of gpus|nccl|gaps|pace` says about them is compared with sums over that work, to the nanosecond."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from gpu_report_test import pieces

failures = []


def check(what, got, expected):
    if got != expected:
        failures.append(f"{what}: {str(got)[:300]} is not {str(expected)[:300]}")


# --- what each vendor calls it ---

ELEMENTWISE = "void at::native::vectorized_elementwise_kernel<4, tools::all_reduce_functor<float>>(int, float)"
REDUCE = "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float>>>(float)"

# By vendor: the label of a device; category and names of computing, communication and copies; names that are no work at all.
KINETO = {
    "cuda": {
        "device": "GPU", "api": "cuda_runtime", "launch": "cudaLaunchKernel",
        "compute": ["void cutlass::Kernel2<ncclLike>(Params)", ELEMENTWISE, REDUCE, "gemm_all_reduce_kernel",
                    "triton_poi_fused_all_reduce_wait_tensor_0"],
        "communication": ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                          "ncclSymDevKernel_ReduceScatter_LL_sum_f16(ncclSymDevArgs)"],
    },
    "rocm": {
        "device": "GPU", "api": "cuda_runtime", "launch": "hipLaunchKernel",
        "compute": ["Cijk_Alik_Bljk_SB_MT64x16x32", REDUCE],
        "communication": ["rcclGenericKernel<1, false>", "RCCL_AllReduce", "mscclKernel_Sum_half_LL(ncclDevComm*)",
                          "void aiter::cross_device_reduce_1stage<__half, 8>(aiter::RankData*)"],
    },
    "inference": {
        "device": "GPU", "api": "cuda_runtime", "launch": "cudaLaunchKernel",
        "compute": ["nvjet_tst_64x8_64x16_1x2_h_bz_TNT", "void vllm::act_and_mul_kernel<__half>()"],
        "communication": ["void vllm::cross_device_reduce_2stage<__nv_bfloat16, 8>(vllm::RankData*)",
                          "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 8>(c10::BFloat16*)",
                          "one_shot_all_reduce_kernel", "two_shot_all_reduce_kernel",
                          "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<8>(Params)",
                          "void mscclpp::allreduce8<__half>()"],
    },
    "experts": {
        "device": "GPU", "api": "cuda_runtime", "launch": "cudaLaunchKernel",
        "compute": ["void deep_gemm::fp8_gemm_kernel<1, 2>(int)",
                    "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(int*)"],
        "communication": ["void deep_ep::internode::dispatch<false, 8>(int)", "void dpsk::ep::internode::combine<8>(int)",
                          "nvshmemi_transfer_rma_kernel", "void mori::moe::EpCombineIntraNodeKernel<float>(Args)"],
    },
    "xpu": {
        "device": "XPU", "api": "xpu_runtime", "launch": "urEnqueueKernelLaunch",
        "compute": ["gemm_kernel", "at::native::xpu::VectorizedElementwiseKernel<4>"],
        "communication": ["oneccl_allreduce_pcie", "ccl_allgatherv_small"],
    },
    "mtia": {
        "device": "MTIA", "api": "mtia_runtime", "launch": "runFunction - job", "kernel": "mtia_ccp_events",
        "memory": ("mtia_ccp_events", "dma_request"), "idle": ["event_wait", "event_record"],
        "compute": ["pe_exe", "merge"], "communication": ["hccl::allreduce", "hccl::all_to_all"],
    },
}  # fmt: skip
ASCEND = {
    "compute": ["aclnnMatmul_MatMulV2_MatMulV2", "aclnnMatmulAllReduce_MatmulAllReduce_MatmulAllReduce", "ZerosLike"],
    "communication": ["hcom_allReduce__428_0_1", "hcom_reduceScatter__428_1_1", "hcom_send__844_2_1"],
    "memory": "MEMCPY_ASYNC",
    "idle": ["EVENT_WAIT", "NOTIFY_RECORD", "PROFILER_TRACE_EX"],
}


def drawn_work(rng):
    """(kind, begin, end, stream) on two streams; times in whole nanoseconds."""
    work = []
    for kinds in (["compute"] * 5 + ["memory", "idle"], ["communication"] * 4 + ["memory", "idle"]):
        at = rng.randrange(1_000_000, 1_400_000)
        while at < 9_000_000:
            length = rng.randrange(1_000, 400_000)
            work.append((rng.choice(kinds), at, at + length, 0 if kinds[0] == "compute" else 1))
            at += length + rng.choice([0, 0, 3_000, 250_000])
    return work


def kineto_trace(words, rng, work, device):
    cpu, flow = 5000 + device, 0
    label = f"{words['device']} {device}"
    events = [{"ph": "M", "name": "process_name", "pid": device, "tid": 0, "args": {"name": "python"}},
              {"ph": "M", "name": "process_labels", "pid": device, "tid": 0, "args": {"labels": label}},
              {"ph": "M", "name": "process_labels", "pid": cpu, "tid": 0, "args": {"labels": "CPU"}}]  # fmt: skip
    kernel = words.get("kernel", "kernel")
    memory, copy = words.get("memory", ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)"))
    for kind, begin, end, stream in work:
        if kind == "memory":
            category, name = memory, copy
        elif kind == "idle":
            if "idle" not in words:
                continue
            category, name = kernel, rng.choice(words["idle"])
        else:
            category, name = kernel, rng.choice(words[kind])
        flow += 1
        events.append({"ph": "X", "cat": category, "name": name, "pid": device, "tid": 7 + stream, "ts": begin / 1000,
                       "dur": (end - begin) / 1000, "args": {"correlation": flow}})  # fmt: skip
        events.append({"ph": "X", "cat": words["api"], "name": words["launch"], "pid": cpu, "tid": cpu,
                       "ts": (begin - 20_000) / 1000, "dur": 4.0, "args": {"correlation": flow}})  # fmt: skip
    # None of these is work on a device, whatever its name.
    for number in range(4):
        at = number * 2_000.0
        for category, name in (("user_annotation", f"ProfilerStep#{number}"), ("cpu_op", "record_param_comms"),
                               ("cpu_op", "c10d::allreduce_"), ("user_annotation", "nccl:all_reduce"),
                               ("python_function", "torch/distributed/distributed_c10d.py(12): all_reduce"),
                               ("user_annotation", "aten::to"), ("user_annotation", "aten::to")):  # fmt: skip
            length = 1990.0 if name.startswith("Pro") else 300.0
            events.append({"ph": "X", "cat": category, "name": name, "pid": cpu, "tid": cpu + 1, "ts": at, "dur": length})
    return {"schemaVersion": 1, "distributedInfo": {"rank": device}, "traceEvents": events}


def ascend_trace(rng, work, device):
    """trace_view.json of torch_npu: an array, times as strings, no categories, one process per layer."""
    pids = {layer: (4711 << 10) | (index << 5) | (31 if layer == "CANN" else device)
            for layer, index in (("CANN", 7), ("Ascend Hardware", 13), ("Communication", 15), ("Overlap Analysis", 17))}  # fmt: skip
    events = []

    def named(kind, pid, tid, **args):
        events.append({"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": args})

    def add(name, pid, tid, begin, end, **args):
        events.append({"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": f"{begin // 1000}.{begin % 1000:03}",
                       "dur": (end - begin) / 1000, "args": args})  # fmt: skip

    named("process_name", 4711, 0, name="Python")
    named("process_labels", 4711, 0, labels="CPU")
    for layer, pid in pids.items():
        named("process_name", pid, 0, name=layer)
        named("process_labels", pid, 0, labels="CPU" if layer == "CANN" else "NPU")
    hardware, groups = pids["Ascend Hardware"], pids["Communication"]
    named("thread_name", hardware, 2, name="Stream 2")
    named("thread_name", hardware, 9, name="Stream 9")
    named("thread_name", groups, 0, name="Group 0 Communication")
    named("thread_name", groups, 1, name="Plane 0")
    for tid, name in enumerate(["Communication", "Communication(Not Overlapped)", "Computing", "Free"]):
        named("thread_name", pids["Overlap Analysis"], tid, name=name)
    for kind, begin, end, stream in work:
        if kind == "communication":
            add(rng.choice(ASCEND[kind]), groups, 0, begin, end, **{"connection_id": 1})
            third = (end - begin) // 3  # the collective has three parts
            add("Notify_Wait", groups, 1, begin, begin + third)
            add("Memcpy", groups, 1, begin + third, begin + 2 * third)
            add("Reduce_Inline", groups, 1, begin + 2 * third, end)
        else:
            name = ASCEND["memory"] if kind == "memory" else rng.choice(ASCEND[kind])
            add(name, hardware, 2 if stream == 0 else 9, begin, end, **{"Task Type": "AI_CORE"})
        add("Node@launch", pids["CANN"], 5, begin - 30_000, begin - 20_000)
    for tid, name in enumerate(["Communication", "Communication(Not Overlapped)", "Computing", "Free"]):
        add(name, pids["Overlap Analysis"], tid, 0, 30_000_000)  # wrong, and longer than all work: must not count
    for number in range(4):
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "pid": 4711, "tid": 4711,
                       "ts": f"{number * 2000}.000", "dur": 1990.0})  # fmt: skip
    return events


# --- counted again ---


def sums_of(work):
    kinds = [(kind, begin, end) for kind, begin, end, _ in work if kind != "idle"]
    sums = {"compute": 0, "communication": 0, "overlapped": 0, "exposed": 0, "memory": 0, "idle": 0}
    for length, running in pieces(kinds):
        sums["compute"] += length if "compute" in running else 0
        sums["communication"] += length if "communication" in running else 0
        sums["overlapped"] += length if {"compute", "communication"} <= running else 0
        sums["exposed"] += length if "communication" in running and "compute" not in running else 0
        sums["memory"] += length if running == {"memory"} else 0
        sums["idle"] += length if not running else 0
    return sums


def stats(traceview, path, of, *more, code=0):
    command = [traceview, "stats", str(path), "--of", of, "--no-cache", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    check(f"{' '.join(command[1:])}: exit", done.returncode, code)
    return done


def check_device(what, row, work, known=True):
    sums = sums_of(work)
    for key, value in (("compute_ns", "compute"), ("communication_ns", "communication"), ("overlapped_ns", "overlapped"),
                       ("exposed_ns", "exposed"), ("memory_alone_ns", "memory"), ("idle_ns", "idle")):  # fmt: skip
        of_communication = value in ("communication", "overlapped", "exposed")
        check(f"{what} {key}", row[key], sums[value] if known or not of_communication else None)


def check_vendor(traceview, folder, vendor, seed):
    rng = random.Random(seed)
    run = pathlib.Path(folder, f"{vendor}{seed}")
    run.mkdir()
    works, ranks = [], 2
    for rank in range(ranks):
        works.append(drawn_work(rng))
        if vendor == "ascend":
            (run / f"rank{rank}").mkdir()
            (run / f"rank{rank}" / "trace_view.json").write_text(json.dumps(ascend_trace(rng, works[-1], rank)))
        else:
            trace = kineto_trace(KINETO[vendor], rng, works[-1], rank)
            (run / f"rank{rank}.json").write_text(json.dumps(trace))
    noun = {"ascend": "NPU", "xpu": "XPU", "mtia": "MTIA"}.get(vendor, "GPU")
    rows = json.loads(stats(traceview, run, "gpus", "--json").stdout)
    check(f"{vendor}: devices", len(rows), ranks)
    for rank, row in enumerate(rows):
        check(f"{vendor}: a device's name", f"{noun} {rank}" in row["gpu"], True)
        check_device(f"{vendor} {rank}", row, works[rank])
        if vendor == "ascend":
            continue
        rules = row["communication_by_rule"]
        kernels = [end - begin for kind, begin, end, _ in works[rank] if kind == "communication"]
        counted = [rule for rule in rules if rule["counts_as"] == "communication"]
        check(f"{vendor}: kernels by rule", sum(rule["count"] for rule in counted), len(kernels))
        check(f"{vendor}: time by rule", sum(rule["total_ns"] for rule in counted), sum(kernels))
    text = stats(traceview, run, "gpus").stdout
    check(f"{vendor}: the title", f"What 2 {noun}s did" in text, True)
    check(f"{vendor}: what matched is shown", " kernels, " in text, True)
    nccl = json.loads(stats(traceview, run, "nccl", "--json").stdout)
    check(f"{vendor}: an alias", json.loads(stats(traceview, run, "communication", "--json").stdout), nccl)
    if vendor != "ascend":
        total = sum(end - begin for work in works for kind, begin, end, _ in work if kind == "communication")
        check(f"{vendor}: sum over kernels", sum(row["total_ns"] for row in nccl), total)
    pace = json.loads(stats(traceview, run, "pace", "--json").stdout)
    check(f"{vendor}: pace", (pace or {}).get("name"), "ProfilerStep#")
    # If the user excludes all patterns, these kernels are computing, and nothing is known about communication.
    if vendor == "experts":
        mine = json.loads(stats(traceview, run, "gpus", "--json", "--set", "communication=-dispatch|-combine|-nvshmem").stdout)
        for rank, row in enumerate(mine):
            as_compute = [("compute" if kind == "communication" else kind, *rest) for kind, *rest in works[rank]]
            check_device(f"{vendor} {rank}, all taken out", row, as_compute, known=False)


def check_own(traceview, folder):
    """Names that no rule knows: nothing is recognised until the user says what communicates."""
    work = drawn_work(random.Random(99))
    words = dict(KINETO["cuda"], communication=["void app::my_exchange<8>(int)", "halo_swap"], compute=["gemm"])
    path = pathlib.Path(folder, "own.json")
    path.write_text(json.dumps(kineto_trace(words, random.Random(1), work, 0)))
    row = json.loads(stats(traceview, path, "gpus", "--json").stdout)[0]
    unknown = [("compute" if kind == "communication" else kind, *rest) for kind, *rest in work]
    check_device("own, unknown", row, unknown, known=False)
    check("own: no rule", row["communication_by_rule"], [])
    check("own: nccl", json.loads(stats(traceview, path, "nccl", "--json").stdout), None)
    for of in ("gpus", "nccl"):
        text = stats(traceview, path, of).stdout
        check(f"own, --of {of}", "othing recognised" in text, True)
        check(f"own, --of {of}: what the CPU did", "NCCL on CPU threads: 4 ranges" in text, True)
    for patterns in ("my_exchange|halo_*", "EXCHANGE, Halo"):
        row = json.loads(stats(traceview, path, "gpus", "--json", "--set", f"communication={patterns}").stdout)[0]
        check_device(f"own, {patterns}", row, work)
        check(f"own, {patterns}: families", {rule["family"] for rule in row["communication_by_rule"]}, {"own pattern"})


def check_gaps(traceview, folder):
    """The table says the same about each gap as the JSON."""
    path = pathlib.Path(folder, "gaps.json")
    events = []
    for name, at in (("first_kernel", 100), ("second_kernel", 60_100), ("third_kernel", 190_000)):
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at, "dur": 1000})
    path.write_text(json.dumps(events))
    gaps = json.loads(stats(traceview, path, "gaps", "--json").stdout)
    check("gaps", [(gap["before"], gap["after"]) for gap in gaps],
          [("second_kernel", "third_kernel"), ("first_kernel", "second_kernel")])  # fmt: skip
    lines = stats(traceview, path, "gaps").stdout.splitlines()
    header = next(i for i, line in enumerate(lines) if "began after" in line)
    for gap, line in zip(gaps, lines[header + 1 :]):
        for column, key in (("began after", "before"), ("ended before", "after")):
            check(f"gaps, {column}", line[lines[header].index(column) :].split()[0], gap[key])


def check_pace(traceview, folder):
    """The program finds by itself what marks an iteration, also in kineto of 2021, which calls the category Operator."""

    def asked(name, events):
        kernel = {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 5}
        path = pathlib.Path(folder, name)
        made = [{"ph": "X", "pid": 9, "tid": 9, **event} for event in events]
        path.write_text(json.dumps([kernel, *made]))
        pace = json.loads(stats(traceview, path, "pace", "--json").stdout)
        return (pace["name"], len(pace["lines"][0]["turns"])) if pace else None

    def turns(category, name, count, length, gap=1000):
        return [{"cat": category, "name": name.format(i), "ts": i * gap, "dur": length} for i in range(count)]

    check("of 2021", asked("p2021.json", turns("Operator", "ProfilerStep#{}", 6, 900)), ("ProfilerStep#", 6))
    others = turns("user_annotation", "aten::to", 9, 990) + turns("user_annotation", "nccl:all_to_all", 9, 995)
    check("not operators", asked("ops.json", others + turns("user_annotation", "ProfilerStep#{}", 2, 900)),
          ("ProfilerStep#", 2))  # fmt: skip
    check("not collectives", asked("coll.json", others + turns("user_annotation", "ProfilerStep#{}", 1, 900)), None)
    check("ranges of the program", asked("own.json", others + turns("user_annotation", "## forward ##", 4, 100)),
          ("## forward ##", 4))  # fmt: skip
    check("a step by its name", asked("named.json", turns("nvtx", "## forward ##", 4, 900) + turns("nvtx", "iteration {}", 4, 10)),
          ("iteration", 4))  # fmt: skip
    check("steps of engines", asked("engine.json", turns("user_annotation", "step[DECODE bs={} toks=1]", 4, 100)),
          ("step[DECODE]", 4))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    with tempfile.TemporaryDirectory() as folder:
        for vendor in [*KINETO, "ascend"]:
            before = len(failures)
            for seed in range(2):
                check_vendor(traceview, folder, vendor, seed)
            print(f"{vendor}: {'as counted' if len(failures) == before else 'DIFFERENT'}")
        check_own(traceview, folder)
        check_gaps(traceview, folder)
        check_pace(traceview, folder)
        cpu_only = pathlib.Path(folder, "gloo.json")
        cpu_only.write_text(json.dumps([{"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 1, "tid": 1,
                                         "ts": 0, "dur": 5}]))  # fmt: skip
        stats(traceview, cpu_only, "gpus", code=3)
    print("\n".join(failures[:40]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
