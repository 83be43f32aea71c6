"""Tables of `nsys export --type sqlite` as exporter 2026.2 (schema 3.25.0) writes them, and a writer of such files.

A column is `name`, with `!` if it may not be NULL, `#` for the primary key, `:T` for text and `:R` for floating point;
all others are integers. Times are nanoseconds since the session began. Sources: Nsight Systems; PRAGMA table_info of the
samples; the vendor's schema reference (docs.nvidia.com, nsys-exporter) for tables that no sample has.
"""

import os
import sqlite3

DEVICE = "start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid "

EVENT_TABLES = {
    "CUPTI_ACTIVITY_KIND_KERNEL": DEVICE + "demangledName! shortName! mangledName launchType cacheConfig "
    "registersPerThread! gridX! gridY! gridZ! blockX! blockY! blockZ! staticSharedMemory! dynamicSharedMemory! "
    "localMemoryPerThread! localMemoryTotal! gridId! sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig "
    "qmdBulkReleaseDone qmdPreexitDone qmdLastCtaDone graphId clusterX clusterY clusterZ clusterSchedulingPolicy "
    "maxPotentialClusterSize maxActiveClusters sharedMemoryRequestedPercentage tensorSizeMinusOneElements:T",
    "CUPTI_ACTIVITY_KIND_MEMCPY": DEVICE + "bytes! copyKind! deprecatedSrcId srcKind dstKind srcDeviceId srcContextId "
    "dstDeviceId dstContextId migrationCause graphNodeId virtualAddress copyCount",
    "CUPTI_ACTIVITY_KIND_MEMSET": DEVICE + "value! bytes! graphNodeId memKind",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": DEVICE + "deprecatedSyncType syncType! eventId! eventSyncId",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": DEVICE + "graphId! graphExecId!",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "timestamp deviceId! contextId! greenContextId streamId! correlationId globalPid "
    "eventId! eventSyncId",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start! end! eventClass! globalTid correlationId nameId! returnValue! callchainId",
    "CUPTI_ACTIVITY_KIND_OVERHEAD": "start! end! eventClass! globalTid correlationId nameId! overheadType",
    "PROFILER_OVERHEAD": "start! end! globalTid nameId! overheadType",
    "NVTX_EVENTS": "start! end eventType! rangeId category color text:T globalTid endGlobalTid textId domainId "
    "uint64Value int64Value doubleValue:R uint32Value int32Value floatValue:R jsonTextId jsonText:T binaryData:T",
    "OSRT_API": "start! end! eventClass! globalTid nameId! returnValue! nestingLevel callchainId",
    "CUDNN_EVENTS": "start! end! eventClass! globalTid nameId!",
    "CUBLAS_EVENTS": "start! end! eventClass! globalTid nameId!",
    "CUDA_GRAPH_NODE_EVENTS": "start! end! eventClass! globalTid nameId! graphNodeId! originalGraphNodeId",
    "CUDA_GRAPH_EVENTS": "start! end! eventClass! globalTid nameId! graphId originalGraphId graphExecId",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "start! globalPid! deviceId! contextId! address! pc! bytes! memKind! "
    "memoryOperationType! name:T correlationId localMemoryPoolAddress localMemoryPoolReleaseThreshold "
    "localMemoryPoolSize localMemoryPoolUtilizedSize importedMemoryPoolAddress importedMemoryPoolProcessId",
    "MPI_P2P_EVENTS": "start! end globalTid textId commHandle tag remoteRank size requestHandle",
    "MPI_COLLECTIVES_EVENTS": "start! end globalTid textId commHandle rootRank size recvSize requestHandle",
    "MPI_START_WAIT_EVENTS": "start! end globalTid textId requestHandle",
    "MPI_OTHER_EVENTS": "start! end globalTid textId",
    "UCP_SUBMIT_EVENTS": "start! end globalTid textId bufferAddr packedSize peerWorkerUid tag",
    "UCP_PROGRESS_EVENTS": "start! end globalTid textId bufferAddr packedSize peerWorkerUid tag",
    "UCP_EVENTS": "start! end globalTid textId",
    "SCHED_EVENTS": "start! cpu! isSchedIn! globalTid threadState threadBlock",
    "COMPOSITE_EVENTS": "id! start! cpu threadState globalTid cpuCycles!",
    "GPU_METRICS": "rawTimestamp timestamp typeId! metricId! value!",
    "NET_NIC_METRIC": "start! end! globalId! portId! metricsListId! metricsIdx! value!",
    "DIAGNOSTIC_EVENT": "timestamp! timestampType! source! severity! text:T! globalPid",
}

