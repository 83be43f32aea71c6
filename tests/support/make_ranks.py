#!/usr/bin/env python3
"""A made-up training run of eight ranks: the facts about it, and a PyTorch trace of each rank. Times are whole nanoseconds.

Ranks compute, meet their tensor-parallel group after every layer, and meet their data-parallel group twice a step while
they compute; one rank is late in most steps. Each rank records by its own clock, up to `skew` off; a few kernels are lost
and one rank began to record later than the others. Ends of one collective differ by a microsecond or two.

    run = make_run(seed, vendor)       the facts: run["ranks"], run["collectives"]
    write_run(run, folder)             rank0.json ... rank7.json

By hand: make_ranks.py FOLDER [VENDOR [SEED]]
"""

import json
import pathlib
import random
import sys

RANKS, TP = 8, 2
STEPS, LAYERS = 24, 6
LATE = 4  # the rank that is late
US, MS = 1_000, 1_000_000

# Kernels as each library calls them: that of the tensor-parallel group, then the two of the data-parallel one.
VENDORS = {
    "nccl": ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
             "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
             "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"],
    "nccl_old": ["ncclKernel_AllReduce_RING_LL_Sum_half(ncclWorkElem)", "ncclKernel_ReduceScatter_RING_LL_Sum_half(ncclWorkElem)",
                 "ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclWorkElem)"],
    "rccl": ["ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"] * 3,  # one name for all kinds
    "hccl": ["hcom_allReduce__428_{}_1", "hcom_reduceScatter__911_{}_1", "hcom_allGather__911_{}_1"],  # numbered
    # One-sided transfers say nothing about the clocks of ranks; the other collectives do.
    "deep_ep": ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(__nv_bfloat16*, float*, int)"],
    "nvshmem": ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                "void nvshmemi_reduce_kernel<float, 0>(int, float*, float const*, unsigned long)",
                "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"],
    "one_ccl": ["oneccl_allreduce_large_kernel<sycl::half>", "oneccl_reduce_scatter_kernel<sycl::half>",
                "oneccl_allgatherv_small_kernel<sycl::half>"],
    "custom": ["void vllm::cross_device_reduce_2stage<__nv_bfloat16, 2>(vllm::RankData*, vllm::RankSignals, vllm::Signal*)",
               "void (anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16, 4>(c10::BFloat16**, unsigned long)",
               "multimem_all_gather_kernel(char*, char*, unsigned long)"],
}  # fmt: skip


