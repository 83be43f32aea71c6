#!/usr/bin/env python3
"""Writes the sample RL run that lies beside this file (rl_run/): the same bytes every time.

    python3 assets/samples/generate.py [--out DIR]    write the files (default: rl_run/ beside this script)
    python3 assets/samples/generate.py --truth        read them back, check them, print the ground truth
    python3 assets/samples/generate.py --check        fail if a file differs from what would be written

The run is simulated on a virtual clock, in integer nanoseconds since the epoch; nothing here measures anything.
The rollout lines have the form of verl's multi-turn writer, the profile that of kineto in 2025, the console log that
of verl's trainer under Ray. Random numbers come from one generator with a fixed seed and are only ever added and
multiplied, so the result does not depend on the machine's math library.
"""

import argparse
import contextlib
import datetime
import gzip
import io
import json
import os
import random
import re
import uuid

US = 1_000
MS = 1_000_000
SECOND = 1_000_000_000
EPOCH = datetime.datetime(1970, 1, 1)
RUN_START = datetime.datetime(2026, 3, 2, 10, 0, 0)

SEED = 20260302
STEPS = 4
WORKERS = 4
REQUESTS_PER_WORKER = 10
SLOW_STEP, SLOW_WORKER, SLOW_REQUEST = 3, 2, 6
TOOL_TIMEOUT_NS = 20 * SECOND
WORKER_PIDS = (41207, 41208, 41209, 41210)
TRAINER_PID = 40211


def ns_of(moment):
    return int((moment - EPOCH).total_seconds()) * SECOND


def seconds(begin_ns, end_ns):
    """A difference of two time.time() values, with the 2.4e-7 s grain that doubles have at this epoch."""
    return end_ns / 1e9 - begin_ns / 1e9


class Chance:
    """The one source of randomness."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def ns(self, low, high):
        return low + int(self.rng.random() * (high - low))

    def number(self, low, high):
        return low + self.rng.random() * (high - low)

    def whole(self, low, high):
        return low + int(self.rng.random() * (high - low + 1))

    def happens(self, probability):
        return self.rng.random() < probability

    def uuid4(self):
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))


# --------------------------------------------------------------------------------------------------------------
# Rollout: step_S/worker_R.jsonl


class WorkerLog:
    """The lines of one worker in one step. A line is stamped a few microseconds after its event ended."""

    def __init__(self, chance, worker, step):
        self.chance = chance
        self.worker = worker
        self.step = step
        self.lines = []

    def write(self, event, now_ns, begin_ns=None, extra=None, late_ns=0):
        """Logs an event that ended at `now_ns` and returns the time after writing. No begin: an instant."""
        stamp_ns = now_ns + late_ns + self.chance.ns(2 * US, 7 * US)
        moment = EPOCH + datetime.timedelta(microseconds=stamp_ns // US)
        record = {"timestamp": moment.isoformat(), "event": event}
        if begin_ns is not None:
            record["duration_sec"] = seconds(begin_ns, now_ns)
        if extra is not None:
            record["extra"] = extra
        record["workid"] = self.worker
        record["step"] = self.step
        self.lines.append((stamp_ns, len(self.lines), json.dumps(record)))
        return stamp_ns + self.chance.ns(1 * US, 3 * US)

    def text(self):
        return "".join(line + "\n" for _, _, line in sorted(self.lines))


class Request:
    """One sample of one prompt: its plan, then its life from request_start to async_rollout_request_complete."""

    def __init__(self, chance, log, batch_data_id, plan):
        self.chance = chance
        self.log = log
        self.batch_data_id = batch_data_id
        self.plan = plan
        self.id = chance.uuid4()
        self.prompt_length = chance.whole(310, 480)
        self.length = self.prompt_length
        self.model_tokens = 0
        self.timings = []
        self.begin_ns = self.end_ns = 0

    def extra(self, **members):
        return {"request_id": self.id, **members}

    def start(self, now):
        """The synchronous beginning: all requests of a worker log request_start before any of them awaits."""
        self.begin_ns = now
        now += self.chance.ns(200 * US, 500 * US)
        return self.log.write("request_start", now, extra=self.extra(initial_prompt_length=self.prompt_length))

    def live(self, now, all_started_ns):
        main_loop = now
        now = self.pending(now, all_started_ns)
        turns = self.plan["turns"]
        user_turns = 0
        for turn, wanted in enumerate(turns):
            now = self.turn(now, turn, wanted)
            if wanted["tool_ns"]:
                now = self.tool(now, turn + 1, wanted["tool_ns"])
            elif self.plan["interaction"]:
                user_turns += 1
                goes_on = turn + 1 < len(turns)
                now = self.interaction(now, goes_on, user_turn=user_turns, assistant_turn=turn + 1)
        now = self.log.write("main_loop", now, main_loop, self.extra())
        now = self.timed("reward_calculation", now, self.chance.ns(600 * US, 1600 * US))
        now = self.timed("finalization", now, self.chance.ns(1500 * US, 4500 * US))
        self.end_ns = now
        self.log.write("async_rollout_request_complete", now, self.begin_ns, self.summary(user_turns))

    def timed(self, event, begin_ns, dur_ns, **members):
        return self.log.write(event, begin_ns + dur_ns, begin_ns, self.extra(**members))

    def pending(self, now, all_started_ns):
        """The first await: it returns only after every other request of the worker has started."""
        begin = now
        now = max(now + self.chance.ns(900 * US, 11 * MS), all_started_ns + self.chance.ns(40 * US, 900 * US))
        now = self.log.write("tool_creation_pending_state", now, begin, self.extra())
        if self.plan["interaction"]:
            now = self.timed("interaction_start_pending_state", now, self.chance.ns(100 * US, 9 * MS))
        return self.log.write("pending_state_handling", now, begin, self.extra())

    def turn(self, now, turn, wanted):
        """Tokenising for turn_start and turn_pre_process happens before the stamp, outside the timers."""
        log, chance = self.log, self.chance
        has_tool = bool(wanted["tool_ns"])
        reason = "FinishReasonTypeEnum." + ("TOOL_CALL" if has_tool else wanted["finish"])
        begin = now
        late = chance.ns(150 * US, 500 * US)
        now = log.write("turn_start", now, None, self.extra(turn=turn, current_sequence_length=self.length), late)
        pre_begin, pre_ns = now, chance.ns(180 * US, 600 * US)
        late = chance.ns(150 * US, 400 * US)
        extra = self.extra(turn=turn, generation_prompt_length=self.length)
        now = log.write("turn_pre_process", now + pre_ns, pre_begin, extra, late)
        engine_begin = now
        now += chance.ns(150 * US, 500 * US)
        now = self.timed("engine_generate_setup", now, chance.ns(3 * US, 9 * US))
        now = self.timed("engine_async_generate_actual", now, wanted["engine_ns"])
        engine_end = now
        text_length = wanted["tokens"] * 4 + chance.whole(-30, 30)
        extra = self.extra(turn=turn, generated_tokens=wanted["tokens"], output_text_length=text_length)
        now = log.write("turn_engine_call", now, engine_begin, extra)
        post_begin = now
        parsing = 0
        if has_tool:
            parse_ns = chance.ns(100 * US, 220 * US)
            parsing = seconds(now, now + parse_ns)
            now = self.timed("turn_tool_parsing", now, parse_ns, turn=turn, raw_tool_calls=1, parsed_tool_calls=1)
        now += chance.ns(1100 * US, 2300 * US)
        post_end = now
        outcome = {"has_tool_calls": has_tool, "finish_reason": reason}
        post = self.extra(turn=turn, has_tool_calls=has_tool, parsed_tool_calls=int(has_tool), finish_reason=reason)
        now = log.write("turn_post_process", now, post_begin, post | {"tool_parsing_duration": parsing})
        parts = {
            "pre_process_duration": seconds(pre_begin, pre_begin + pre_ns),
            "engine_call_duration": seconds(engine_begin, engine_end),
            "post_process_duration": seconds(post_begin, post_end),
            "tool_parsing_duration": parsing,
        }
        total = seconds(begin, now)
        percents = {
            "engine_call_pct": round(parts["engine_call_duration"] / total * 100, 2),
            "post_process_pct": round(parts["post_process_duration"] / total * 100, 2),
        }
        self.timings.append({"turn": turn, "total_duration": total, **parts, **outcome})
        self.length += wanted["tokens"]
        self.model_tokens += wanted["tokens"]
        return log.write("turn_end", now, begin, self.extra(turn=turn, **parts, **outcome, **percents))

    def tool(self, now, turn, tool_ns):
        """Logged with the turn counter after its increment: the tool that follows turn k says k + 1."""
        begin = now
        now = self.timed("tool_execution", now, tool_ns, turn=turn)
        now = self.timed("tool_response_processing", now, self.chance.ns(900 * US, 2300 * US), turn=turn)
        self.length += self.chance.whole(30, 60)
        return self.log.write("tool_calling_state", now, begin, self.extra(turn=turn))

    def interaction(self, now, goes_on, **members):
        """The answer that ends the interaction stands alone: the writer returns before logging the state."""
        begin = now
        now = self.timed("interaction_response", now, self.chance.ns(4 * MS, 20 * MS), **members)
        if not goes_on:
            return now
        now += self.chance.ns(1 * MS, 3 * MS)
        self.length += self.chance.whole(20, 45)
        return self.log.write("interacting_state", now, begin, self.extra(**members))

    def response_length(self):
        return self.length - self.prompt_length

    def summary(self, user_turns):
        count = len(self.timings)
        engine = sum(t["engine_call_duration"] for t in self.timings)
        post = sum(t["post_process_duration"] for t in self.timings)
        total = seconds(self.begin_ns, self.end_ns)
        return self.extra(
            batch_data_id=self.batch_data_id,
            finish_reason=self.timings[-1]["finish_reason"],
            turns=count,
            user_turns=user_turns,
            turns_with_tools=sum(t["has_tool_calls"] for t in self.timings),
            response_length=self.response_length(),
            actual_response_tokens=self.model_tokens,
            total_sequence_length=self.length,
            avg_turn_duration=round(sum(t["total_duration"] for t in self.timings) / count, 4),
            avg_engine_call_duration=round(engine / count, 4),
            avg_post_process_duration=round(post / count, 4),
            total_engine_time=round(engine, 4),
            total_post_process_time=round(post, 4),
            engine_time_pct=round(engine / total * 100, 2),
            post_process_time_pct=round(post / total * 100, 2),
            turn_timings=self.timings,
        )


def engine_ns(chance, tokens):
    """First token after 25-60 ms, then 115-135 tokens per second."""
    return chance.ns(25 * MS, 60 * MS) + int(tokens * SECOND / chance.number(115.0, 135.0))


def plan_request(chance, longest):
    """Usually one or two turns of 60-300 tokens; the longest of a worker fills its `async_generate`."""
    turn_count = 3 if longest else 1 + int(chance.happens(0.45)) + int(chance.happens(0.2))
    interaction = chance.happens(0.25)
    turns = []
    for turn in range(turn_count):
        tokens = chance.whole(255, 305) if longest else chance.whole(60, 290)
        last = turn + 1 == turn_count
        uses_tool = not last and not interaction
        finish = "LENGTH" if last and not longest and chance.happens(0.06) else "STOP"
        turns.append(
            {
                "tokens": tokens,
                "engine_ns": engine_ns(chance, tokens),
                "tool_ns": chance.ns(6 * MS, 90 * MS) if uses_tool else 0,
                "finish": finish,
            }
        )
    return {"turns": turns, "interaction": interaction}


def plan_slow_request(chance):
    """The story of step 3: the tool hangs until its 20 s timeout, then the last generation rambles on."""
    first, last = 236, 1187
    hang = TOOL_TIMEOUT_NS + chance.ns(20 * MS, 40 * MS)
    return {
        "turns": [
            {"tokens": first, "engine_ns": engine_ns(chance, first), "tool_ns": hang, "finish": "STOP"},
            {"tokens": last, "engine_ns": engine_ns(chance, last), "tool_ns": 0, "finish": "STOP"},
        ],
        "interaction": False,
    }


def percentile(values, p):
    """numpy's linear interpolation, as the writer uses it."""
    values = sorted(values)
    place = (len(values) - 1) * p / 100
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


