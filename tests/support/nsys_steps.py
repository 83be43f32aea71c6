"""A training loop whose iterations are numbered NVTX ranges, each with two ranges "batch N" in it, as nsys records it where
iterations are marked by hand. write() returns what the GPU did during each iteration's time on the CPU.
"""

from nsys_odd import about, call, copy, kernel, nvtx
from nsys_schema import Export, counts_of

US = 1_000
LENGTH, SLOW = 10_000 * US, 3


def iteration(export, number, begin, slow):
    """-> work on the GPU as (kind, begin, end), end of the iteration."""
    idle = LENGTH * 2 if slow else 0
    work = [("memory", begin + 500 * US, begin + 900 * US),
            ("compute", begin + 1_000 * US, begin + 5_000 * US),
            ("communication", begin + 4_000 * US, begin + 6_500 * US),   # 1 ms hidden, 1.5 ms exposed
            ("compute", begin + 6_500 * US + idle, begin + 9_000 * US + idle),
            ("compute", begin + 9_800 * US + idle, begin + 10_100 * US + idle)]  # runs into the next iteration
    end = begin + LENGTH + idle
    nvtx(export, 59, begin, end, f"iteration {number}")
    nvtx(export, 59, begin + 100 * US, begin + 5_000 * US, f"batch {2 * number}")
    nvtx(export, 59, begin + 5_100 * US, end - 100 * US, f"batch {2 * number + 1}")
    for place, (kind, start, stop) in enumerate(work):
        correlation = 10 * number + place + 1
        call(export, "cudaMemcpyAsync_v3020" if kind == "memory" else "cudaLaunchKernel_v7000", begin + (200 + 20 * place) * US,
             begin + (210 + 20 * place) * US, correlation)
        if kind == "memory":
            copy(export, start, stop, correlation, 1 << 20, 1, 1, 2)
        elif kind == "communication":
            kernel(export, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", start, stop,
                   correlation, stream=23)
        else:
            kernel(export, "void gemm<float>(int, float*)", start, stop, correlation)
    return work, end


def parts(work, begin, end):
    """What the GPU did from begin to end, in samples of 100 us."""
    sums = dict.fromkeys(("computing", "overlapped", "exposed", "copies", "idle"), 0)
    for t in range(begin, end, 100 * US):
        runs = {kind for kind, start, stop in work if start <= t < stop}
        if "compute" in runs:
            sums["computing"] += 100 * US
            sums["overlapped"] += 100 * US if "communication" in runs else 0
        elif "communication" in runs:
            sums["exposed"] += 100 * US
        else:
            sums["copies" if "memory" in runs else "idle"] += 100 * US
    return sums


def write(path, iterations=8, first=100):
    export = Export(path)
    about(export)
    begin, work, ranges = 1_000 * US, [], []
    for number in range(first, first + iterations):
        done, end = iteration(export, number, begin, number == first + SLOW)
        work += done
        ranges.append((number, begin, end))
        begin = end
    export.close()
    steps = [{"step": number, "begin": begin - ranges[0][1], "length": end - begin, **parts(work, begin, end)}
             for number, begin, end in ranges]
    return {"file": path, "slow": first + SLOW, "steps": steps, **counts_of(path)}
