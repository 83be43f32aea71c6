"""Simulates a training run of verl under Ray and writes it as nsys exports, one per process (with --discrete, one per phase and
step). Run.run() returns the facts of the run, to compare with what is read.

Time is simulated once for all ranks, in true UTC nanoseconds: kernels wait for their launch, their stream and, for
collectives, for the last rank of their communicator; the ends of a collective are within 2 microseconds of a common time.
Each export then stores times since its own session start, and an epoch that is wrong by the error of its host's clock.
"""

import os
import random

from nsys_schema import Export, counts_of, global_pid, global_tid, payload

TRUE_BEGIN = 1_780_000_000_000_000_000  # UTC ns
US, MS, S = 1_000, 1_000_000, 1_000_000_000
COMPUTE, TP_STREAM, DP_STREAM, COPY_STREAM = "compute", "tp", "dp", "copy"
NCCL_DOMAIN = 1
INIT_SCHEMA, SIZE_SCHEMA = 16777218, 16777220

ARGB = {"red": 0xFFFF0000, "purple": 0xFF800080, "blue": 0xFF0000FF, "olive": 0xFF808000, "cyan": 0xFF00FFFF,
        "brown": 0xFFA52A2A, "pink": 0xFFFFC0CB, "yellow": 0xFFFFFF00, None: None}

# (phase, role, colour, name in the controller): in the order in which a step runs them.
PHASES = [
    ("generate_sequences", "actor", "red", "gen"),
    ("compute_rm_score", "rm", "yellow", "reward"),
    ("compute_log_prob", "actor", "blue", "old_log_prob"),
    ("compute_ref_log_prob", "actor", "olive", "ref"),
    ("compute_values", "critic", "cyan", "values"),
    (None, None, "brown", "adv"),
    ("update_critic", "critic", "pink", "update_critic"),
    ("update_actor", "actor", "red", "update_actor"),
]

# name of the aten operation, short and full name of the kernel, microseconds
OPERATIONS = [
    ("aten::native_layer_norm", "vectorized_layer_norm_kernel",
     "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)", 18),
    ("aten::linear", "nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_TNT", "nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_TNT", 95),
    ("FlashAttnFunc", "flash_fwd_kernel",
     "void flash::flash_fwd_kernel<flash::Flash_fwd_kernel_traits<128, 128, 64, 4>, false, true>(flash::Params)", 140),
    ("aten::silu", "vectorized_elementwise_kernel",
     "void at::native::vectorized_elementwise_kernel<4, at::native::silu_kernel(at::TensorIteratorBase &)>(int)", 26),
    ("aten::mm", "nvjet_hsh_256x128_64x4_1x2_h_bz_NNT", "nvjet_hsh_256x128_64x4_1x2_h_bz_NNT", 120),
]


class Process:
    """One worker: its clocks while simulating, and the rows of the report that is being written."""

    def __init__(self, role, rank, world, pid, host, gpu, hosts_gpus):
        self.role, self.rank, self.world, self.pid, self.host, self.gpu = role, rank, world, pid, host, gpu
        self.hosts_gpus = hosts_gpus
        self.cpu = TRUE_BEGIN
        self.streams = {}
        self.numbers = {COMPUTE: 7 if rank % 2 == 0 else 15, TP_STREAM: 23, DP_STREAM: 27, COPY_STREAM: 31}
        self.correlation = 1000 * (rank + 1)
        self.operation = 0
        self.rows = []  # (table, values with true times), of the report in the making
        self.reports = 0

    @property
    def main(self):
        return global_tid(self.pid, self.pid)

    @property
    def autograd(self):
        return global_tid(self.pid, self.pid + 17)