class WorkerStep:
    """One worker in one step: everything up to the barrier, then, when all are there, the rest."""

    def __init__(self, chance, worker, step, start_ns):
        self.chance = chance
        self.log = WorkerLog(chance, worker, step)
        self.start_ns = start_ns
        self.requests = []
        self.end_ns = 0
        now = start_ns + chance.ns(880 * MS, 1080 * MS)
        now = self.log.write("preprocessing_duration", now, start_ns)
        generate_begin = now
        slow = plan_slow_request(chance) if (step, worker) == (SLOW_STEP, SLOW_WORKER) else None
        for index in range(REQUESTS_PER_WORKER):
            plan = slow if slow and index == SLOW_REQUEST else plan_request(chance, longest=index == 3)
            request = Request(chance, self.log, index, plan)
            now = request.start(now)
            self.requests.append((request, now))
        for request, awake in self.requests:
            request.live(awake, now)
        now = max(request.end_ns for request, _ in self.requests) + chance.ns(20 * US, 60 * US)
        now = self.log.write("async_generate_duration", now, generate_begin)
        now = self.log.write("sorting_duration", now + chance.ns(4 * US, 9 * US), now)
        self.at_barrier_ns = now

    def finish(self, barrier_open_ns):
        log, chance = self.log, self.chance
        now = log.write("barrier_wait_duration", barrier_open_ns + chance.ns(200 * US, 500 * US), self.at_barrier_ns)
        for event, low, high in (
            ("broadcast_duration", 100 * MS, 122 * MS),
            ("data_extraction_duration", 4 * US, 9 * US),
            ("padding_duration", 8 * MS, 12 * MS),
            ("concatenation_duration", 60 * US, 90 * US),
            ("batch_construction_duration", 70 * US, 100 * US),
            ("cache_flush_duration", 30 * MS, 38 * MS),
            ("final_construction_duration", 4 * US, 9 * US),
        ):
            now = log.write(event, now + chance.ns(low, high), now)
        now = log.write("step_response_length_stats", now, extra=self.length_stats())
        self.end_ns = now
        log.write("total_step_duration", now, self.start_ns)

    def length_stats(self):
        lengths = [request.response_length() for request, _ in self.requests]
        return {
            "response_lengths": lengths,
            "actual_response_tokens": [request.model_tokens for request, _ in self.requests],
            "response_length_mean": sum(lengths) / len(lengths),
            "response_length_median": percentile(lengths, 50),
            "response_length_p80": percentile(lengths, 80),
            "response_length_p95": percentile(lengths, 95),
            "response_length_max": max(lengths),
            "response_length_min": min(lengths),
            "requests_over_500": sum(n > 500 for n in lengths),
            "requests_over_1000": sum(n > 1000 for n in lengths),
            "batch_size": len(lengths),
        }


