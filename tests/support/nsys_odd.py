"""Exports made by hand: `small` has only plain events, `odd` has everything that a reader may stumble over.

All times are small numbers, so that a golden can be read.
"""

from nsys_schema import Export, counts_of, global_pid, global_tid, payload

PID, OTHER_PID = 4711, 4712
MAIN, BACKWARD, OTHER = global_tid(PID, PID), global_tid(PID, 4728), global_tid(OTHER_PID, OTHER_PID)
EPOCH = 1_780_000_000_000_000_000


def kernel(export, name, begin, end, correlation, pid=PID, stream=7, device=0, context=1, **more):
    values = dict(
        start=begin, end=end, deviceId=device, contextId=context, streamId=stream, correlationId=correlation,
        globalPid=global_pid(pid), demangledName=export.string(name), shortName=export.string(name.split("(")[0]),
        launchType=1, cacheConfig=0, registersPerThread=32, gridX=132, gridY=1, gridZ=1, blockX=256, blockY=1, blockZ=1,
        staticSharedMemory=0, dynamicSharedMemory=1024, localMemoryPerThread=0, localMemoryTotal=0,
        gridId=correlation or 0)
    export.add("CUPTI_ACTIVITY_KIND_KERNEL", **values | more)


def call(export, name, begin, end, correlation, thread=MAIN, returned=0):
    export.add("CUPTI_ACTIVITY_KIND_RUNTIME", start=begin, end=end, eventClass=1 if name.startswith("cu") and
               not name.startswith("cuda") else 0, globalTid=thread, correlationId=correlation,
               nameId=export.string(name), returnValue=returned)


def copy(export, begin, end, correlation, size, kind, source, target, stream=7, pid=PID):
    export.add("CUPTI_ACTIVITY_KIND_MEMCPY", start=begin, end=end, deviceId=0, contextId=1, streamId=stream,
               correlationId=correlation, globalPid=global_pid(pid), bytes=size, copyKind=kind, srcKind=source,
               dstKind=target, copyCount=1)


def nvtx(export, kind, begin, end, text=None, thread=MAIN, **more):
    values = dict(start=begin, end=end, eventType=kind, text=text, globalTid=thread, domainId=0)
    export.add("NVTX_EVENTS", **values | more)


def about(export, pid=PID, rank=3):
    export.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=EPOCH, utcTime="2026-05-28T20:26:40",
               localTime="2026-05-28T20:26:40", systemClockNs=35_000_000_000_000)
    export.add("ANALYSIS_DETAILS", globalVid=global_pid(0), duration=2_000_000, startTime=35_000_000_000_000,
               stopTime=35_000_002_000_000)
    export.add("TARGET_INFO_SYSTEM_ENV", globalVid=global_pid(0), devStateName="Local (CLI)", name="Hostname",
               nameEnum=619, value="node-a")
    export.add_many("META_DATA_CAPTURE", ("name", "value"), [
        ("DEVICE_DISPLAY_NAME", "node-a"), ("PROCESS_0:COMMAND", "python3"),
        ("PROCESS_0:ENVIRONMENT_VARIABLE", f'RANK="{rank}"'), ("PROCESS_0:ENVIRONMENT_VARIABLE", 'WORLD_SIZE="8"')])
    export.add_many("META_DATA_EXPORT", ("name", "value"), [
        ("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", "2026.2.1.210"),
        ("EXPORT_SCHEMA_VERSION", "3.25.0"), ("EXPORT_PARAM_TIME_NORMALIZE", "false")])
    export.add("PROCESSES", globalPid=global_pid(pid), pid=pid, name="ray::WorkerDict.actor_rollout_update_actor")
    export.add_many("ThreadNames", ("nameId", "priority", "globalTid"), [
        (export.string("python3"), 0, MAIN), (export.string("ray::WorkerDict"), 20, MAIN),
        (export.string("worker.main"), 10, MAIN), (export.string("pt_autograd_0"), 20, BACKWARD)])
    export.add("TARGET_INFO_GPU", vmId=global_pid(0), id=5, name="NVIDIA H100 80GB HBM3", busLocation="0000:15:00.0",
               isDiscrete=1, totalMemory=85_017_493_504, smCount=132, uuid="00000005", chipName="GH100", cuDevice=5)
    export.add("TARGET_INFO_CUDA_DEVICE", gpuId=5, cudaId=0, pid=pid, uuid="00000005", numMultiprocessors=132)
    export.add("TARGET_INFO_CUDA_CONTEXT_INFO", nullStreamId=7, hwId=0, vmId=1, processId=pid, deviceId=0, contextId=1,
               parentContextId=0, isGreenContext=0)
    for stream, flag in ((7, 3), (23, 2)):
        export.add("TARGET_INFO_CUDA_STREAM", streamId=stream, hwId=0, vmId=1, processId=pid, contextId=1, priority=0,
                   flag=flag)


