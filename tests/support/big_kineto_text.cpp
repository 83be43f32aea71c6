#include "tests/support/big_kineto_text.h"

#include <utility>

namespace tv::test {
namespace {

constexpr Ns kBase = 1'759'300'074 * kSecond;  // a multiple of kineto's 7,889,238 s
constexpr Ns kStart = 4'212'936 * kSecond;     // after the base
constexpr int kDevices = 8, kWorld = 64;

}  // namespace

KinetoRuntimeWords::KinetoRuntimeWords(Tally& tally)
    : launch_kernel(tally.name("cudaLaunchKernel")),
      launch_kernel_ex(tally.name("cudaLaunchKernelExC")),
      copy(tally.name("cudaMemcpyAsync")),
      set(tally.name("cudaMemsetAsync")),
      synchronize(tally.name("cudaDeviceSynchronize")),
      get_attribute(tally.name("cudaDeviceGetAttribute")),
      to_device(tally.name("Memcpy HtoD (Pinned -> Device)")),
      to_host(tally.name("Memcpy DtoH (Device -> Pageable)")),
      zero(tally.name("Memset (Device)")),
      all_reduce_kernel(tally.name("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)")),
      collective_op(tally.name("c10d::allreduce_")),
      record_comms(tally.name("record_param_comms")),
      all_reduce_range(tally.name("nccl:all_reduce")),
      accumulate_outer(tally.name("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad")),
      accumulate(tally.name("torch::autograd::AccumulateGrad")),
      detach(tally.name("aten::detach")),
      fused_adam(tally.name("aten::_fused_adamw_")),
      run_backward(tally.name("torch/autograd/graph.py(823): _engine_run_backward")),
      optimizer(tally.name("Optimizer.step#FusedAdam.step")),
      forward(tally.name("forward")),
      train_step(tally.name("train/loop.py(412): train_step")),
      pin_loop(tally.name("data/loading/pin.py(52): pin_loop")),
      next_batch(tally.name("data/loading/feed.py(97): next_batch")),
      wrapped_call(tally.name("torch/nn/modules/module.py(1736): _wrapped_call_impl")),
      call_module(tally.name("torch/nn/modules/module.py(1747): _call_impl")) {}

KinetoText::KinetoText(const KinetoPlan& plan, const Sink& sink)
    : plan_(plan),
      out_(sink, plan.one_line),
      base_(plan.absolute ? 0 : kBase),
      pid_(1'375 + plan.rank),
      device_(plan.rank % kDevices),
      ranks_(fmt::format("[{}, {}]", plan.rank / 2 * 2, plan.rank / 2 * 2 + 1)) {}

Ns KinetoText::first_time() const { return plan_.absolute ? kBase + kStart : kStart; }

KinetoThread KinetoText::thread(int number, std::string_view name) {
  KinetoThread thread;
  thread.tid = pid_ + number;
  thread.name = name;
  thread.lane = tally_.lane(fmt::format("thread {}", thread.tid));
  thread.backward = name.starts_with("pt_autograd");
  return thread;
}

KinetoStream KinetoText::stream(int id, int group) {
  KinetoStream stream;
  stream.id = id;
  stream.group = group;
  stream.lane = tally_.lane(fmt::format("stream {}", id));
  stream.annotations = tally_.lane(fmt::format("annotations of stream {}", id));
  return stream;
}

// --- head and tail ---

void KinetoText::clock_base(std::string_view after) {
  if (!plan_.absolute) out_.print("  \"baseTimeNanoseconds\": {}{}", kBase, after);
}

void KinetoText::head() {
  out_.text("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n");
  for (int device = 0; device < kDevices; ++device) {
    out_.print(
        "    {{\n      \"id\": {}, \"name\": \"Imaginary Accelerator 80GB\", \"totalGlobalMem\": 85017493504,\n"
        "      \"computeMajor\": 9, \"computeMinor\": 0,\n"
        "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
        "      \"regsPerBlock\": 65536, \"warpSize\": 32,\n"
        "      \"sharedMemPerBlock\": 49152, \"numSms\": 132\n"
        "    , \"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 232448, "
        "\"sharedMemPerMultiprocessor\": 233472\n    }}{}\n",
        device, device + 1 < kDevices ? "," : "");
  }
  out_.print(
      "  ],\n  \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {}, \"world_size\": {}, \"pg_count\": 2, "
      "\"pg_config\": [{{\"pg_name\": \"12\", \"pg_desc\": \"tensor_parallel\", \"backend_config\": \"cuda:nccl\", "
      "\"pg_size\": 2, \"ranks\": {}}}, {{\"pg_name\": \"21\", \"pg_desc\": \"data_parallel\", \"backend_config\": "
      "\"cuda:nccl\", \"pg_size\": 2, \"ranks\": {}}}], \"nccl_version\": \"2.21.5\"}},\n"
      "  \"with_stack\": 1,\n  \"record_shapes\": 1,\n  \"profile_memory\": 1,\n",
      plan_.rank, plan_.rank < kWorld ? kWorld : plan_.rank + 1, ranks_, ranks_);
  if (!plan_.base_last) {
    out_.text("  \"displayTimeUnit\": \"ms\",\n");
    clock_base(",\n");
  }
  out_.text("  \"traceEvents\": [\n");
}

void KinetoText::metadata(std::string_view kind, int pid, int tid, Ns time, std::string_view field,
                          std::string_view value) {
  next_event();
  const std::string_view quote = field == "sort_index" ? "" : "\"";
  out_.print(
      "  {{\n    \"name\": \"{}\", \"ph\": \"M\", \"ts\": {}, \"pid\": {}, \"tid\": {},\n    \"args\": {{\n"
      "      \"{}\": {}{}{}\n    }}\n  }}",
      kind, us(time), pid, tid, field, quote, value, quote);
}

void KinetoText::name_process(int pid, std::string_view label, std::int64_t sort, Ns time) {
  metadata("process_name", pid, 0, time, "name", "python");
  metadata("process_labels", pid, 0, time, "labels", label);
  metadata("process_sort_index", pid, 0, time, "sort_index", std::to_string(sort));
}

void KinetoText::name_thread(int pid, int tid, std::string_view name, Ns time) {
  metadata("thread_name", pid, tid, time, "name", name);
  metadata("thread_sort_index", pid, tid, time, "sort_index", std::to_string(tid));
}

void KinetoText::tail(std::initializer_list<const KinetoThread*> threads,
                      std::initializer_list<const KinetoStream*> streams, Ns begin, Ns end) {
  name_process(pid_, "CPU", pid_, begin);
  // All sixteen devices that kineto knows, used or not.
  for (int device = 0; device < 16; ++device) {
    name_process(device, fmt::format("GPU {}", device), 5'000'000 + device, begin);
  }
  for (const KinetoStream* stream : streams) {
    name_thread(device_, stream->id, fmt::format("stream {} ", stream->id), begin);
  }
  for (const KinetoThread* thread : threads) {
    name_thread(pid_, thread->tid, fmt::format("thread {} ({})", thread->tid, thread->name), begin);
  }
  next_event();
  out_.print(
      "  {{\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": {}, \"dur\": {},\n"
      "    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n    \"name\": \"PyTorch Profiler (0)\",\n"
      "    \"args\": {{\n      \"Op count\": 0\n    }}\n  }},\n"
      "  {{\n    \"name\": \"process_sort_index\", \"ph\": \"M\", \"ts\": {},\n    \"pid\": \"Spans\", \"tid\": 0,\n"
      "    \"args\": {{\n      \"sort_index\": 536870912\n    }}\n  }},\n"
      "  {{\n    \"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n"
      "    \"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": {}\n  }},\n"
      "  {{\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n"
      "    \"pid\": \"\", \"tid\": \"\", \"ts\": {}\n  }}\n  ],\n",
      us(begin), us(end - begin), us(begin), us(begin), us(end + 1'000));
  tally_.slice(tally_.lane("profiler"), tally_.name("PyTorch Profiler (0)"), begin + base_, end - begin);
  tally_.instant(tally_.lane("marks"), tally_.name("Iteration Start: PyTorch Profiler"), begin + base_);
  tally_.instant(tally_.lane("marks"), tally_.name("Record Window End"), end + 1'000 + base_);
  out_.print("  \"traceName\": \"./profile/rank_{}.pt.trace.json\"", plan_.rank);
  if (plan_.base_last) {
    out_.text(",\n  \"displayTimeUnit\": \"ms\"");
    if (!plan_.absolute) out_.text(",\n");
    clock_base("");
  }
  out_.text("\n}\n");
  out_.flush();
}

// --- events ---

void KinetoText::begin_slice(std::string_view category, NameId name, int pid, int tid, TrackId lane, Ns begin,
                             Ns duration) {
  next_event();
  out_.print_fast(FMT_COMPILE("  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {},\n"
                              "    \"ts\": {}, \"dur\": {},\n    \"args\": {{\n      "),
                  category, tally_.text(name), pid, tid, us(begin), us(duration));
  tally_.slice(lane, name, begin + base_, duration);
}

void KinetoText::flow(char phase, std::string_view category, std::uint64_t id, int pid, int tid, Ns time) {
  next_event();
  out_.print_fast(FMT_COMPILE("  {{\n    \"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {},\n"
                              "    \"cat\": \"{}\", \"name\": \"{}\"{}\n  }}"),
                  phase, id, pid, tid, us(time), category, category, phase == 'f' ? ", \"bp\": \"e\"" : "");
}

void KinetoText::collective(const KinetoCollective& c) {
  out_.print_fast(
      FMT_COMPILE(
          ", \"Collective name\": \"allreduce\", \"In msg nelems\": {}, \"Out msg nelems\": {}, \"Group size\": 2, "
          "\"dtype\": \"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\", \"Process Group Name\": "
          "\"{}\", "
          "\"Process Group Description\": \"{}\", \"Process Group Ranks\": \"{}\", \"Seq\": {}"),
      c.elements, c.elements, c.group, c.group == 12 ? "tensor_parallel" : "data_parallel", ranks_, c.sequence);
}

void KinetoText::operators(const KinetoThread& thread) {
  for (const KinetoSlice& slice : thread.slices) {
    if (slice.kind == KinetoSlice::Kind::Python) continue;
    const bool op = slice.kind == KinetoSlice::Kind::Op;
    begin_slice(op ? "cpu_op" : "user_annotation", slice.name, pid_, thread.tid, thread.lane, slice.begin,
                slice.duration);
    out_.print_fast(FMT_COMPILE("\"External id\": {},\"Record function id\": {}, "), slice.id, slice.parent);
    if (slice.sequence > 0) out_.print_fast(FMT_COMPILE("\"Sequence number\": {}, "), slice.sequence);
    if (slice.sequence > 0 && thread.backward) out_.text("\"Fwd thread id\": 1, ");
    if (slice.shapes) out_.text(*slice.shapes);
    out_.print_fast(FMT_COMPILE("\"Ev Idx\": {}"), slice.index);
    if (slice.collective) collective(*slice.collective);
    out_.text("\n    }\n  }");
    if (slice.arrow > 0) {
      flow(thread.backward ? 'f' : 's', "fwdbwd", slice.arrow, pid_, thread.tid, slice.begin);
    }
  }
  const NameId name = tally_.name("[memory]");
  for (const KinetoMemory& memory : thread.memory) {
    next_event();
    out_.print_fast(
        FMT_COMPILE("  {{\n    \"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n"
                    "    \"pid\": {}, \"tid\": {}, \"ts\": {},\n    \"args\": {{\n"
                    "      \"Total Reserved\": 78920024064, \"Total Allocated\": {}, \"Bytes\": {}, \"Addr\": {}, "
                    "\"Device Id\": {}, \"Device Type\": 1, \"Ev Idx\": {}\n    }}\n  }}"),
        pid_, thread.tid, us(memory.time), memory.allocated, memory.bytes, 137'249'672'921'088 + memory.bytes, device_,
        memory.index);
    tally_.instant(thread.lane, name, memory.time + base_);
  }
}

void KinetoText::python(const KinetoThread& thread) {
  for (const KinetoSlice& slice : thread.slices) {
    if (slice.kind != KinetoSlice::Kind::Python) continue;
    begin_slice("python_function", slice.name, pid_, thread.tid, thread.lane, slice.begin, slice.duration);
    if (slice.parent > 0) {
      out_.print_fast(FMT_COMPILE("\"Python parent id\": {}, \"Python id\": {}, \"Ev Idx\": {}\n    }}\n  }}"),
                      slice.parent, slice.id, slice.index);
    } else {
      out_.print_fast(FMT_COMPILE("\"Python parent id\": null, \"Python id\": {}, \"Ev Idx\": {}\n    }}\n  }}"),
                      slice.id, slice.index);
    }
  }
}

void KinetoText::launch(const KinetoLaunch& launch) {
  const int tid = launch.thread->tid;
  if (launch.stream) {
    const KinetoStream& stream = *launch.stream;
    const bool is_kernel = launch.kind == KinetoLaunch::Kind::Kernel;
    begin_slice(is_kernel                                 ? "kernel"
                : launch.kind == KinetoLaunch::Kind::Copy ? "gpu_memcpy"
                                                          : "gpu_memset",
                launch.name, device_, stream.id, stream.lane, launch.gpu_begin, launch.gpu_duration);
    out_.print_fast(FMT_COMPILE("\"External id\": {},      {}\"device\": {}, \"context\": 1,      \"stream\": {}, "
                                "\"correlation\": {},      "),
                    launch.external_id, is_kernel ? "\"queued\": 0, " : "", device_, stream.id, launch.correlation);
    if (is_kernel) {
      out_.text(*launch.args);
    } else {
      out_.print_fast(FMT_COMPILE("\"bytes\": {}, \"memory bandwidth (GB/s)\": {}.{:06}"), launch.bytes,
                      launch.bytes / launch.gpu_duration,
                      launch.bytes % launch.gpu_duration * 1'000'000 / launch.gpu_duration);
    }
    if (launch.collective) collective(*launch.collective);
    out_.text("\n    }\n  }");
    flow('f', "ac2g", launch.correlation, device_, stream.id, launch.gpu_begin);
  }
  begin_slice("cuda_runtime", launch.runtime, pid_, tid, launch.thread->lane, launch.begin, launch.duration);
  out_.print_fast(FMT_COMPILE("\"External id\": {},      \"cbid\": {}, \"correlation\": {}\n    }}\n  }}"),
                  launch.external_id, launch.callback, launch.correlation);
  flow(launch.stream ? 's' : 'f', "ac2g", launch.correlation, pid_, tid, launch.begin);
}

void KinetoText::range(const KinetoRange& range) {
  begin_slice("gpu_user_annotation", range.name, device_, range.stream->id, range.stream->annotations, range.begin,
              range.duration);
  out_.print_fast(FMT_COMPILE("\"External id\": {}\n    }}\n  }}"), range.external_id);
}

void KinetoText::counter(std::string_view metric, Ns time, std::int64_t value) {
  next_event();
  out_.print(
      "  {{\n    \"ph\": \"C\", \"cat\": \"hardware_counters\", \"name\": \"{}\", \"pid\": \"GPU {} Counters\", "
      "\"tid\": 0,\n    \"ts\": {},\n    \"args\": {{\n      \"\": {}\n    }}\n  }}",
      metric, device_, us(time), value);
  tally_.sample(tally_.lane(metric), time + base_);
}

}  // namespace tv::test