def simulate_rollout(chance, step, start_ns):
    workers = [WorkerStep(chance, w, step, start_ns + chance.ns(1 * MS, 6 * MS)) for w in range(WORKERS)]
    barrier_open_ns = max(worker.at_barrier_ns for worker in workers)
    for worker in workers:
        worker.finish(barrier_open_ns)
    return workers


# --------------------------------------------------------------------------------------------------------------
# Profile: kineto's JSON of one actor update

BASE_NS = 1767189312 * SECOND  # kineto counts from the last multiple of three months
LAYERS = 4
MICRO_BATCHES = 4
TOKENS = 32768
HIDDEN, FFN, VOCABULARY = 3584, 18944, 152064
COMPUTE_STREAM, COMM_STREAM = 7, 24
MAIN_THREAD = WORKER_PIDS[0]
AUTOGRAD_THREAD = 41644
GPU_COUNT_DECLARED = 16

GEMM = "nvjet_tst_256x128_64x4_2x1_v_bz_coopA_TNT"
GEMM_BACKWARD = "nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT"
ELEMENTWISE = "void at::native::vectorized_elementwise_kernel<4, at::native::{}, std::array<char*, 3ul> >(int, {})"
RMS_NORM = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, true>"
FLASH_FORWARD = "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t>>"
FLASH_BACKWARD = "void flash::flash_bwd_dq_dk_dv_loop_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8>>"
ALL_GATHER = "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
REDUCE_SCATTER = "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
ADAMW = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>>"


def elementwise(functor):
    return ELEMENTWISE.format(functor, functor)


class Gpu:
    """Streams that run one kernel at a time, in launch order, not before what they wait for."""

    def __init__(self):
        self.free_ns = {COMPUTE_STREAM: 0, COMM_STREAM: 0}

    def run(self, stream, launch_ns, dur_ns, after_ns=0):
        begin = max(launch_ns, self.free_ns[stream] + 900, after_ns)
        self.free_ns[stream] = begin + dur_ns
        return begin


class Profile:
    """Collects events in kineto's order (CPU, then GPU and runtime, then annotations and names) and writes them."""

    def __init__(self, chance, start_ns):
        self.chance = chance
        self.start_ns = start_ns
        self.gpu = Gpu()
        self.cpu_events = []
        self.device_events = []
        self.annotations = []
        self.next_event = 0
        self.next_external = 1
        self.next_correlation = 8101
        self.next_python = 1
        self.next_sequence = 501
        self.launched = []  # (begin, end, stream) of everything that ran on the device
        self.allocated = 41_231_908_864
        self.collectives = 0

    def ts(self, ns):
        relative = ns - BASE_NS
        return f"{relative // US}.{relative % US:03d}"

    def complete(self, cat, name, pid, tid, begin_ns, end_ns, args):
        dur = end_ns - begin_ns
        return (
            f'    "ph": "X", "cat": "{cat}", "name": {json.dumps(name)}, "pid": {pid}, "tid": {tid},\n'
            f'    "ts": {self.ts(begin_ns)}, "dur": {dur // US}.{dur % US:03d},\n'
            f'    "args": {{\n      {members(args)}\n    }}'
        )

    def covered(self, launched):
        """Begin and end of what ran on the compute stream since `launched` launches."""
        ran = [(begin, end) for begin, end, stream in self.launched[launched:] if stream == COMPUTE_STREAM]
        return min(begin for begin, _ in ran), max(end for _, end in ran)

    def flow(self, phase, flow_id, pid, tid, ns, cat):
        bind = ', "bp": "e"' if phase == "f" else ""
        return (
            f'    "ph": "{phase}", "id": {flow_id}, "pid": {pid}, "tid": {tid}, "ts": {self.ts(ns)},\n'
            f'    "cat": "{cat}", "name": "{cat}"{bind}'
        )

    def annotate(self, name, stream, begin_ns, end_ns, external):
        """kineto writes an annotation of the device 1 ns wider than what it covers, on the lane of the kernels."""
        args = {"External id": external}
        event = self.complete("gpu_user_annotation", name, 0, stream, begin_ns - 1, end_ns + 1, args)
        self.annotations.append(event)

    def event_index(self):
        self.next_event += 1
        return self.next_event - 1

    def correlation(self):
        self.next_correlation += self.chance.whole(1, 4)
        return self.next_correlation