def make_run(seed, vendor, ranks=RANKS, steps=STEPS, late=0.86, skew=12_000 * MS):
    rng = random.Random(seed)
    kernels = VENDORS[vendor]
    now = [0] * ranks  # of the compute stream
    free = [0] * ranks  # of the stream of the data-parallel group
    out = [{"rank": r, "kernels": [], "launches": [], "steps": [], "skew": rng.randrange(skew) if r else 0} for r in range(ranks)]
    collectives = []

    def kernel(rank, stream, name, begin, end):
        """Adds a kernel, launched some time before it begins, and returns its number."""
        records = out[rank]["kernels"]
        took = rng.randrange(4 * US, 12 * US)
        launch = begin - took - rng.randrange(1 * US, 300 * US)
        records.append({"stream": stream, "name": name, "begin": begin, "end": end, "launch": (launch, launch + took)})
        return len(records) - 1

    def compute(rank, length):
        kernel(rank, 7, rng.choice(["gemm", "void softmax<float>(float*)"]), now[rank], now[rank] + length)
        now[rank] += length

    def meet(group, stream, name, arrivals, transfer):
        end = max(arrivals) + transfer
        members = []
        for rank, arrival in zip(group, arrivals):
            own = end + rng.randrange(-1 * US, 1 * US)
            members.append({"rank": rank, "kernel": kernel(rank, stream, name.format(len(collectives)) if "{}" in name else name,
                                                           arrival, own), "begin": arrival, "end": own})
        collectives.append(members)
        return end

    for step in range(steps):
        begins = list(now)
        slow = rng.random() < late
        for layer in range(LAYERS):
            for rank in range(ranks):
                more = rng.randrange(6 * MS, 9 * MS) if slow and rank == LATE and layer == 2 else 0
                compute(rank, rng.randrange(800 * US, 1_100 * US) + more)
                now[rank] += 5 * US
            for first in range(0, ranks, TP):
                group = list(range(first, first + TP))
                end = meet(group, 20, kernels[0], [now[rank] for rank in group], rng.randrange(60 * US, 120 * US))
                for rank in group:
                    now[rank] = end + rng.randrange(3 * US, 30 * US)
            if layer in (3, 5):  # runs while the next layers compute
                for first in range(TP):
                    group = list(range(first, ranks, TP))
                    arrivals = [max(now[rank], free[rank]) for rank in group]
                    end = meet(group, 24, kernels[1 if layer == 3 else 2], arrivals, rng.randrange(300 * US, 700 * US))
                    for rank in group:
                        free[rank] = end + 10 * US
        for rank in range(ranks):
            now[rank] = max(now[rank], free[rank])
            out[rank]["steps"].append((step, begins[rank] - 50 * US, now[rank]))
            now[rank] += rng.randrange(100 * US, 2_500 * US)  # idle
    for rank in out:  # kernels that were not recorded
        rank["lost"] = {k for k in range(len(rank["kernels"])) if rng.random() < 0.01}
        if rank["rank"] == 5:
            begin = rank["steps"][2][1]
            rank["lost"] |= {k for k, one in enumerate(rank["kernels"]) if one["begin"] < begin}
            rank["steps"] = rank["steps"][2:]
    for members in collectives:
        members[:] = [m for m in members if m["kernel"] not in out[m["rank"]]["lost"]]
    return {"vendor": vendor, "ranks": out, "collectives": [members for members in collectives if members]}


def document(rank):
    number, base = rank["rank"], 1_700_000_000_000 * MS + rank["skew"]
    cpu, events = 1000 + number, []

    def add(category, name, pid, tid, begin, end, **args):
        begin += base
        events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin,
                       "dur": end - begin + base, "args": args})

    events.append({"ph": "M", "name": "process_name", "pid": cpu, "tid": 0, "args": {"name": "python"}})
    events.append({"ph": "M", "name": "process_labels", "pid": number, "tid": 0, "args": {"labels": f"GPU {number}"}})
    for step, begin, end in rank["steps"]:
        add("user_annotation", f"ProfilerStep#{step}", cpu, 1, begin, end)
    for k, one in enumerate(rank["kernels"]):
        if k in rank["lost"]:
            continue
        flow, begin, (launch, launched) = k + 1, one["begin"], one["launch"]
        add("cuda_runtime", "cudaLaunchKernel", cpu, 2 + one["stream"], launch, launched, correlation=flow)
        add("kernel", one["name"], number, one["stream"], begin, one["end"], correlation=flow, device=number, stream=one["stream"])
        for phase, pid, tid, time in (("s", cpu, 2 + one["stream"], launch), ("f", number, one["stream"], begin)):
            time += base
            events.append({"ph": phase, "bp": "e", "id": flow, "pid": pid, "tid": tid, "ts": time,
                           "cat": "ac2g", "name": "ac2g"})
    return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": number, "world_size": RANKS}, "traceEvents": events}


def json_text(value):
    """Times are in microseconds; with three decimals they do not fit into a double."""
    events = value.pop("traceEvents")
    lines = []
    for event in events:
        exact = {key: event.pop(key) for key in ("ts", "dur") if key in event}
        text = json.dumps(event)
        for key, ns in exact.items():
            text = text[:-1] + f', "{key}": {ns // US}.{ns % US:03}}}'
        lines.append(text)
    return json.dumps(value)[:-1] + ', "traceEvents": [\n' + ",\n".join(lines) + "\n]}\n"


def write_run(run, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for rank in run["ranks"]:
        (folder / f"rank{rank['rank']}.json").write_text(json_text(document(rank)))


if __name__ == "__main__":
    words = sys.argv[1:]
    write_run(make_run(int(words[2]) if len(words) > 2 else 1, words[1] if len(words) > 1 else "nccl"), words[0])
