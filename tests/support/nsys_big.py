"""Writes one export of the size asked for, to measure how fast we read. Its tables have about the proportions of a training run's.

It holds the layers of a model. A layer is an NVTX range with a copy and ranges of operations in it, and an operation has two API
calls and a kernel.
"""

import os
import sqlite3

from nsys_schema import EVENT_TABLES, Export, columns, counts_of, create_statement, global_pid, global_tid

PID, BATCH = 4711, 200_000
OPERATIONS = 12  # per layer
PERIOD = 1021  # of durations: prime, so that they do not repeat with the layers


def names(export):
    ids = {}
    for i in range(400):
        ids["kernel", i] = export.string(
            f"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{i % 20}x{64 + i}_64x4_tn_align8>"
            f"(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{i % 20}x{64 + i}_64x4_tn_align8::Params)")
        ids["short", i] = export.string(f"cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{i % 20}x{64 + i}")
    for name in ("cudaLaunchKernel_v7000", "cudaEventRecord_v3020", "cudaMemcpyAsync_v3020"):
        ids[name] = export.string(name)
    for i in range(96):
        ids["layer", i] = export.string(f"model.layers.{i}")
    return ids


class Batches:
    """Rows of one table as plain tuples in the order of its columns."""

    def __init__(self, db, table, used):
        self.db, self.rows = db, []
        order = [name for name, _, _ in columns(EVENT_TABLES[table])]
        assert set(used) <= set(order)
        quoted = ", ".join(f'"{name}"' for name in used)
        self.statement = f'INSERT INTO "{table}" ({quoted}) VALUES ({", ".join("?" * len(used))})'

    def flush(self, least=1):
        if len(self.rows) >= least:
            self.db.executemany(self.statement, self.rows)
            self.rows.clear()


def write(path, size):
    export = Export(path)
    ids = names(export)
    export.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=1_780_000_000_000_000_000, utcTime="2026-05-28T20:26:40",
               localTime="2026-05-28T20:26:40", systemClockNs=1)
    export.add("TARGET_INFO_GPU", vmId=global_pid(0), id=0, name="NVIDIA H100 80GB HBM3", uuid="big", cuDevice=0)
    export.add("PROCESSES", globalPid=global_pid(PID), pid=PID, name="python3")
    export.add("META_DATA_EXPORT", name="EXPORT_SCHEMA_VERSION", value="3.25.0")
    export.enums()
    export.close()
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-65536"):
        db.execute("PRAGMA " + pragma)
    tables = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_MEMCPY")
    for table in tables:
        db.execute(create_statement(table, EVENT_TABLES[table]))
    device = ("start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid")
    kernels = Batches(db, tables[0], device + (
        "demangledName", "shortName", "mangledName", "launchType", "cacheConfig", "registersPerThread", "gridX",
        "gridY", "gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory",
        "localMemoryPerThread", "localMemoryTotal", "gridId", "sharedMemoryExecuted",
        "sharedMemoryLimitConfig", "tensorSizeMinusOneElements"))
    calls = Batches(db, tables[1],
                    ("start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"))
    ranges = Batches(db, tables[2], ("start", "end", "eventType", "text", "globalTid", "textId", "domainId"))
    copies = Batches(db, tables[3], device + ("bytes", "copyKind", "srcKind", "dstKind", "copyCount"))
    batches = (kernels, calls, ranges, copies)
    durations = [20_000 + (i * 7919) % 90_000 for i in range(PERIOD)]
    pid, threads = global_pid(PID), (global_tid(PID, PID), global_tid(PID, PID + 17))
    launch, record, copy = (ids[n] for n in
                            ("cudaLaunchKernel_v7000", "cudaEventRecord_v3020", "cudaMemcpyAsync_v3020"))
    cpu = gpu = 10_000_000_000
    correlation = layer = 0
    db.execute("BEGIN")
    while True:
        thread, layer_begin = threads[layer // 32 % 2], cpu
        for i in range(OPERATIONS):
            begin, cpu = cpu, cpu + 2_000
            correlation += 2
            calls.rows.append((cpu, cpu + 900, 0, thread, correlation - 1, record, 0))
            calls.rows.append((cpu + 1_500, cpu + 6_500, 0, thread, correlation, launch, 0))
            gpu = max(gpu + 1_000, cpu + 6_000)
            took = durations[correlation % PERIOD]
            kind = (layer * 7 + i) % 400
            kernels.rows.append((gpu, gpu + took, 0, 1, 7, correlation, pid, ids["kernel", kind], ids["short", kind],
                                 ids["short", kind], 1, 32, 96, 132, 1, 1, 256, 1, 1, 0, 49152, 0, 250871808,
                                 correlation, 233472, 0, "[]"))
            gpu += took
            cpu += 8_000
            ranges.rows.append((begin, cpu, 59, f"aten::linear, op_id = {correlation}", thread, None, 0))
            cpu = max(cpu + 500, gpu - 40_000_000)
        correlation += 1
        calls.rows.append((cpu, cpu + 4_000, 0, thread, correlation, copy, 0))
        copies.rows.append((cpu + 6_000, cpu + 20_000, 0, 1, 31, correlation, pid, 1 << 20, 1 + layer % 2, 1, 2, 1))
        cpu += 5_000
        ranges.rows.append((layer_begin, cpu, 59, None, thread, ids["layer", layer % 96], 0))
        cpu += 10_000
        layer += 1
        if len(calls.rows) >= BATCH:
            for batch in batches:
                batch.flush()
            if os.path.getsize(path) + 64_000_000 >= size:
                pages = db.execute("PRAGMA page_count").fetchone()[0]
                if pages * 4096 >= size:
                    break
        elif layer % 256 == 0 and size < 64_000_000:
            for batch in batches:
                batch.flush()
            if db.execute("PRAGMA page_count").fetchone()[0] * 4096 >= size:
                break
    for batch in batches:
        batch.flush()
    db.execute("COMMIT")
    db.close()
    return counts_of(path)