class Thread:
    """A CPU thread with its own clock. Nested `with` blocks become nested slices."""

    def __init__(self, profile, tid, now_ns):
        self.profile = profile
        self.tid = tid
        self.now_ns = now_ns
        self.python_stack = []
        self.external_stack = []

    def spend(self, low_ns, high_ns):
        self.now_ns += self.profile.chance.ns(low_ns, high_ns)

    @contextlib.contextmanager
    def slice(self, cat, name, args, flow=None):
        """Reserves the event's place first: kineto writes parents before children."""
        profile, begin = self.profile, self.now_ns
        place = len(profile.cpu_events)
        args["Ev Idx"] = profile.event_index()
        profile.cpu_events.append(None)
        if flow:
            profile.cpu_events.append(profile.flow(flow[0], flow[1], MAIN_THREAD, self.tid, begin, "fwdbwd"))
        self.spend(1500, 4000)
        yield
        self.spend(800, 2500)
        profile.cpu_events[place] = profile.complete(cat, name, MAIN_THREAD, self.tid, begin, self.now_ns, args)

    @contextlib.contextmanager
    def op(self, name, cat="cpu_op", flow=None, **args):
        external = self.profile.next_external
        self.profile.next_external += 1
        self.external_stack.append(external)
        with self.slice(cat, name, {"External id": external, "Record function id": external - 1, **args}, flow):
            yield external
        self.external_stack.pop()

    def annotation(self, name):
        return self.op(name, cat="user_annotation")

    @contextlib.contextmanager
    def python(self, name, module_id=None):
        own = self.profile.next_python
        self.profile.next_python += 1
        args = {"Python id": own, "Python parent id": self.python_stack[-1] if self.python_stack else None}
        if module_id is not None:
            args["Python module id"] = module_id
        self.python_stack.append(own)
        with self.slice("python_function", name, args):
            yield
        self.python_stack.pop()

    def memory(self, size):
        profile = self.profile
        profile.allocated += size
        args = {
            "Total Reserved": 68_719_476_736,
            "Total Allocated": profile.allocated,
            "Bytes": size,
            "Addr": 139_620_000_000_000 + profile.allocated,
            "Device Id": 0,
            "Device Type": 1,
            "Ev Idx": profile.event_index(),
        }
        profile.cpu_events.append(
            f'    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",\n'
            f'    "pid": {MAIN_THREAD}, "tid": {self.tid},\n'
            f'    "ts": {profile.ts(self.now_ns)},\n'
            f'    "args": {{\n      {members(args)}\n    }}'
        )

    def runtime(self, name, cbid, until_ns=None):
        """A CUDA call that launches nothing; kineto still writes it a flow end that nothing begins."""
        profile, begin = self.profile, self.now_ns
        correlation = profile.correlation()
        self.spend(1500, 4000)
        self.now_ns = max(self.now_ns, until_ns or 0)
        args = {"External id": self.external_stack[-1], "cbid": cbid, "correlation": correlation}
        pid, tid = MAIN_THREAD, self.tid
        profile.device_events.append(profile.complete("cuda_runtime", name, pid, tid, begin, self.now_ns, args))
        profile.device_events.append(profile.flow("f", correlation, pid, tid, begin, "ac2g"))

    def launch(self, name, dur_ns, stream=COMPUTE_STREAM, after_ns=0, extra=None, copy_bytes=None):
        """A kernel, or a copy or memset when `copy_bytes` is given, and the call that put it on its stream."""
        profile, chance = self.profile, self.profile.chance
        dur_ns += chance.ns(0, dur_ns // 25 + 1)
        call_begin = self.now_ns
        self.spend(4 * US, 8 * US)
        begin = profile.gpu.run(stream, self.now_ns + chance.ns(1200, 3000), dur_ns, after_ns)
        correlation, external = profile.correlation(), self.external_stack[-1]
        where = {"device": 0, "context": 1, "stream": stream, "correlation": correlation}
        if copy_bytes is None:
            cat = "kernel"
            call, cbid = ("cudaLaunchKernelExC", 430) if stream == COMM_STREAM else ("cudaLaunchKernel", 211)
            shape = {
                "registers per thread": 96 if stream == COMM_STREAM else 168,
                "shared memory": 0,
                "blocks per SM": 0.181818,
                "warps per SM": 2.909091,
                "grid": [24 if stream == COMM_STREAM else 132, 1, 1],
                "block": [512, 1, 1],
                "est. achieved occupancy %": 0,
            }
            args = {"External id": external, "queued": 0, **where, **shape, **(extra or {})}
        else:
            cat = "gpu_memset" if name.startswith("Memset") else "gpu_memcpy"
            call, cbid = ("cudaMemsetAsync", 51) if cat == "gpu_memset" else ("cudaMemcpyAsync", 41)
            bandwidth = {"bytes": copy_bytes, "memory bandwidth (GB/s)": copy_bytes / dur_ns}
            args = {"External id": external, **where, **bandwidth}
        events, pid, tid = profile.device_events, MAIN_THREAD, self.tid
        events.append(profile.complete(cat, name, 0, stream, begin, begin + dur_ns, args))
        events.append(profile.flow("f", correlation, 0, stream, begin, "ac2g"))
        runtime_args = {"External id": external, "cbid": cbid, "correlation": correlation}
        events.append(profile.complete("cuda_runtime", call, pid, tid, call_begin, self.now_ns, runtime_args))
        events.append(profile.flow("s", correlation, pid, tid, call_begin, "ac2g"))
        profile.launched.append((begin, begin + dur_ns, stream))
        return begin, begin + dur_ns

    def collective(self, op, collective, kernel, elements, dur_ns, after_ns=0):
        """record_param_comms, the nccl: annotation, the kernel on the communication stream. -> its end"""
        profile = self.profile
        profile.collectives += 1
        comms = {
            "Collective name": collective,
            "In msg nelems": elements,
            "Out msg nelems": elements * (WORKERS if collective == "_allgather_base" else 1),
            "Group size": WORKERS,
            "dtype": "BFloat16" if collective != "allreduce" else "Float",
            "Process Group Name": "0",
            "Process Group Description": "default_pg",
            "Process Group Ranks": "[0, 1, 2, 3]",
            "Rank": 0,
            "Seq": profile.collectives,
        }
        with self.op(f"c10d::{op}"), self.op("record_param_comms", **comms):
            with self.annotation(f"nccl:{collective}") as external:
                begin, end = self.launch(kernel, dur_ns, COMM_STREAM, after_ns, comms)
        profile.annotate(f"nccl:{collective}", COMM_STREAM, begin, end, external)
        return end


def members(args):
    return ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in args.items())