def plain_events(export):
    """One step: a range per layer, two kernels and a collective, a copy in and a synchronisation."""
    nvtx(export, 60, 1_000, 100_000, "update_actor", rangeId=1, color=0xFFFF0000 - (1 << 32))
    nvtx(export, 59, 2_000, 50_000, "layers.0")
    nvtx(export, 59, 3_000, 20_000, "aten::linear, op_id = 1")
    call(export, "cudaMemcpyAsync_v3020", 2_100, 2_900, 1)
    copy(export, 3_000, 4_000, 1, 4096, 1, 1, 2)
    call(export, "cuLaunchKernelEx", 5_000, 8_000, 2)
    kernel(export, "void gemm<float>(int, float*)", 10_000, 22_000, 2)
    call(export, "cudaLaunchKernel_v7000", 9_000, 12_000, 3, BACKWARD)
    kernel(export, "void gemm<float>(int, float*)", 23_000, 30_000, 3)
    nvtx(export, 59, 20_500, 28_000, None, textId=export.string("ncclAllReduce"), domainId=1, binaryData=payload(
        1, 16777220, (77).to_bytes(8, "little") + (1 << 20).to_bytes(8, "little")))
    nvtx(export, 75, 500, None, "NCCL", domainId=1)
    call(export, "cudaLaunchKernelExC_v11060", 21_000, 27_000, 4)
    kernel(export, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096>)", 31_000, 60_000, 4,
           stream=23)
    call(export, "cudaMemsetAsync_v3020", 28_500, 29_000, 5)
    export.add("CUPTI_ACTIVITY_KIND_MEMSET", start=61_000, end=61_500, deviceId=0, contextId=1, streamId=7,
               correlationId=5, globalPid=global_pid(PID), value=0, bytes=512, memKind=2)
    call(export, "cudaStreamSynchronize_v3020", 60_000, 99_000, 6)
    export.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", start=60_500, end=98_000, deviceId=0, contextId=1, streamId=7,
               correlationId=6, globalPid=global_pid(PID), syncType=3, eventId=0, eventSyncId=0)
    export.add_many("NVTX_PAYLOAD_SCHEMAS", ("domainId", "schemaId", "type", "numEntries", "payloadSize"),
                    [(1, 16777220, 1, 2, 16)])
    export.add_many("NVTX_PAYLOAD_SCHEMA_ENTRIES", ("domainId", "schemaId", "idx", "type", "name", "offset"), [
        (1, 16777220, 0, 18, "NCCL communicator ID", None), (1, 16777220, 1, 22, "Message size [bytes]", 8)])


def write_small(path, page_size=512):
    export = Export(path, page_size)
    about(export)
    plain_events(export)
    export.close()
    return counts_of(path)