OTHER_TABLES = {
    "StringIds": "id!# value:T!",
    "ThreadNames": "nameId! priority globalTid",
    "PROCESSES": "globalPid pid name:T",
    "ProcessStreams": "globalPid! filenameId! contentId!",
    "ANALYSIS_DETAILS": "globalVid! duration! startTime! stopTime!",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs utcTime:T localTime:T systemClockNs",
    "TARGET_INFO_SYSTEM_ENV": "globalVid devStateName:T! name:T! nameEnum! value:T!",
    "TARGET_INFO_CUDA_DEVICE": "gpuId! cudaId! pid! uuid:T numMultiprocessors!",
    "TARGET_INFO_CUDA_CONTEXT_INFO": "nullStreamId! hwId! vmId! processId! deviceId! contextId! parentContextId "
    "isGreenContext numMultiprocessors",
    "TARGET_INFO_CUDA_STREAM": "streamId! hwId! vmId! processId! contextId! priority! flag!",
    "TARGET_INFO_NVTX_CUDA_STREAM": "name:T! hwId! vmId! processId! deviceId! contextId! streamId!",
    "TARGET_INFO_GPU": "vmId! id! name:T busLocation:T isDiscrete l2CacheSize totalMemory memoryBandwidth clockRate "
    "smCount pwGpuId uuid:T luid chipName:T cuDevice",
    "TARGET_INFO_GPU_METRICS": "typeId! sourceId! typeName:T! metricId! metricName:T!",
    "TARGET_INFO_NETWORK_METRICS": "metricsListId! metricsIdx! name:T! description:T! unit:T!",
    "TARGET_INFO_NIC_INFO": "GUID! stateName:T! nicId! name:T! deviceId! vendorId! linkLayer!",
    "NIC_ID_MAP": "nicId! globalId!",
    "NVTX_PAYLOAD_SCHEMAS": "domainId schemaId name:T type flags numEntries payloadSize alignTo",
    "NVTX_PAYLOAD_SCHEMA_ENTRIES": "domainId! schemaId! idx! flags type name:T description:T arrayOrUnionDetail offset",
    "MPI_RANKS": "globalTid! rank!",
    "UCP_WORKERS": "globalTid! workerUid!",
    "SAMPLING_CALLCHAINS": "id! symbol! module! kernelMode thumbCode unresolved specialEntry originalIP unwindMethod "
    "stackDepth!",
    "META_DATA_CAPTURE": "name:T! value:T",
    "META_DATA_EXPORT": "name:T! value:T",
}

# As exporter 2022.2 (schema 2.9.1) had them; all tables are created there, also those without rows.
TABLES_OF_2022 = {
    "CUPTI_ACTIVITY_KIND_KERNEL": "start! end! deviceId! contextId! streamId! correlationId globalPid demangledName! "
    "shortName! mangledName launchType cacheConfig registersPerThread! gridX! gridY! gridZ! blockX! blockY! blockZ! "
    "staticSharedMemory! dynamicSharedMemory! localMemoryPerThread! localMemoryTotal! gridId! sharedMemoryExecuted "
    "graphNodeId sharedMemoryLimitConfig",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "start! end! deviceId! contextId! streamId! correlationId globalPid bytes! copyKind! "
    "deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId migrationCause graphNodeId "
    "virtualAddress",
    "CUPTI_ACTIVITY_KIND_MEMSET": "start! end! deviceId! contextId! streamId! correlationId globalPid value! bytes! "
    "graphNodeId memKind",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start! end! deviceId! contextId! streamId! correlationId globalPid "
    "syncType! eventId!",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "deviceId! contextId! streamId! correlationId globalPid eventId!",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start! end! eventClass! globalTid correlationId nameId! returnValue! callchainId",
    "PROFILER_OVERHEAD": "start! end! globalTid nameId! returnValue!",
    "NVTX_EVENTS": EVENT_TABLES["NVTX_EVENTS"].replace(" binaryData:T", ""),
    "OSRT_API": EVENT_TABLES["OSRT_API"],
    "CUDNN_EVENTS": EVENT_TABLES["CUDNN_EVENTS"],
    "CUBLAS_EVENTS": EVENT_TABLES["CUBLAS_EVENTS"],
    "VULKAN_API": "id! start! end! eventClass! globalTid correlationId nameId! contextId",
    "OPENGL_API": "start! end! eventClass! globalTid correlationId nameId! returnValue",
    "StringIds": "id!# value:T!",
    "ThreadNames": "nameId! priority globalTid",
    "PROCESSES": "globalPid pid name:T",
    "ANALYSIS_DETAILS": "globalVid! duration! startTime! stopTime!",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs utcTime:T localTime:T",
    "TARGET_INFO_SYSTEM_ENV": "globalVid devStateName:T! name:T! nameEnum! value:T!",
    "TARGET_INFO_CUDA_NULL_STREAM": "streamId! hwId! vmId! processId! deviceId! contextId!",
    "TARGET_INFO_CUDA_STREAM": "streamId! hwId! vmId! processId! contextId! priority! flag!",
    "TARGET_INFO_GPU": OTHER_TABLES["TARGET_INFO_GPU"],
    "EXPORT_META_DATA": "name:T! value:T",
}