class Run:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.truth = []
        self.world()

    # --- the processes and their groups ---

    def world(self):
        o = self.options
        skew = int(o.skew_ms * MS)
        self.clock_error = {}
        self.workers = []
        groups = [("actor", o.ranks)]
        if o.critic or o.ranks > 8:
            groups += [("critic", max(2, o.ranks // 2)), ("rm", 2)]
        pid = 4700
        for role, size in groups:
            per_host = max(1, (size + 1) // 2) if role == "actor" else size
            for rank in range(size):
                pid += self.random.randrange(3, 40)
                host = f"node-{'ab'[rank // per_host]}" if role == "actor" else "node-c"
                gpu = rank % per_host if role != "rm" else rank + o.ranks
                self.workers.append(Process(role, rank, size, pid, host, gpu, per_host))
        self.controller = Process("controller", 0, 1, pid + 411, "node-a", None, 0)
        for host in ("node-a", "node-b", "node-c"):
            self.clock_error[host] = self.random.randrange(-skew, skew + 1) * 95 // 100
        self.groups = {}
        for role, size in groups:
            mates = [w for w in self.workers if w.role == role]
            if role == "actor" and size % 2 == 0 and size > 1:
                self.split(mates, TP_STREAM, size // 2, lambda rank: rank // 2)
                self.split(mates, DP_STREAM, 2, lambda rank: rank % 2)
            else:
                self.split(mates, DP_STREAM, 1, lambda rank: 0)

    def split(self, mates, stream, count, key):
        for group in range(count):
            members = [w for w in mates if key(w.rank) == group]
            if len(members) < 2:
                continue
            communicator = self.random.getrandbits(63)
            for member in members:
                self.groups[member.role, member.rank, stream] = (communicator, members)

    # --- what happens ---

    def nvtx(self, process, start, end, **values):
        process.rows.append(("NVTX_EVENTS", dict(start=start, end=end, eventType=59, globalTid=process.main,
                                                 domainId=0) | values))

    def api(self, process, name, begin, duration, thread=None, correlation=None, returned=0):
        if correlation is None:
            process.correlation += 1
            correlation = process.correlation
        process.rows.append(("CUPTI_ACTIVITY_KIND_RUNTIME", dict(
            start=begin, end=begin + duration, eventClass=0, globalTid=thread or process.main,
            correlationId=correlation, nameId=name, returnValue=returned)))
        return correlation

    def device(self, process, stream, correlation):
        return dict(deviceId=0, contextId=1, streamId=process.numbers[stream], correlationId=correlation,
                    globalPid=global_pid(process.pid))

    def launch(self, process, short, full, duration, thread=None, call="cudaLaunchKernel_v7000"):
        """Launches one kernel on the compute stream at the CPU's present time."""
        r = self.random
        took = r.randrange(3_200, 7_000)
        correlation = self.api(process, call, process.cpu, took, thread)
        begin = max(process.cpu + r.randrange(4_000, 6_000), process.streams.get(COMPUTE, 0) + r.randrange(800, 1_600))
        end = begin + duration
        process.rows.append(("CUPTI_ACTIVITY_KIND_KERNEL", self.kernel(process, COMPUTE, correlation, begin, end, short,
                                                                       full)))
        process.streams[COMPUTE] = end
        process.cpu += took

    def kernel(self, process, stream, correlation, begin, end, short, full):
        grid = (self.random.choice((32, 132, 264)), 1, 1)
        return self.device(process, stream, correlation) | dict(
            start=begin, end=end, demangledName=full, shortName=short, mangledName=short, launchType=1, cacheConfig=0,
            registersPerThread=96, gridX=grid[0], gridY=grid[1], gridZ=grid[2], blockX=256, blockY=1, blockZ=1,
            staticSharedMemory=0, dynamicSharedMemory=49152, localMemoryPerThread=0, localMemoryTotal=250871808,
            gridId=correlation, sharedMemoryExecuted=233472, sharedMemoryLimitConfig=0, clusterX=0, clusterY=0,
            clusterZ=0, clusterSchedulingPolicy=1, maxPotentialClusterSize=0, maxActiveClusters=0,
            tensorSizeMinusOneElements="[]")

    def operation(self, process, which, thread=None):
        name, short, full, micros = which
        begin = process.cpu
        process.cpu += self.random.randrange(1_500, 4_000)
        process.operation += 1
        inner = process.cpu
        if name in ("aten::linear", "aten::mm"):
            call = process.cpu
            process.cpu += 700
            self.launch(process, short, full, self.spread(micros), thread, "cuLaunchKernelEx")
            process.rows.append(("CUBLAS_EVENTS", dict(start=call, end=process.cpu + 400, eventClass=29,
                                                       globalTid=thread or process.main, nameId="cublasGemmEx")))
            process.cpu += 500
        else:
            self.launch(process, short, full, self.spread(micros), thread)
        self.nvtx(process, inner - 200, process.cpu + 100, text=f"{name}_impl",
                  globalTid=thread or process.main)
        process.cpu += 600
        self.nvtx(process, begin, process.cpu, text=f"{name}, op_id = {process.operation}",
                  globalTid=thread or process.main)

    def spread(self, micros):
        return int(micros * US * self.random.uniform(0.9, 1.15) * self.options.scale)

    def collective(self, mates, stream, kind, size, waits_for_compute=True, thread=False):
        """Runs one collective in each communicator that these processes have on this stream."""
        if self.options.no_collectives:
            return
        r = self.random
        done = set()
        for mate in mates:
            group = self.groups.get((mate.role, mate.rank, stream))
            if group is None or group[0] in done:
                continue
            done.add(group[0])
            communicator, members = group
            begins = []
            for p in members:
                tid = p.autograd if thread else p.main
                p.cpu += 1_000
                call, took = p.cpu, r.randrange(5_000, 9_000)
                correlation = self.api(p, "cudaLaunchKernelExC_v11060", call, took, tid)
                self.nvtx(p, call - 900, call + took + 500, textId=f"nccl{kind}", domainId=NCCL_DOMAIN, globalTid=tid,
                          binaryData=payload(NCCL_DOMAIN, SIZE_SCHEMA,
                                             communicator.to_bytes(8, "little") + size.to_bytes(8, "little")))
                p.cpu += took + 1_000
                ready = max(call + 5_000, p.streams.get(stream, 0) + 1_000)
                if waits_for_compute:
                    ready = max(ready, p.streams.get(COMPUTE, 0) + 1_500)
                begins.append((p, correlation, ready + r.randrange(0, 60_000)))
            transfer = 20 * US + int(size / 300 * r.uniform(1.0, 1.1))  # 300 GB/s
            last = max(begin for _, _, begin in begins) + transfer
            short = f"ncclDevKernel_{kind}_Sum_bf16_RING_LL" if "Reduce" in kind else f"ncclDevKernel_{kind}_RING_LL"
            for p, correlation, begin in begins:
                end = last + r.randrange(-2_000, 2_001)
                full = f"{short}(ncclDevKernelArgsStorage<4096>)"
                p.rows.append(("CUPTI_ACTIVITY_KIND_KERNEL", self.kernel(p, stream, correlation, begin, end, short,
                                                                         full)))
                p.streams[stream] = end
                if waits_for_compute:
                    p.streams[COMPUTE] = max(p.streams.get(COMPUTE, 0), end)

    def copy(self, process, kind, size, source, target):
        correlation = self.api(process, "cudaMemcpyAsync_v3020", process.cpu, 6_000)
        begin = max(process.cpu + 3_000, process.streams.get(COPY_STREAM, 0) + 500)
        end = begin + 2_000 + size // 25
        process.rows.append(("CUPTI_ACTIVITY_KIND_MEMCPY", self.device(process, COPY_STREAM, correlation) | dict(
            start=begin, end=end, bytes=size, copyKind=kind, srcKind=source, dstKind=target, copyCount=1)))
        process.streams[COPY_STREAM] = end
        process.cpu += 7_000

    def memset(self, process, size):
        correlation = self.api(process, "cudaMemsetAsync_v3020", process.cpu, 4_000)
        begin = max(process.cpu + 3_000, process.streams.get(COMPUTE, 0) + 900)
        process.rows.append(("CUPTI_ACTIVITY_KIND_MEMSET", self.device(process, COMPUTE, correlation) | dict(
            start=begin, end=begin + 1_500, value=0, bytes=size, memKind=2)))
        process.streams[COMPUTE] = begin + 1_500
        process.cpu += 5_000

    def synchronise(self, process):
        begin = process.cpu
        end = max(begin + 4_000, max(process.streams.values()) + 3_000)
        correlation = self.api(process, "cudaStreamSynchronize_v3020", begin, end - begin)
        process.rows.append(("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", self.device(process, COMPUTE, correlation) | dict(
            start=begin + 500, end=end - 500, syncType=3, eventId=0, eventSyncId=0)))
        process.cpu = end + 2_000

    def wait_event(self, process):
        correlation = self.api(process, "cudaStreamWaitEvent_v3020", process.cpu, 1_200)
        process.rows.append(("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", self.device(process, COMPUTE, correlation) | dict(
            start=process.cpu + 300, end=process.cpu + 900, syncType=2, eventId=7197, eventSyncId=correlation)))
        process.streams[COMPUTE] = max(process.streams.get(COMPUTE, 0), process.streams.get(DP_STREAM, 0) + 1_000)
        process.cpu += 1_500

    def allocate(self, process, size, number):
        process.rows.append(("CUDA_GPU_MEMORY_USAGE_EVENTS", dict(
            start=process.cpu, globalPid=global_pid(process.pid), deviceId=0, contextId=1, address=0x7f0000000000 +
            number * 0x10000000, pc=0, bytes=size, memKind=2, memoryOperationType=0)))

    def forward(self, mates, layers, label):
        for layer in range(layers):
            begins = {}
            for p in mates:
                begins[p.pid] = p.cpu
                p.cpu += 1_000
                for which in OPERATIONS:
                    self.operation(p, which)
            self.collective(mates, TP_STREAM, "AllReduce", 16 << 20)
            for p in mates:
                p.cpu += 800
                self.nvtx(p, begins[p.pid], p.cpu, text=f"{label}.layers.{layer}")

    def backward(self, mates, layers):
        for _ in range(layers):
            for p in mates:
                for which in reversed(OPERATIONS):
                    self.operation(p, which, p.autograd)
            self.collective(mates, TP_STREAM, "AllReduce", 16 << 20, thread=True)
            self.collective(mates, DP_STREAM, "ReduceScatter", 64 << 20, waits_for_compute=False, thread=True)

    def phase(self, name, mates, begin):
        o = self.options
        for p in mates:
            p.cpu = max(p.cpu, begin + self.random.randrange(0, 300_000))
        begins = {p.pid: p.cpu for p in mates}
        for p in mates:
            p.cpu += 5_000
            self.copy(p, 1, 1 << 20, 1, 2)
            self.memset(p, 4096)
        if name == "generate_sequences":
            self.forward(mates, o.layers, "prefill")
            for token in range(o.tokens):
                for p in mates:
                    self.operation(p, OPERATIONS[token % len(OPERATIONS)])
                self.collective(mates, TP_STREAM, "AllReduce", 256 << 10)
        elif name.startswith("update"):
            for batch in range(2):
                self.forward(mates, o.layers, f"micro_batch_{batch}")
                self.backward(mates, o.layers)
            for number, p in enumerate(mates):
                self.allocate(p, 1 << 28, number)
                self.wait_event(p)
                self.operation(p, ("Optimizer.step#AdamW.step", "multi_tensor_apply_kernel",
                                   "void at::native::multi_tensor_apply_kernel<FusedAdam>(int)", 400))
            self.collective(mates, DP_STREAM, "AllGather", 64 << 20)
        else:
            self.forward(mates, o.layers, "forward")
        for p in mates:
            self.copy(p, 2, 1 << 16, 2, 0)
            self.synchronise(p)
            self.range(p, name, begins[p.pid], p.cpu, next(c for n, _, c, _ in PHASES if n == name))
        return max(p.cpu for p in mates)

    def range(self, process, name, start, end, colour):
        argb = ARGB[colour]
        self.nvtx(process, start, end, eventType=60, rangeId=len(process.rows) + 1, text=name,
                  color=None if argb is None else argb - (1 << 32))

    def start_processes(self):
        """Starts the processes and creates their communicators, which only the first report of each process holds."""
        for p in self.workers:
            p.begin = TRUE_BEGIN + self.random.randrange(0, max(1, int(self.options.offset_s * S)))
        now = TRUE_BEGIN + int(self.options.offset_s * S) + 2 * S
        for p in self.workers:
            p.cpu = now
            if self.options.no_collectives:
                continue
            self.nvtx(p, now - 200 * MS, None, eventType=75, text="NCCL", domainId=NCCL_DOMAIN)
            world = int.from_bytes(p.role.encode(), "little")
            for communicator, rank, size in [(world, p.rank, p.world)] + [
                    (g[0], g[1].index(p), len(g[1])) for k, g in self.groups.items() if k[:2] == (p.role, p.rank)]:
                if p.role == "actor" and p.rank == 6 and communicator == world:
                    continue  # the report of this rank states it by a thread name instead
                data = communicator.to_bytes(8, "little") + b"".join(
                    n.to_bytes(4, "little") for n in (size, rank, 0, 0))
                self.nvtx(p, p.cpu, p.cpu + 3 * MS, textId="ncclCommInitRankConfig", domainId=NCCL_DOMAIN,
                          binaryData=payload(NCCL_DOMAIN, INIT_SCHEMA, data))
                p.cpu += 4 * MS
        return now + 50 * MS

    def run(self):
        o, controller = self.options, self.controller
        controller.begin = TRUE_BEGIN
        now = self.start_processes()
        self.step_seconds = []
        for step in range(1, o.steps + 1):
            step_begin = now
            for name, role, colour, timer in PHASES:
                mates = [w for w in self.workers if w.role == role]
                if name is not None and not mates:
                    continue
                begin = now
                # The time that the controller computes alone differs between neighbouring steps.
                alone = 4 * MS + step * 2 % 3 * 24 * MS
                now = begin + alone if name is None else self.phase(name, mates, begin + 500 * US) + 500 * US
                self.range(controller, timer, begin, now, colour)
                now += 200 * US
                if o.discrete and mates:
                    for p in mates:
                        self.report(p, step, [name])
            self.range(controller, "step", step_begin, now, None)
            self.step_seconds.append((now - step_begin) / S)
            now += 3 * MS
        for p in self.workers + [controller]:
            if p.rows:
                ran = [n for n, role, _, _ in PHASES if role == p.role]
                self.report(p, None, ran)
        self.console_log()
        return {"true_begin_ns": TRUE_BEGIN, "seed": o.seed, "ranks": o.ranks, "steps": o.steps,
                "collectives": not o.no_collectives, "discrete": o.discrete, "files": self.truth}

    # --- writing the reports ---

    def environment(self, p):
        """Returns how the report states its rank (None if it does not), and the environment variables that it captures."""
        if p.role == "controller":
            return None, {}
        variables = {"WORLD_SIZE": p.world, "RANK": p.rank, "RAY_LOCAL_RANK": p.rank % p.hosts_gpus,
                     "WG_PREFIX": f"{p.role}wg", "CUDA_VISIBLE_DEVICES": p.gpu}
        if p.role == "actor" and p.rank == 5:
            evidence = "NCCL communicator" if p.reports == 1 else "another report"
            return None if self.options.no_collectives else evidence, {"CUDA_VISIBLE_DEVICES": p.gpu}
        if p.role == "actor" and p.rank == 6:
            return "NVTX thread name", {"CUDA_VISIBLE_DEVICES": p.gpu}
        return "captured environment", variables

    def report(self, p, step, phases):
        o = self.options
        p.reports += 1
        name = f"worker_process_{p.pid}" + (f".{p.reports}" if o.discrete and p.role != "controller" else "")
        path = os.path.join(o.out, name + ".sqlite")
        first = p.reports == 1
        begin = p.begin if first else min(v["start"] for _, v in p.rows) - self.random.randrange(1 * MS, 5 * MS)
        error = self.clock_error[p.host] + self.random.randrange(-int(o.skew_ms * MS), int(o.skew_ms * MS) + 1) // 20
        export = Export(path)
        evidence, variables = self.environment(p)
        if evidence == "NVTX thread name":
            self.nvtx(p, begin + 1 * MS, None, eventType=39, text=f"MPI Rank {p.rank}")
        for table, values in sorted(p.rows, key=lambda row: row[1]["start"]):
            row = dict(values)
            row["start"] -= begin
            if row.get("end") is not None:
                row["end"] -= begin
            for key in ("nameId", "textId", "demangledName", "shortName", "mangledName"):
                if isinstance(row.get(key), str):
                    row[key] = export.string(row[key])
            export.add(table, **row)
        self.describe(export, p, name, begin, begin + error, variables)
        export.close()
        self.truth.append({
            "file": name + ".sqlite", "host": p.host, "pid": p.pid, "role": p.role, "step": step,
            "rank": None if p.role == "controller" else p.rank, "rank_evidence": evidence, "gpu": p.gpu,
            "phases": phases, "clock_error_ns": error, "true_session_begin_ns": begin,
            "first_event_true_ns": min(v["start"] for _, v in p.rows),
            "compute_stream": p.numbers[COMPUTE], **counts_of(path)})
        p.rows = []

    def describe(self, export, p, name, begin, epoch, variables):
        vm = global_pid(0)
        duration = max((v["end"] or v["start"]) if "end" in v else v["start"] for _, v in p.rows) - begin + 5 * MS
        uptime = 35_000 * S + begin - TRUE_BEGIN
        export.add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=epoch, utcTime="2026-05-28T20:26:40",
                   localTime="2026-05-28T20:26:40", systemClockNs=uptime)
        export.add("ANALYSIS_DETAILS", globalVid=vm, duration=duration, startTime=uptime, stopTime=uptime + duration)
        export.add("TARGET_INFO_SYSTEM_ENV", globalVid=vm, devStateName="Local (CLI)", name="Hostname", nameEnum=619,
                   value=p.host)
        capture = [("DEVICE_ID", "Local (CLI)"), ("CAPTURE_EVENT_TYPE", "NvtxEvents"), ("CAPTURE_EVENT_TYPE", "Cuda"),
                   ("DEVICE_DISPLAY_NAME", p.host), ("CUDA_GRAPH_TRACE_OPTIONS:MODE", "Graph"),
                   ("PROCESS_0:COMMAND", "/usr/bin/python3"), ("PROCESS_0:ARGUMENT_0", "-u"),
                   ("PROCESS_0:ARGUMENT_1", "ray/_private/workers/default_worker.py"), ("PROCESS_0:PID", "0")]
        capture += [("PROCESS_0:ENVIRONMENT_VARIABLE", f'{key}="{value}"') for key, value in
                    [("PATH", "/usr/bin:/bin"), *variables.items()]]
        export.add_many("META_DATA_CAPTURE", ("name", "value"), capture)
        export.add_many("META_DATA_EXPORT", ("name", "value"), [
            ("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", "2026.2.1.210"),
            ("EXPORT_SCHEMA_VERSION", "3.25.0"), ("EXPORT_SCHEMA_VERSION_MAJOR", "3"),
            ("EXPORT_SCHEMA_VERSION_MINOR", "25"), ("EXPORT_PARAM_INPUT_FILE", name + ".nsys-rep"),
            ("EXPORT_PARAM_LAZY", "true"), ("EXPORT_PARAM_INCLUDE_BLOBS", "true"),
            ("EXPORT_PARAM_TIME_NORMALIZE", "false"), ("EXPORT_PARAM_TIME_SHIFT", "0")])
        last = next((v["text"] for t, v in reversed(p.rows) if v.get("eventType") == 60), "init")
        title = {"actor": f"ray::WorkerDict.actor_rollout_{last}", "critic": f"ray::WorkerDict.critic_{last}",
                 "rm": f"ray::WorkerDict.rm_{last}", "controller": "ray::TaskRunner.run"}[p.role]
        export.add_many("PROCESSES", ("globalPid", "pid", "name"), [
            (global_pid(p.pid), p.pid, title), (global_pid(1), 1, "systemd"), (global_pid(812), 812, "raylet")])
        threads = [(title[:15], 20, p.main), ("worker.main", 10, p.main), ("python3", 0, p.main),
                   ("pt_autograd_0", 20, p.autograd), ("[NSys]", 10, global_tid(p.pid, p.pid + 30)),
                   ("CUPTI worker thread", 10, global_tid(p.pid, p.pid + 31)), ("raylet", 20, global_tid(812, 812))]
        export.add_many("ThreadNames", ("nameId", "priority", "globalTid"),
                        [(export.string(text), priority, tid) for text, priority, tid in threads])
        export.enums()
        if p.gpu is None:
            return
        uuid = "{:08x}-0000-0000-0000-{:012x}"
        export.add_many("TARGET_INFO_GPU", ("vmId", "id", "name", "busLocation", "isDiscrete", "totalMemory", "smCount",
                                            "uuid", "chipName", "cuDevice"),
                        [(vm, g, "NVIDIA H100 80GB HBM3", f"0000:{0x10 + g:02x}:00.0", 1, 85_017_493_504, 132,
                          uuid.format(ord(p.host[-1]), g), "GH100", g) for g in range(max(p.hosts_gpus, p.gpu + 1))])
        export.add("TARGET_INFO_CUDA_DEVICE", gpuId=p.gpu, cudaId=0, pid=p.pid,
                   uuid=uuid.format(ord(p.host[-1]), p.gpu), numMultiprocessors=132)
        export.add("TARGET_INFO_CUDA_CONTEXT_INFO", nullStreamId=p.numbers[COMPUTE], hwId=0, vmId=1, processId=p.pid,
                   deviceId=0, contextId=1, parentContextId=0, isGreenContext=0, numMultiprocessors=132)
        export.add_many("TARGET_INFO_CUDA_STREAM", ("streamId", "hwId", "vmId", "processId", "contextId", "priority",
                                                    "flag"),
                        [(n, 0, 1, p.pid, 1, 4294967291 if s == TP_STREAM else 0, 3 if s == COMPUTE else 2)
                         for s, n in p.numbers.items()])
        if not self.options.no_collectives:
            nccl_schemas(export)

    def console_log(self):
        """Writes the console log: the pid and address of each worker, as Ray prints them, and verl's line for each step."""
        address = {"node-a": "10.0.0.1", "node-b": "10.0.0.2", "node-c": "10.0.0.3"}
        with open(os.path.join(self.options.out, "console.log"), "w", encoding="utf-8") as log:
            for p in self.workers:
                where = f"(WorkerDict pid={p.pid}, ip={address[p.host]})"
                log.write(f"{where} Before building {p.role} model, rank {p.rank}\n")
            for step in range(1, self.options.steps + 1):
                log.write(f"(TaskRunner pid={self.controller.pid}) step:{step} - timing_s/step:{self.step_seconds[step - 1]:.4f} - "
                          f"actor/lr:1e-06\n")


def nccl_schemas(export):
    export.add_many("NVTX_PAYLOAD_SCHEMAS", ("domainId", "schemaId", "type", "numEntries", "payloadSize"),
                    [(NCCL_DOMAIN, INIT_SCHEMA, 1, 4, 24), (NCCL_DOMAIN, SIZE_SCHEMA, 1, 2, 16)])
    export.add_many("NVTX_PAYLOAD_SCHEMA_ENTRIES", ("domainId", "schemaId", "idx", "type", "name", "offset"), [
        (NCCL_DOMAIN, INIT_SCHEMA, 0, 18, "NCCL communicator ID", None),
        (NCCL_DOMAIN, INIT_SCHEMA, 1, 5, "No. of ranks", 8),
        (NCCL_DOMAIN, INIT_SCHEMA, 2, 5, "Rank", 12),
        (NCCL_DOMAIN, INIT_SCHEMA, 3, 5, "CUDA device", 16),
        (NCCL_DOMAIN, SIZE_SCHEMA, 0, 18, "NCCL communicator ID", None),
        (NCCL_DOMAIN, SIZE_SCHEMA, 1, 22, "Message size [bytes]", 8)])