def odd_ranges(export):
    nvtx(export, 59, 110_000, None, "never closed")
    nvtx(export, 60, 120_000, None, "never ended", rangeId=2)
    nvtx(export, 60, 130_000, 160_000, "overlap a", rangeId=3, color=-16776961)
    nvtx(export, 60, 140_000, 170_000, "overlap b", rangeId=4, color=-1, endGlobalTid=BACKWARD)
    nvtx(export, 60, 150_000, 180_000, "overlap c", rangeId=5, endGlobalTid=OTHER)
    nvtx(export, 59, 130_000, 140_000, "partly a", thread=BACKWARD)
    nvtx(export, 59, 135_000, 145_000, "partly b", thread=BACKWARD)
    nvtx(export, 59, 150_000, 150_000, "no length", thread=BACKWARD)
    nvtx(export, 59, 156_000, 155_000, "ends before it begins", thread=BACKWARD)
    nvtx(export, 34, 111_000, None, "a mark", category=9, uint64Value=-1)
    nvtx(export, 34, 112_000, None, None, textId=export.string("a registered mark"), doubleValue=0.5)
    nvtx(export, 33, 0, None, "my category", category=9)
    nvtx(export, 39, 10, None, "MPI Rank 3")
    nvtx(export, 75, 20, None, "my domain", domainId=2)
    nvtx(export, 59, 160_000, 165_000, "in my domain", domainId=2, category=9, jsonText='{"size": [1, 2]}')
    nvtx(export, 76, 170_000, None, None, domainId=2)
    nvtx(export, 70, 171_000, 172_000, "pushed by nvtxt")
    nvtx(export, 71, 171_500, 172_500, "started by nvtxt")
    nvtx(export, 211, 173_000, 174_000, "a type of tomorrow")
    nvtx(export, 59, 175_000, 176_000, None)  # no text at all
    nvtx(export, 59, 177_000, 178_000, None, textId=99999)  # no such string
    nvtx(export, 59, 179_000, 180_000, 'quote " \\ tab\t newline\n \x01 \u00e9\u4e16\U0001f600')
    nvtx(export, 59, 181_000, 182_000, "of no thread", thread=None)
    nvtx(export, 59, 183_000, 184_000, "payload too short", domainId=1, binaryData=payload(1, 16777220, b"\x01\x02"))
    nvtx(export, 59, 185_000, 186_000, "payload of no schema", domainId=1, binaryData=payload(1, 5, b"12345678"))
    nvtx(export, 59, 187_000, 188_000, "no payload at all", domainId=1, binaryData=b"\x00\xff")


def odd_device(export):
    # The same correlation id in two processes: each has an arrow of its own.
    for pid, thread, begin in ((PID, MAIN, 200_000), (OTHER_PID, OTHER, 200_500)):
        call(export, "cudaLaunchKernel_v7000", begin, begin + 3_000, 100, thread)
        kernel(export, f"of_process_{pid}", begin + 5_000, begin + 9_000, 100, pid=pid)
    call(export, "cudaMalloc_v3020", 210_000, 211_000, 101, returned=2)  # cudaErrorMemoryAllocation
    kernel(export, "without_a_launch", 212_000, 213_000, None)
    kernel(export, "without_a_process", 214_000, 215_000, 102, globalPid=None)
    kernel(export, "of_another_gpu", 214_000, 215_000, 103, device=1, context=2, stream=15)
    kernel(export, "unknown_launch_type", 216_000, 217_000, 104, launchType=77)
    kernel(export, "overlapping_on_its_stream", 216_500, 217_500, 105)
    kernel(export, "ends_before_it_begins", 219_000, 218_000, 106)
    kernel(export, "without_any_length", 219_500, 219_500, 107)
    for i, kind in enumerate((2, 8, 9, 10, 11, 12, 13, 99)):
        copy(export, 220_000 + 1_000 * i, 220_900 + 1_000 * i, 200 + i, 1000 + i, kind, 0 if kind != 99 else 42, 2)
    for i, kind in enumerate((1, 2, 3, 4, 5, 88)):
        stream = 4294967295 if kind == 4 else 7
        begin = 230_000 + 1_000 * i
        export.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", start=begin, end=begin + 800, deviceId=0, contextId=1,
                   streamId=stream, correlationId=300 + i, globalPid=global_pid(PID), syncType=kind, eventId=i)
    call(export, "cudaGraphLaunch_v10000", 240_000, 244_000, 400)
    export.add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", start=245_000, end=260_000, deviceId=0, contextId=1, streamId=7,
               correlationId=400, globalPid=global_pid(PID), graphId=3, graphExecId=4)
    call(export, "cudaEventRecord_v3020", 261_000, 262_000, 401)
    export.add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", timestamp=263_000, deviceId=0, contextId=1, streamId=7,
               correlationId=401, globalPid=global_pid(PID), eventId=7197, eventSyncId=1)
    export.add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", timestamp=None, deviceId=0, contextId=1, streamId=7,
               correlationId=401, globalPid=global_pid(PID), eventId=7198, eventSyncId=1)
    export.add("CUDA_GRAPH_EVENTS", start=239_000, end=239_500, eventClass=94, globalTid=MAIN,
               nameId=export.string("cudaGraphInstantiate_v12000"), graphId=3, graphExecId=4)
    export.add("CUDA_GRAPH_NODE_EVENTS", start=238_000, end=238_400, eventClass=77, globalTid=MAIN,
               nameId=export.string("cudaGraphAddKernelNode_v10000"), graphNodeId=11)
    for i, (begin, size, kind) in enumerate(((264_000, 4096, 0), (265_000, 8192, 0), (266_000, 4096, 1))):
        export.add("CUDA_GPU_MEMORY_USAGE_EVENTS", start=begin, globalPid=global_pid(PID), deviceId=0, contextId=1,
                   address=0x7F0000000000 + (i % 2) * 65536, pc=0, bytes=size, memKind=2, memoryOperationType=kind,
                   correlationId=None)


