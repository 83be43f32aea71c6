"""Broken exports, each in its own way. write() returns what is wrong with each and what is still in it."""

import os
import shutil
import sqlite3

import nsys_odd
from nsys_schema import Export, TABLES_OF_2022, counts_of, global_pid, global_tid


def page_of(path, table):
    """-> (first page of the table, page size), pages counted from 1"""
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (table,)).fetchone()[0]
    size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    return root, size


def many_kernels(path):
    """An export whose tables of kernels, API calls and ranges have several pages each."""
    export = Export(path, page_size=1024)
    nsys_odd.about(export)
    nsys_odd.plain_events(export)
    for i in range(500):
        begin = 1_000_000 + 10_000 * i
        nsys_odd.call(export, "cudaLaunchKernel_v7000", begin, begin + 3_000, 1_000 + i)
        nsys_odd.kernel(export, "void gemm<float>(int, float*)", begin + 4_000, begin + 9_000, 1_000 + i)
        nsys_odd.nvtx(export, 59, begin - 500, begin + 3_500, f"aten::linear, op_id = {i}")
    export.close()


def of_2022(path):
    export = Export(path, page_size=1024, tables=dict(TABLES_OF_2022), lazy=False)
    pid = 1230493
    thread = global_tid(pid, pid)
    export.add_many("EXPORT_META_DATA", ("name", "value"), [
        ("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", "2022.2.1.31"),
        ("EXPORT_SCHEMA_VERSION", "2.9.1"), ("EXPORT_OUTUPT_FILE", "x.sqlite"), ("EXPORT_LAZY", "false")])
    export.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=1687813257637297504, utcTime="2023-06-26T21:00:57",
               localTime="2023-06-26T14:00:57")
    export.add("TARGET_INFO_CUDA_NULL_STREAM", streamId=7, hwId=0, vmId=1, processId=pid, deviceId=0, contextId=1)
    export.add("TARGET_INFO_CUDA_STREAM", streamId=7, hwId=0, vmId=1, processId=pid, contextId=1, priority=0, flag=3)
    export.add("TARGET_INFO_GPU", vmId=global_pid(0), id=0, name="NVIDIA A100-SXM4-40GB", uuid="a", cuDevice=0)
    export.add("PROCESSES", globalPid=global_pid(pid), pid=pid, name="./saxpy")
    export.add("ThreadNames", nameId=export.string("MPI Rank 1"), priority=0, globalTid=thread)
    export.add("NVTX_EVENTS", start=10_000, end=60_000, eventType=59, text="saxpy", globalTid=thread, domainId=0)
    export.add("CUPTI_ACTIVITY_KIND_RUNTIME", start=20_000, end=25_000, eventClass=0, globalTid=thread, correlationId=1,
               nameId=export.string("cudaLaunchKernel_v7000"), returnValue=0)
    name = export.string("saxpy(int, float, float*, float*)")
    export.add("CUPTI_ACTIVITY_KIND_KERNEL", start=30_000, end=50_000, deviceId=0, contextId=1, streamId=7,
               correlationId=1, globalPid=global_pid(pid), demangledName=name, shortName=export.string("saxpy"),
               registersPerThread=26, gridX=2, gridY=1, gridZ=1, blockX=512, blockY=1, blockZ=1, staticSharedMemory=0,
               dynamicSharedMemory=0, localMemoryPerThread=0, localMemoryTotal=0, gridId=1)
    export.close()