class ActorUpdate:
    """One mini-batch of an FSDP actor update: micro-batches of forward and backward, then the optimizer."""

    def __init__(self, chance, start_ns):
        self.profile = Profile(chance, start_ns)
        self.main = Thread(self.profile, MAIN_THREAD, start_ns + 400 * US)
        self.autograd = Thread(self.profile, AUTOGRAD_THREAD, start_ns)
        self.tape = []
        self.gathered_ns = {}
        self.layer_done_ns = {}
        self.scattered_ns = 0
        self.end_ns = 0

    def run(self):
        main, profile = self.main, self.profile
        with main.annotation("ProfilerStep#3") as step, main.annotation("actor_update"):
            with main.python("verl/workers/fsdp_workers.py(688): update_actor"):
                with main.python("verl/workers/actor/dp_actor.py(358): update_policy"), main.annotation("mini_batch0"):
                    for index in range(MICRO_BATCHES):
                        self.micro_batch(index)
                    self.optimizer_step()
        profile.annotate("ProfilerStep#3", COMPUTE_STREAM, *profile.covered(0), step)
        self.end_ns = main.now_ns + 300 * US
        return self

    def micro_batch(self, index):
        main, profile = self.main, self.profile
        launched = len(profile.launched)
        with main.annotation(f"micro_batch{index}") as external:
            with main.op("aten::to"), main.op("aten::_to_copy"), main.op("aten::copy_"):
                main.launch("Memcpy HtoD (Pinned -> Device)", 31 * US, copy_bytes=TOKENS * 8)
            with main.python("verl/workers/actor/dp_actor.py(92): _forward_micro_batch"):
                self.forward()
            profile.annotate(f"micro_batch{index}", COMPUTE_STREAM, *profile.covered(launched), external)
            self.loss()
            self.backward()
            with main.op("aten::item"), main.op("aten::_local_scalar_dense"):
                _, copied = main.launch("Memcpy DtoH (Device -> Pageable)", 1500, copy_bytes=4)
                main.runtime("cudaStreamSynchronize", 131, until_ns=copied + 2 * US)

    def recorded(self, name, node, kernel, dur_ns, gradients, dims, after_ns=0):
        """A forward operator autograd remembers: an arrow leads from it to its backward node."""
        sequence = self.profile.next_sequence
        self.profile.next_sequence += 1
        args = {"Sequence number": sequence, "Fwd thread id": 0, "Input Dims": dims}
        with self.main.op(name, flow=("s", sequence), **args):
            _, end = self.main.launch(kernel, dur_ns, after_ns=after_ns)
        self.tape.append((node, sequence, gradients))
        return end

    def linear(self, module_id, rows, columns, dur_ns, after_ns=0):
        main = self.main
        gradients = [("aten::mm", GEMM_BACKWARD, dur_ns), ("aten::mm", GEMM_BACKWARD, dur_ns)]
        with main.python(f"nn.Module: Linear_{module_id}", module_id), main.op("aten::linear"):
            with main.op("aten::t"):
                main.spend(1500, 3000)
            dims = [[TOKENS, rows], [rows, columns]]
            return self.recorded("aten::mm", "MmBackward0", GEMM, dur_ns, gradients, dims, after_ns)

    def pointwise(self, name, node, functor, dur_ns, after_ns=0):
        kernel = RMS_NORM if functor is None else elementwise(functor)
        gradients = [("aten::mul" if functor else "aten::_fused_rms_norm_backward", kernel, dur_ns * 2)]
        return self.recorded(name, node, kernel, dur_ns, gradients, [[TOKENS, HIDDEN]], after_ns)

    def gather(self, thread, layer):
        """All-gather of a layer's weights, one layer ahead, held back until the layer before last is done."""
        with thread.annotation("FullyShardedDataParallel._pre_forward"):
            with thread.annotation("FullyShardedDataParallel.rate_limiter"):
                thread.runtime("cudaEventSynchronize", 137, until_ns=self.layer_done_ns.get("previous", 0))
            end = thread.collective("_allgather_base_", "_allgather_base", ALL_GATHER, 58_272_256, 4200 * US)
        self.gathered_ns[layer] = end

    def finish_layer(self, end_ns):
        self.layer_done_ns["previous"] = self.layer_done_ns.get("last", 0)
        self.layer_done_ns["last"] = end_ns

    def forward(self):
        main = self.main
        with main.python("nn.Module: Qwen2ForCausalLM_0", 1), main.annotation("FullyShardedDataParallel.forward"):
            self.gather(main, 0)
            for layer in range(LAYERS):
                if layer + 1 < LAYERS:
                    self.gather(main, layer + 1)
                with main.python(f"nn.Module: Qwen2DecoderLayer_{layer}", 10 * layer + 2):
                    self.forward_layer(layer, 10 * layer + 3)
            self.pointwise("aten::_fused_rms_norm", "FusedRmsNormBackward0", None, 600 * US)
            self.finish_layer(self.linear(90, HIDDEN, VOCABULARY, 61 * MS))

    def forward_layer(self, layer, module_id):
        main, ready = self.main, self.gathered_ns[layer]
        main.memory(TOKENS * HIDDEN * 2)
        self.pointwise("aten::_fused_rms_norm", "FusedRmsNormBackward0", None, 600 * US, ready)
        with main.python(f"nn.Module: Qwen2Attention_{layer}", module_id):
            self.linear(module_id + 1, HIDDEN, HIDDEN, 2100 * US)
            self.linear(module_id + 2, HIDDEN, 512, 350 * US)
            self.linear(module_id + 3, HIDDEN, 512, 350 * US)
            self.pointwise("aten::mul", "MulBackward0", "BinaryFunctor<c10::BFloat16, MulFunctor>", 450 * US)
            self.recorded(
                "flash_attn::_flash_attn_varlen_forward",
                "FlashAttnVarlenFuncBackward",
                FLASH_FORWARD,
                4400 * US,
                [("flash_attn::_flash_attn_varlen_backward", FLASH_BACKWARD, 11_500 * US)],
                [[TOKENS, 28, 128], [TOKENS, 4, 128], [TOKENS, 4, 128]],
            )
            self.linear(module_id + 4, HIDDEN, HIDDEN, 2100 * US)
        self.pointwise("aten::add", "AddBackward0", "CUDAFunctor_add<c10::BFloat16>", 480 * US)
        self.pointwise("aten::_fused_rms_norm", "FusedRmsNormBackward0", None, 600 * US)
        with main.python(f"nn.Module: Qwen2MLP_{layer}", module_id + 5):
            main.memory(TOKENS * FFN * 2)
            self.linear(module_id + 6, HIDDEN, FFN, 10_800 * US)
            self.linear(module_id + 7, HIDDEN, FFN, 10_800 * US)
            self.pointwise("aten::silu", "SiluBackward0", "silu_kernel", 900 * US)
            self.linear(module_id + 8, FFN, HIDDEN, 10_800 * US)
        self.finish_layer(self.pointwise("aten::add", "AddBackward0", "CUDAFunctor_add<c10::BFloat16>", 480 * US))

    def loss(self):
        self.pointwise("aten::log_softmax", "LogSoftmaxBackward0", "cunn_SoftMaxForward<8, c10::BFloat16>", 9800 * US)
        self.pointwise("aten::mean", "MeanBackward0", "reduce_kernel<512, 1, MeanOps<float>>", 90 * US)

    def backward(self):
        """The main thread waits inside run_backward while the autograd thread walks the tape from its end."""
        main, autograd = self.main, self.autograd
        self.autograd.now_ns = main.now_ns + 60 * US
        with main.python("torch/_tensor.py(592): backward"):
            with main.python("<built-in method run_backward of torch._C._EngineBase object at 0x7f2b1c0a5d40>"):
                per_layer = (len(self.tape) - 4) // LAYERS
                for place, entry in enumerate(reversed(self.tape)):
                    inside = place - 4
                    if inside >= 0 and inside % per_layer == 0:
                        self.gather(autograd, LAYERS - 1 - inside // per_layer)
                    end = self.backward_node(*entry)
                    if inside >= 0 and inside % per_layer == per_layer - 1:
                        self.scatter_gradients(LAYERS - 1 - inside // per_layer, end)
                self.tape.clear()
                main.now_ns = autograd.now_ns + 30 * US

    def backward_node(self, node, sequence, gradients):
        autograd = self.autograd
        args = {"Sequence number": sequence, "Fwd thread id": 1}
        ready = max(self.gathered_ns.values())
        with autograd.op(f"autograd::engine::evaluate_function: {node}", **args):
            with autograd.op(node, flow=("f", sequence), **args):
                for op, kernel, dur_ns in gradients:
                    with autograd.op(op):
                        _, end = autograd.launch(kernel, dur_ns, after_ns=ready)
        return end

    def scatter_gradients(self, layer, gradients_ns):
        autograd = self.autograd
        self.finish_layer(gradients_ns)
        autograd.memory(-TOKENS * (HIDDEN + FFN) * 2)
        with autograd.annotation("FullyShardedDataParallel._post_backward_hook"):
            with autograd.op("aten::zero_"):
                autograd.launch("Memset (Device)", 210 * US, copy_bytes=466_178_048)
            name = "_reduce_scatter_base"
            elements = 233_089_024
            self.gathered_ns.pop(layer)
            self.scattered_ns = autograd.collective(
                name + "_", name, REDUCE_SCATTER, elements, 5100 * US, after_ns=gradients_ns
            )

    def optimizer_step(self):
        main, profile = self.main, self.profile
        with main.python("verl/workers/actor/dp_actor.py(288): _optimizer_step"):
            with main.op("aten::_foreach_norm"):
                main.launch("void at::native::lpnorm_cleanup<float, L2>", 2100 * US, after_ns=self.scattered_ns)
            normed = max(end for _, end, _ in profile.launched)
            reduced = main.collective("allreduce_", "allreduce", ALL_REDUCE, 1, 24 * US, after_ns=normed)
            launched = len(profile.launched)
            with main.annotation("Optimizer.step#AdamW.step") as external:
                with main.python("torch/optim/adamw.py(209): step"), main.op("aten::_fused_adamw_"):
                    for _ in range(8):
                        main.launch(ADAMW, 5200 * US, after_ns=reduced)
            begin, end = profile.covered(launched)
            profile.annotate("Optimizer.step#AdamW.step", COMPUTE_STREAM, begin, end, external)
            with main.op("aten::item"), main.op("aten::_local_scalar_dense"):
                main.runtime("cudaStreamSynchronize", 131, until_ns=end + 2 * US)

    def text(self):
        profile = self.profile
        events = [*profile.cpu_events, *profile.device_events, *profile.annotations, *self.names(), *self.frame()]
        header = {
            "schemaVersion": 1,
            "deviceProperties": [DEVICE],
            "cupti_version": 26,
            "cuda_runtime_version": 12080,
            "cuda_driver_version": 12080,
            "distributedInfo": DISTRIBUTED_INFO,
            "profile_memory": 1,
            "record_shapes": 1,
            "with_stack": 1,
            "trace_id": "5D0C4E9A1B7F4F0E8A3B6C2D9E1F7A40",
            "displayTimeUnit": "ms",
            "baseTimeNanoseconds": BASE_NS,
        }
        lines = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in header.items())
        body = ",\n".join("  {\n" + event + "\n  }" for event in events)
        return "{\n" + lines + '  "traceEvents": [\n' + body + f'\n  ],\n  "traceName": "{TRACE_NAME}"\n}}\n'

    def name_event(self, name, pid, tid, member, value):
        where = f'"ts": {self.profile.ts(self.profile.start_ns)}, "pid": {json.dumps(pid)}, "tid": {tid}'
        args = f'"args": {{\n      "{member}": {json.dumps(value)}\n    }}'
        return f'    "name": "{name}", "ph": "M", {where},\n    {args}'

    def names(self):
        process = [(MAIN_THREAD, "CPU", MAIN_THREAD)]
        process += [(gpu, f"GPU {gpu}", 5_000_000 + gpu) for gpu in range(GPU_COUNT_DECLARED)]
        for pid, label, order in process:
            yield self.name_event("process_name", pid, 0, "name", "ray::WorkerDict")
            yield self.name_event("process_labels", pid, 0, "labels", label)
            yield self.name_event("process_sort_index", pid, 0, "sort_index", order)
        for pid, tid, name in (
            (0, COMPUTE_STREAM, f"stream {COMPUTE_STREAM} "),
            (0, COMM_STREAM, f"stream {COMM_STREAM} "),
            (MAIN_THREAD, MAIN_THREAD, f"thread {MAIN_THREAD} (ray::WorkerDict)"),
            (MAIN_THREAD, AUTOGRAD_THREAD, f"thread {AUTOGRAD_THREAD} (pt_autograd_0)"),
        ):
            yield self.name_event("thread_name", pid, tid, "name", name)
            yield self.name_event("thread_sort_index", pid, tid, "sort_index", tid)

    def frame(self):
        """The profiler's own span and marks, which kineto puts under processes with names instead of numbers."""
        begin, end = self.profile.start_ns, self.end_ns
        begin_text, dur = self.profile.ts(begin), end - begin
        yield (
            f'    "ph": "X", "cat": "Trace", "ts": {begin_text}, "dur": {dur // US}.{dur % US:03d},\n'
            '    "pid": "Spans", "tid": "PyTorch Profiler",\n'
            '    "name": "PyTorch Profiler (0)",\n    "args": {\n      "Op count": 0\n    }'
        )
        yield self.name_event("process_sort_index", "Spans", 0, "sort_index", 536870912)
        yield (
            '    "name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g",\n'
            f'    "pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": {begin_text}'
        )
        yield (
            '    "name": "Record Window End", "ph": "i", "s": "g",\n'
            f'    "pid": "", "tid": "", "ts": {self.profile.ts(end)}'
        )


DEVICE = {
    "id": 0,
    "name": "NVIDIA H100 80GB HBM3",
    "totalGlobalMem": 85017755648,
    "computeMajor": 9,
    "computeMinor": 0,
    "maxThreadsPerBlock": 1024,
    "maxThreadsPerMultiprocessor": 2048,
    "regsPerBlock": 65536,
    "warpSize": 32,
    "sharedMemPerBlock": 49152,
    "numSms": 132,
    "regsPerMultiprocessor": 65536,
    "sharedMemPerBlockOptin": 232448,
    "sharedMemPerMultiprocessor": 233472,
}
DISTRIBUTED_INFO = {
    "backend": "nccl",
    "rank": 0,
    "world_size": WORKERS,
    "pg_count": 1,
    "pg_config": [
        {
            "pg_name": "0",
            "pg_desc": "default_pg",
            "backend_config": "cpu:gloo,cuda:nccl",
            "pg_size": WORKERS,
            "ranks": list(range(WORKERS)),
        }
    ],
    "nccl_version": "2.26.2",
}
PROFILE_PATH = "profile/actor_update_rank-0.pt.trace.json.gz"
TRACE_NAME = "outputs/profile/actor_update_rank-0.pt.trace.json"


# --------------------------------------------------------------------------------------------------------------
# Trainer: the phases of each step and the console log


class TrainerStep:
    """One step of the trainer: rollout, then the phases of training, on the same clock."""

    def __init__(self, chance, step, begin_ns):
        self.chance = chance
        self.step = step
        self.begin_ns = begin_ns
        self.workers = simulate_rollout(chance, step, begin_ns + 3 * MS)
        self.update = None
        self.phases = {}
        now = self.phase("gen", begin_ns, max(w.end_ns for w in self.workers) + 4 * MS)
        now = self.phase("reward", now, now + chance.ns(35 * MS, 60 * MS))
        now = self.phase("old_log_prob", now, now + chance.ns(560 * MS, 620 * MS))
        now = self.phase("ref", now, now + chance.ns(500 * MS, 560 * MS))
        now = self.phase("adv", now, now + chance.ns(9 * MS, 14 * MS))
        now = self.phase("update_actor", now, self.run_update(now))
        now = self.phase("update_weights", now, now + chance.ns(280 * MS, 340 * MS))
        self.end_ns = now

    def phase(self, name, begin_ns, end_ns):
        self.phases[name] = (begin_ns, end_ns)
        return end_ns

    def run_update(self, begin_ns):
        """Step 3 is the profiled one: its length comes out of the simulated kernels."""
        if self.step != SLOW_STEP:
            return begin_ns + self.chance.ns(3500 * MS, 3620 * MS)
        self.update = ActorUpdate(self.chance, begin_ns + 9 * MS).run()
        return self.update.end_ns + 11 * MS

    def metrics(self):
        """The numbers of the step line, in the trainer's order."""
        chance = self.chance
        requests = [request for worker in self.workers for request, _ in worker.requests]
        responses = [request.response_length() for request in requests]
        prompts = [request.prompt_length for request in requests]
        turns = [2 * len(request.timings) for request in requests]
        totals = [seconds(worker.start_ns, worker.end_ns) for worker in self.workers]
        tokens, step_s = sum(responses) + sum(prompts), seconds(self.begin_ns, self.end_ns)
        score = round(0.31 + 0.04 * self.step + chance.number(-0.02, 0.02), 6)
        timing = {name: seconds(*span) for name, span in self.phases.items()}
        per_token = {"gen": sum(responses)} | dict.fromkeys(("ref", "adv", "update_actor"), tokens)
        return {
            "global_seqlen/mean": tokens / WORKERS,
            "actor/entropy": round(chance.number(0.38, 0.46), 6),
            "actor/kl_loss": round(chance.number(0.0008, 0.0031), 6),
            "actor/pg_loss": round(chance.number(-0.02, 0.02), 6),
            "actor/grad_norm": round(chance.number(0.2, 0.6), 6),
            "actor/lr": 1e-06,
            "perf/mfu/actor": round(chance.number(0.36, 0.39), 6),
            "perf/max_memory_allocated_gb": round(chance.number(58.0, 61.0), 4),
            "perf/max_memory_reserved_gb": 64.0,
            "training/global_step": self.step,
            "training/epoch": 0,
            "critic/score/mean": score,
            "critic/rewards/mean": score,
            "response_length/mean": sum(responses) / len(responses),
            "response_length/max": max(responses),
            "response_length/min": min(responses),
            "prompt_length/mean": sum(prompts) / len(prompts),
            "prompt_length/max": max(prompts),
            "prompt_length/min": min(prompts),
            "num_turns/min": min(turns),
            "num_turns/max": max(turns),
            "num_turns/mean": sum(turns) / len(turns),
            "timing_s/generate_sequences": sum(totals) / WORKERS,
            "timing_s/generation_timing/max": max(totals),
            "timing_s/generation_timing/min": min(totals),
            **{f"timing_s/{name}": value for name, value in timing.items()},
            "timing_s/step": step_s,
            **{f"timing_per_token_ms/{name}": timing[name] * 1000 / count for name, count in per_token.items()},
            "perf/total_num_tokens": tokens,
            "perf/time_per_step": step_s,
            "perf/throughput": tokens / (step_s * WORKERS),
        }


def console_log(steps):
    """What the terminal showed: Ray's coloured prefixes, a progress bar, and one line of metrics per step."""
    trainer = f"\x1b[36m(TaskRunner pid={TRAINER_PID})\x1b[0m"
    worker = f"\x1b[36m(WorkerDict pid={WORKER_PIDS[1]}, ip=10.0.3.17)\x1b[0m"
    repeated = f"\x1b[32m [repeated {WORKERS - 1}x across cluster]\x1b[0m"
    out = ["2026-03-02 09:58:41,207\tINFO worker.py:1951 -- Started a local Ray instance."]
    out.append(f"{trainer} Training from scratch, {STEPS} steps in total")
    out.append(f"{worker} Qwen2ForCausalLM contains 1.48B parameters{repeated}")
    for step in steps:
        elapsed = (step.end_ns - steps[0].begin_ns) // SECOND
        rate = f"{elapsed / step.step:.2f}s/it"
        bar = "\u2588" * (10 * step.step // STEPS)
        out.append(f"{worker} rollout {step.step}: let us go step by step: 40 requests done{repeated}")
        line = " - ".join([f"step:{step.step}"] + [f"{key}:{value!r}" for key, value in step.metrics().items()])
        out.append(f"{trainer} {line}")
        percent = 100 * step.step // STEPS
        progress = f"Training Progress: {percent:3d}%|{bar:10}| {step.step}/{STEPS} [00:{elapsed:02d}<00:00, {rate}]"
        out.append(f"{trainer} \r{progress}")
    out.append(f"{trainer} Final step reached, no validation configured")
    return "\n".join(out) + "\n"


def simulate():
    """-> {path: bytes} of the whole run."""
    chance = Chance(SEED)
    now = ns_of(RUN_START)
    steps = []
    for step in range(1, STEPS + 1):
        steps.append(TrainerStep(chance, step, now))
        now = steps[-1].end_ns + chance.ns(8 * MS, 15 * MS)
    files = {"console.log": console_log(steps).encode()}
    for step in steps:
        for worker in step.workers:
            files[f"rollout/step_{step.step}/worker_{worker.log.worker}.jsonl"] = worker.log.text().encode()
        if step.update:
            files[PROFILE_PATH] = gzipped(step.update.text())
    return files


def gzipped(text):
    out = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    return out.getvalue()


def plain(data):
    """Contents without the compression: zlib versions may pack the same bytes differently."""
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def stale_files(files, folder):
    """Paths that are missing in the folder or differ from what would be written."""
    for path, data in sorted(files.items()):
        target = os.path.join(folder, path)
        if not os.path.isfile(target):
            yield path
            continue
        with open(target, "rb") as file:
            if plain(file.read()) != plain(data):
                yield path


def write_files(files, folder):
    for path, data in sorted(files.items()):
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(data)


# --------------------------------------------------------------------------------------------------------------
# Ground truth, from the files alone

SLACK_NS = 1 * MS
# What an event lies inside; worker-level events lie inside total_step_duration.
PARENT = {
    "main_loop": "async_rollout_request_complete",
    "reward_calculation": "async_rollout_request_complete",
    "finalization": "async_rollout_request_complete",
    "request_start": "async_rollout_request_complete",
    "pending_state_handling": "main_loop",
    "tool_creation_pending_state": "pending_state_handling",
    "interaction_start_pending_state": "pending_state_handling",
    "turn_end": "main_loop",
    "turn_start": "turn_end",
    "turn_pre_process": "turn_end",
    "turn_engine_call": "turn_end",
    "engine_generate_setup": "turn_engine_call",
    "engine_async_generate_actual": "turn_engine_call",
    "turn_post_process": "turn_end",
    "turn_tool_parsing": "turn_post_process",
    "tool_calling_state": "main_loop",
    "tool_execution": "tool_calling_state",
    "tool_response_processing": "tool_calling_state",
    "interacting_state": "main_loop",
    "interaction_response": "main_loop",
    "async_rollout_request_complete": "async_generate_duration",
}


class Line:
    """One line of a worker file with its interval."""

    def __init__(self, text):
        record = json.loads(text)
        self.event = record["event"]
        self.extra = record.get("extra", {})
        self.request = self.extra.get("request_id")
        self.duration = record.get("duration_sec")
        moment = datetime.datetime.fromisoformat(record["timestamp"])
        self.end_ns = ns_of(moment) + moment.microsecond * US
        self.begin_ns = self.end_ns - round((self.duration or 0) * SECOND)

    def inside(self, other):
        return other.begin_ns - SLACK_NS <= self.begin_ns and self.end_ns <= other.end_ns + SLACK_NS


def check(condition, what):
    if not condition:
        raise SystemExit(f"generate.py: the sample is inconsistent: {what}")


def read_worker(folder, step, worker):
    with open(os.path.join(folder, f"rollout/step_{step}/worker_{worker}.jsonl"), encoding="utf-8") as file:
        lines = [Line(text) for text in file]
    check(all(a.end_ns <= b.end_ns for a, b in zip(lines, lines[1:])), "timestamps decrease")
    total = one(lines, "total_step_duration")
    for line in lines:
        where = f"step {step} worker {worker} {line.event}"
        check(line.inside(total), f"{where} lies outside its step")
        if line.event in PARENT:
            wanted = PARENT[line.event]
            parents = [p for p in lines if p.event == wanted and p.request in (None, line.request)]
            check(any(line.inside(p) for p in parents), f"{where} lies outside every {wanted}")
    return lines


def one(lines, event):
    found = [line for line in lines if line.event == event]
    check(len(found) == 1, f"{event} occurs {len(found)} times")
    return found[0]


def step_truth(folder, step):
    by_worker = [read_worker(folder, step, worker) for worker in range(WORKERS)]
    waits = [one(lines, "barrier_wait_duration").duration for lines in by_worker]
    generates = [one(lines, "async_generate_duration").duration for lines in by_worker]
    totals = [one(lines, "total_step_duration") for lines in by_worker]
    check(max(t.end_ns for t in totals) - min(t.end_ns for t in totals) < 60 * MS, "workers leave step apart")
    requests = [line for lines in by_worker for line in lines if line.event == "async_rollout_request_complete"]
    slowest = max(requests, key=lambda line: line.duration)
    return {
        "rollout_begin_ns": min(t.begin_ns for t in totals),
        "rollout_end_ns": max(t.end_ns for t in totals),
        "rollout_s": max(t.duration for t in totals),
        "async_generate_s": generates,
        "barrier_wait_s": waits,
        "slowest_worker": generates.index(max(generates)),
        "requests": len(requests),
        "slowest_request": slowest.request,
        "slowest_request_s": slowest.duration,
    }


def slow_request_truth(folder):
    lines = [x for x in read_worker(folder, SLOW_STEP, SLOW_WORKER)]
    complete = max((x for x in lines if x.event == "async_rollout_request_complete"), key=lambda x: x.duration)
    own = [x for x in lines if x.request == complete.request]
    engine = [x for x in own if x.event == "turn_engine_call"]
    return {
        "step": SLOW_STEP,
        "worker": SLOW_WORKER,
        "request_id": complete.request,
        "begin_ns": complete.begin_ns,
        "end_ns": complete.end_ns,
        "duration_s": complete.duration,
        "turns": complete.extra["turns"],
        "tool_execution_s": one(own, "tool_execution").duration,
        "engine_call_s": [x.duration for x in engine],
        "generated_tokens": [x.extra["generated_tokens"] for x in engine],
    }


def profile_truth(folder):
    with gzip.open(os.path.join(folder, PROFILE_PATH), "rt", encoding="utf-8") as file:
        trace = json.load(file, parse_float=lambda text: int(text.replace(".", "")))  # ns: always three decimals
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    base = trace["baseTimeNanoseconds"]
    for tid in (COMPUTE_STREAM, COMM_STREAM):
        lane = [e for e in slices if (e["pid"], e["tid"]) == (0, tid) and e["cat"] != "gpu_user_annotation"]
        lane.sort(key=lambda e: e["ts"])
        check(all(a["ts"] + a["dur"] <= b["ts"] for a, b in zip(lane, lane[1:])), f"stream {tid} overlaps itself")
    span = next(e for e in slices if e["cat"] == "Trace")
    check(all(span["ts"] <= e["ts"] and e["ts"] + e["dur"] <= span["ts"] + span["dur"] for e in slices), "span")
    by_cat = {}
    for event in slices:
        by_cat[event["cat"]] = by_cat.get(event["cat"], 0) + 1
    starts = {(e["cat"], e["id"]) for e in events if e["ph"] == "s"}
    return {
        "begin_ns": base + span["ts"],
        "end_ns": base + span["ts"] + span["dur"],
        "events": len(events),
        "slices": len(slices),
        "slices_by_category": dict(sorted(by_cat.items())),
        "instants": sum(e["ph"] == "i" for e in events),
        "arrows": sum(e["ph"] == "f" and (e["cat"], e["id"]) in starts for e in events),
        "unmatched_flow_ends": sum(e["ph"] == "f" and (e["cat"], e["id"]) not in starts for e in events),
    }


def console_truth(folder):
    with open(os.path.join(folder, "console.log"), encoding="utf-8", newline="") as file:
        lines = re.findall(r"step:(\d+) - (.*)", file.read())
    truth = {}
    for step, rest in lines:
        pairs = dict(pair.rsplit(":", 1) for pair in rest.split(" - "))
        kept = ("gen", "old_log_prob", "ref", "update_actor", "update_weights", "step")
        truth[step] = {name: float(pairs[f"timing_s/{name}"]) for name in kept}
    return truth


def truth_of(folder):
    steps = {str(step): step_truth(folder, step) for step in range(1, STEPS + 1)}
    truth = {"steps": steps, "slow_request": slow_request_truth(folder), "profile": profile_truth(folder)}
    truth["console_timing_s"] = console_truth(folder)
    slow, others = steps[str(SLOW_STEP)], [w for w in range(WORKERS) if w != SLOW_WORKER]
    check(slow["slowest_worker"] == SLOW_WORKER, "another worker is the slowest")
    check(all(24 < slow["barrier_wait_s"][w] < 27 for w in others), "the others do not wait for about 25 s")
    check(truth["profile"]["begin_ns"] > slow["rollout_end_ns"], "the profile begins before the rollout ended")
    for step, timing in truth["console_timing_s"].items():
        check(0 <= timing["gen"] - steps[step]["rollout_s"] < 0.03, f"console and rollout disagree in step {step}")
    return truth


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=os.path.join(here, "rl_run"), metavar="DIR")
    parser.add_argument("--truth", action="store_true", help="check the files in DIR and print the ground truth")
    parser.add_argument("--check", action="store_true", help="compare the files in DIR with what would be written")
    options = parser.parse_args()
    if options.truth:
        print(json.dumps(truth_of(options.out), indent=1))
    elif options.check:
        stale = list(stale_files(simulate(), options.out))
        raise SystemExit("differ: " + ", ".join(stale) if stale else 0)
    else:
        write_files(simulate(), options.out)


if __name__ == "__main__":
    main()