def odd_threads(export):
    for table, name, kind in (("CUDNN_EVENTS", "cudnnBackendExecute", 28), ("CUBLAS_EVENTS", "cublasGemmEx", 29)):
        export.add(table, start=270_000, end=272_000, eventClass=kind, globalTid=MAIN, nameId=export.string(name))
    export.add("OSRT_API", start=273_000, end=279_000, eventClass=27, globalTid=MAIN,
               nameId=export.string("pthread_cond_wait"), returnValue=0, nestingLevel=0)
    export.add("OSRT_API", start=274_000, end=275_000, eventClass=27, globalTid=MAIN, nameId=export.string("read"),
               returnValue=-1, nestingLevel=1)
    export.add("CUPTI_ACTIVITY_KIND_OVERHEAD", start=280_000, end=281_000, eventClass=103, globalTid=MAIN,
               correlationId=500, nameId=export.string("Lazy function loading"), overheadType=7)
    export.add("PROFILER_OVERHEAD", start=282_000, end=283_000, globalTid=MAIN, nameId=export.string("CUDA profiling"),
               overheadType=99)
    text = export.string
    export.add("MPI_RANKS", globalTid=MAIN, rank=3)
    export.add("MPI_P2P_EVENTS", start=284_000, end=286_000, globalTid=MAIN, textId=text("MPI_Send"), commHandle=1,
               tag=5, remoteRank=2, size=1024)
    export.add("MPI_P2P_EVENTS", start=286_500, end=None, globalTid=MAIN, textId=text("MPI_Recv"), commHandle=1, tag=5,
               remoteRank=2, size=1024)
    export.add("MPI_COLLECTIVES_EVENTS", start=287_000, end=289_000, globalTid=BACKWARD, textId=text("MPI_Allreduce"),
               commHandle=1, rootRank=None, size=2048, recvSize=2048)
    export.add("MPI_START_WAIT_EVENTS", start=289_500, end=290_000, globalTid=BACKWARD, textId=text("MPI_Wait"),
               requestHandle=7)
    export.add("MPI_OTHER_EVENTS", start=290_500, end=291_000, globalTid=BACKWARD, textId=text("MPI_Init"))
    export.add("UCP_WORKERS", globalTid=MAIN, workerUid=9)
    export.add("UCP_SUBMIT_EVENTS", start=292_000, end=293_000, globalTid=MAIN, textId=text("ucp_tag_send_nbx"),
               packedSize=100, peerWorkerUid=10, tag=1)
    export.add("UCP_PROGRESS_EVENTS", start=293_500, end=294_000, globalTid=MAIN, textId=text("ucp_tag_recv_nbx"),
               packedSize=100, peerWorkerUid=10, tag=1)
    export.add("UCP_EVENTS", start=295_000, end=296_000, globalTid=MAIN, textId=text("ucp_worker_progress"))
    for i, (begin, arrived) in enumerate(((300_000, 1), (305_000, 0), (309_000, 1))):
        export.add("SCHED_EVENTS", start=begin, cpu=2 + i // 2, isSchedIn=arrived, globalTid=MAIN, threadState=1)
    for i in range(3):
        export.add("COMPOSITE_EVENTS", id=i + 1, start=301_000 + 1_000 * i, cpu=2, threadState=1, globalTid=MAIN,
                   cpuCycles=1_000_000)
        export.add("SAMPLING_CALLCHAINS", id=i + 1, symbol=text("PyEval_EvalFrameDefault"), module=text("python3"),
                   originalIP=1234, unwindMethod=0, stackDepth=0)


def odd_counters(export):
    export.add_many("TARGET_INFO_GPU_METRICS", ("typeId", "sourceId", "typeName", "metricId", "metricName"), [
        (281474976710661, 281474976710656, "General Metrics for NVIDIA GH100", 1, "GPC Clock Frequency [MHz]"),
        (281474976710661, 281474976710656, "General Metrics for NVIDIA GH100", 2, "SMs Active [Throughput %]")])
    for i in range(4):
        for metric, value in ((1, 1_980), (2, 25 * i), (3, 7)):  # metric 3 has no name above
            export.add("GPU_METRICS", rawTimestamp=310_000 + 1_000 * i, timestamp=310_000 + 1_000 * i,
                       typeId=281474976710661, metricId=metric, value=value)
    export.add("TARGET_INFO_NIC_INFO", GUID=77, stateName="Local (CLI)", nicId=0, name="mlx5_0", deviceId=4129,
               vendorId=5555, linkLayer=1)
    export.add("NIC_ID_MAP", nicId=0, globalId=12)
    export.add("TARGET_INFO_NETWORK_METRICS", metricsListId=1, metricsIdx=0, name="IB: Bytes sent",
               description="bytes that were sent", unit="bytes/s")
    for i in range(3):
        export.add("NET_NIC_METRIC", start=320_000 + 1_000 * i, end=321_000 + 1_000 * i, globalId=12, portId=1,
                   metricsListId=1, metricsIdx=0, value=500 * i)
    for when, severity, text in ((-5_000, 1, "Profiling has started."), (330_000, 2, "Not all events were collected."),
                                 (331_000, 3, "CUDA profiling might have not been started correctly."),
                                 (332_000, 9, "of a severity of tomorrow")):
        export.add("DIAGNOSTIC_EVENT", timestamp=when, timestampType=1, source=2, severity=severity, text=text,
                   globalPid=global_pid(PID))
    export.add("ProcessStreams", globalPid=global_pid(PID),
               filenameId=export.string("/tmp/streams/pid_4711_stdout.log"),
               contentId=export.string("step 1\nstep 2\n"))


def tables_of_tomorrow(export):
    export.tables["FABRIC_EVENTS"] = "start! end! globalTid linkId! bytes!"
    export.add("FABRIC_EVENTS", start=340_000, end=341_000, globalTid=MAIN, linkId=3, bytes=64)
    export.add("FABRIC_EVENTS", start=342_000, end=343_000, globalTid=MAIN, linkId=4, bytes=64)
    export.tables["SOMETHING_ELSE"] = "key! value:T"
    export.add("SOMETHING_ELSE", key=1, value="no times in it")
    export.tables['users own "table"'] = "a b"
    export.add('users own "table"', a=1)
    export.tables["TARGET_INFO_TOMORROW"] = "id name:T"
    export.add("TARGET_INFO_TOMORROW", id=1, name="x")


def write(path, page_size=512):
    export = Export(path, page_size)
    export.enums()
    about(export)
    export.add("PROCESSES", globalPid=global_pid(OTHER_PID), pid=OTHER_PID, name="python3")
    plain_events(export)
    odd_ranges(export)
    odd_device(export)
    odd_threads(export)
    odd_counters(export)
    tables_of_tomorrow(export)
    export.close()
    return counts_of(path)