def write(folder):
    cases = {}

    def case(name, wrong, path=None):
        path = path or os.path.join(folder, name)
        cases[name] = {"wrong": wrong, "bytes": os.path.getsize(path) if os.path.exists(path) else None}
        return path

    whole = os.path.join(folder, "whole.sqlite")
    many_kernels(whole)
    cases["whole.sqlite"] = {"wrong": None} | counts_of(whole)
    with open(whole, "rb") as file:
        data = file.read()

    def put(name, content, wrong):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content)
        case(name, wrong)

    for length in (1, 15, 16, 99, 100, 1024, 4096, len(data) // 4, len(data) // 2, len(data) - 1024, len(data) - 1):
        put(f"truncated_{length:06d}.sqlite", data[:length], f"ends after {length} of {len(data)} bytes")
    put("empty.sqlite", b"", "0 bytes")
    put("wrong_magic.sqlite", b"SQLite format 2\0" + data[16:], "the first 16 bytes")
    put("no_database.sqlite", b"this is no database\n" * 100, "text")
    put("zeros.sqlite", bytes(len(data)), "zeros only")
    root, size = page_of(whole, "CUPTI_ACTIVITY_KIND_KERNEL")
    put("garbage_in_kernels.sqlite", data[:(root - 1) * size] + b"\xa5" * size + data[root * size:],
        "the first page of the kernels is garbage")
    put("garbage_in_schema.sqlite", data[:100] + b"\xa5" * (size - 100) + data[size:], "the list of tables is garbage")
    middle = len(data) // 2 // size * size
    put("garbage_in_middle.sqlite", data[:middle] + b"\x5a" * 8 * size + data[middle + 8 * size:], "8 pages of garbage")

    def changed(name, wrong, *statements):
        path = os.path.join(folder, name)
        shutil.copyfile(whole, path)
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA journal_mode=OFF")
        for statement in statements:
            db.execute(statement)
        db.close()
        cases[name] = {"wrong": wrong} | counts_of(path)

    kernels = "CUPTI_ACTIVITY_KIND_KERNEL"
    changed("no_strings.sqlite", "StringIds is missing", "DROP TABLE StringIds")
    changed("no_session.sqlite", "TARGET_INFO_SESSION_START_TIME is missing",
            "DROP TABLE TARGET_INFO_SESSION_START_TIME")
    changed("no_kernel_start.sqlite", "the kernels have no column start",
            f"ALTER TABLE {kernels} RENAME start TO begin")
    changed("no_stream.sqlite", "the kernels have no streamId, deviceId, globalPid",
            f"ALTER TABLE {kernels} DROP streamId", f"ALTER TABLE {kernels} DROP deviceId",
            f"ALTER TABLE {kernels} DROP globalPid")
    changed("no_process.sqlite", "the kernels' globalPid is NULL", f"UPDATE {kernels} SET globalPid = NULL")
    changed("row_number_taken.sqlite", "a column of the ranges has the name of the row number",
            'ALTER TABLE NVTX_EVENTS RENAME color TO "RowId"')
    changed("no_api_thread.sqlite", "the API calls have no globalTid",
            "ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME DROP globalTid")
    changed("text_as_time.sqlite", "every tenth kernel's start is text, every tenth API call's end a float",
            f"UPDATE {kernels} SET start = 'yesterday' WHERE rowid % 10 = 0",
            "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = end + 0.5 WHERE rowid % 10 = 0")
    changed("text_as_ids.sqlite", "names and threads are text or bytes",
            f"UPDATE {kernels} SET demangledName = 'gemm' WHERE rowid % 7 = 0",
            f"UPDATE {kernels} SET shortName = x'00ff' WHERE rowid % 5 = 0",
            "UPDATE NVTX_EVENTS SET globalTid = 'main', text = 12.5 WHERE rowid % 10 = 0")
    changed("huge_numbers.sqlite", "times at the ends of int64",
            f"UPDATE {kernels} SET start = -9223372036854775808, end = 9223372036854775807 WHERE rowid = 3",
            f"UPDATE {kernels} SET end = 9223372036854775807 WHERE rowid = 5",
            "UPDATE NVTX_EVENTS SET start = 9223372036854775807, end = NULL WHERE rowid = 7")
    changed("views_not_tables.sqlite", "the kernels are a view",
            f"ALTER TABLE {kernels} RENAME TO hidden", f"CREATE VIEW {kernels} AS SELECT * FROM hidden")
    changed("no_event_tables.sqlite", "a database of something else", *(
        f'DROP TABLE "{t}"' for t in counts_of(whole)["rows"]), "CREATE TABLE addresses (name TEXT, city TEXT)")
    changed("only_strings.sqlite", "a report without events", *(
        f'DROP TABLE "{t}"' for t in counts_of(whole)["rows"] if t.isupper()))

    # Rows that are only in the write-ahead log: a reader that must not write sees the database without them.
    wal = os.path.join(folder, "wal_beside.sqlite")
    source = os.path.join(folder, "wal_source.tmp")
    shutil.copyfile(whole, source)
    db = sqlite3.connect(source, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA wal_autocheckpoint=0")
    db.execute("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES (5, 6, 59, 'in the log', ?)",
               (nsys_odd.MAIN,))
    for ending in ("", "-wal"):
        shutil.copyfile(source + ending, wal + ending)
    db.close()
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(source + ending):
            os.remove(source + ending)
    case("wal_beside.sqlite", "one range is only in the write-ahead log beside it")

    of_2022(os.path.join(folder, "of_2022.sqlite"))
    cases["of_2022.sqlite"] = {"wrong": None} | counts_of(os.path.join(folder, "of_2022.sqlite"))
    return cases