ENUMS = {
    "ENUM_CUDA_MEMCPY_OPER": ["Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host",
                              "Array-to-Array", "Array-to-Device", "Device-to-Array", "Device-to-Device",
                              "Host-to-Host", "Peer-to-Peer", "Unified Host-to-Device", "Unified Device-to-Host",
                              "Unified Device-to-Device"],
    "ENUM_CUDA_MEM_KIND": ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static",
                           "Unknown"],
    "ENUM_CUPTI_SYNC_TYPE": ["Unknown", "Event sync", "Stream wait sync", "Stream sync", "Context sync"],
    "ENUM_CUDA_DEV_MEM_EVENT_OPER": ["Allocation", "Deallocation"],
    "ENUM_DIAGNOSTIC_SEVERITY_LEVEL": ["Unknown", "Info", "Warning", "Error", "Verbose"],
}


def columns(spec):
    """-> [(name, type, constraints)]"""
    found = []
    for word in spec.split():
        name = word.rstrip("!#").split(":")[0].rstrip("!#")
        kind = "TEXT" if ":T" in word else "REAL" if ":R" in word else "INTEGER"
        rule = (" NOT NULL" if "!" in word else "") + (" PRIMARY KEY" if "#" in word else "")
        found.append((name, kind, rule))
    return found


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def create_statement(table, spec):
    lines = [f"    {quoted(name)} {kind}{rule}" for name, kind, rule in columns(spec)]
    return f"CREATE TABLE {quoted(table)} (\n" + ",\n".join(lines) + "\n)"


class Export:
    """One file in the making. Rows are collected per table and written by `close`; tables without rows are not made
    (the exporter's --lazy true) unless they were asked for."""

    def __init__(self, path, page_size=4096, tables=None, lazy=True):
        self.path = path
        self.page_size = page_size
        self.tables = tables or {**EVENT_TABLES, **OTHER_TABLES}
        self.rows = {}
        self.strings = {}
        self.extra = []  # statements run at the end
        if not lazy:
            self.rows = {table: [] for table in self.tables}

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings) + 1)

    def add(self, table, **values):
        self.rows.setdefault(table, []).append(values)

    def add_many(self, table, names, rows):
        for row in rows:
            self.add(table, **dict(zip(names, row)))

    def enums(self):
        for table, labels in ENUMS.items():
            self.tables[table] = "id!# name:T label:T"
            self.add_many(table, ("id", "name", "label"), [(i, l.upper(), l) for i, l in enumerate(labels)])

    def close(self):
        if os.path.exists(self.path):
            os.remove(self.path)
        db = sqlite3.connect(self.path, isolation_level=None)
        db.execute(f"PRAGMA page_size={self.page_size}")
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("BEGIN")
        if self.strings:
            self.rows["StringIds"] = [{"id": i, "value": text} for text, i in self.strings.items()]
        for table, rows in self.rows.items():
            spec = self.tables[table]
            db.execute(create_statement(table, spec))
            names = [name for name, _, _ in columns(spec)]
            unknown = {key for row in rows for key in row} - set(names)
            assert not unknown, f"{table} has no columns {unknown}"
            marks = ", ".join("?" * len(names))
            values = ([row.get(name) for name in names] for row in rows)
            db.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", values)
        for statement, values in self.extra:
            db.execute(statement, values)
        db.execute("COMMIT")
        db.close()


def global_pid(pid, vm=1, hw=0):
    return hw << 56 | vm << 48 | pid << 24


def global_tid(pid, tid, vm=1, hw=0):
    return global_pid(pid, vm, hw) | tid


def payload(domain, schema, data):
    """NVTX_EVENTS.binaryData: domain, schema, size and place of one payload, then its bytes."""
    head = b"".join(number.to_bytes(8, "little") for number in (domain, schema, len(data), 32))
    return head + data


def counts_of(path):
    """The rows per table, the size of the file, and a few sums that tests compare."""
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
    counts = {table: db.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()[0] for table in tables}
    found = {"rows": {t: n for t, n in counts.items() if not t.startswith("ENUM_")}, "bytes": os.path.getsize(path)}
    sums = (("kernel_ns", "CUPTI_ACTIVITY_KIND_KERNEL", 'sum("end" - "start")'),
            ("memcpy_bytes", "CUPTI_ACTIVITY_KIND_MEMCPY", "sum(bytes)"),
            ("api_ns", "CUPTI_ACTIVITY_KIND_RUNTIME", 'sum("end" - "start")'))
    for key, table, what in sums:
        if table in counts:
            found[key] = db.execute(f"SELECT {what} FROM {quoted(table)}").fetchone()[0]
    db.close()
    return found
