// Growth kinds for GPU traces: arrows, streams, launches, steps, collectives of two ranks.
#include "tests/growth/trace_events.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string flow_id(std::size_t id) { return fmt::format(R"(,"cat":"flow","id":{})", id); }

void kernel(TraceEvents& out, std::string_view name, std::size_t ts, std::size_t dur, std::size_t correlation, std::size_t stream = 7,
            std::size_t device = 0) {
  out.slice(name, ts, dur, stream, device,
            fmt::format(R"(,"cat":"kernel","args":{{"stream":{},"device":{},"correlation":{}}})", stream, device, correlation));
}

void launch(TraceEvents& out, std::size_t ts, std::size_t dur, std::size_t correlation) {
  out.slice("cudaLaunchKernel", ts, dur, 41, 41, fmt::format(R"(,"cat":"cuda_runtime","args":{{"correlation":{}}})", correlation));
}

void arrow_of_launch(TraceEvents& out, std::size_t from, std::size_t to, std::size_t correlation) {
  out.event('s', "ac2g", from, fmt::format(R"(,"cat":"ac2g","id":{})", correlation), 41, 41);
  out.event('f', "ac2g", to, fmt::format(R"(,"cat":"ac2g","id":{},"bp":"e")", correlation), 7, 0);
}

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

// The file of a rank: steps that each have an operator, launches, a kernel and a collective.
void write_rank(const TempDir& folder, std::size_t rank, std::size_t steps) {
  TraceEvents out;
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t at = 1000 * i, correlation = 3 * i + 1;
    out.slice(fmt::format("ProfilerStep#{}", i), at, 990, 41, 41, R"(,"cat":"user_annotation")");
    out.slice("aten::mm", at + 10, 200, 41, 41, R"(,"cat":"cpu_op")");
    launch(out, at + 20, 10, correlation);
    arrow_of_launch(out, at + 20, at + 100, correlation);
    kernel(out, "gemm", at + 100, 300 + i * 7 % 13, correlation);
    launch(out, at + 50, 10, correlation + 1);
    kernel(out, kAllReduce, at + 450 + (rank * 31 + i * 17) % 97, 900 - 450 - (rank * 31 + i * 17) % 97, correlation + 1, 20);
  }
  folder.write(fmt::format("rank{}.json", rank),
               fmt::format(R"({{"distributedInfo":{{"backend":"nccl","rank":{},"world_size":2}},"baseTimeNanoseconds":)"
                           R"(1775078550000000000,"traceEvents":{}}})",
                           rank, out.text()));
}

const GrowthKind kFlowKinds[] = {
    {"arrows", 480, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("from", 10 * i, 5), out.slice("to", 10 * i + 3, 5, 2);
         out.event('s', "flow", 10 * i + 1, flow_id(i)), out.event('f', "flow", 10 * i + 4, flow_id(i) + R"(,"bp":"e")", 2);
       }
     })},
    {"steps of one arrow", 800, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("op", 10 * i, 5, i % 3 + 1);
         out.event(i == 0 ? 's' : i + 1 == n ? 'f' : 't', "flow", 10 * i + 1, flow_id(1), i % 3 + 1);
       }
     })},
    {"ends of one arrow", 480, events([](TraceEvents& out, std::size_t n) {
       out.slice("from", 0, 5), out.event('s', "flow", 1, flow_id(1));
       for (std::size_t i = 1; i <= n; ++i) {
         out.slice("to", 10 * i, 5, 2);
         out.event('f', "flow", 10 * i + 1, flow_id(1) + R"(,"bp":"e")", 2);
       }
     })},
    {"begins of one arrow", 480, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("from", 10 * i, 5), out.event('s', "flow", 10 * i + 1, flow_id(1));
       out.slice("to", 10 * n, 5, 2), out.event('f', "flow", 10 * n + 1, flow_id(1) + R"(,"bp":"e")", 2);
     })},
    {"arrows from one slice", 480, events([](TraceEvents& out, std::size_t n) {
       out.slice("from", 0, 10 * n);
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("to", 10 * i + 20 * n, 5, 2);
         out.event('s', "flow", 10 * i + 1, flow_id(i)), out.event('f', "flow", 10 * i + 1 + 20 * n, flow_id(i) + R"(,"bp":"e")", 2);
       }
     })},
    {"arrows from one slice to one", 480, events([](TraceEvents& out, std::size_t n) {
       out.slice("from", 0, 10), out.slice("to", 20, 10, 2);
       for (std::size_t i = 0; i < n; ++i) {
         out.event('s', "flow", 1, flow_id(i)), out.event('f', "flow", 21, flow_id(i) + R"(,"bp":"e")", 2);
       }
     })},
    {"arrows without an end", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("from", 10 * i, 5), out.event('s', "flow", 10 * i + 1, flow_id(i));
     })},
    {"arrows to no slice", 640, events([](TraceEvents& out, std::size_t n) {
       out.slice("op", 0, 5);
       for (std::size_t i = 0; i < n; ++i) {
         out.event('s', "flow", 10 * i + 100, flow_id(i)), out.event('f', "flow", 10 * i + 104, flow_id(i), 2);
       }
     })},
    {"slices of one bind_id", 480, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"bind_id":"0x40","flow_in":true,"flow_out":true)");
     })},
};

const GrowthKind kGpuKinds[] = {
    {"GPU streams", 96, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < 4 * n; ++i) kernel(out, fmt::format("gemm {}", i % 20), 10 * i, 15, i + 1, i % n + 1);
     })},
    {"GPUs", 48, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < 4 * n; ++i) kernel(out, fmt::format("gemm {}", i % 20), 10 * i, 15, i + 1, 7, i % n);
     })},
    {"kernels that overlap on streams", 64, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) kernel(out, "gemm", i, 2 * n, i + 1, i + 1);
     })},
    {"kernels", 480, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) kernel(out, fmt::format("gemm {}", i % 20), 20 * i, 15, i + 1);
     })},
    {"launches", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         launch(out, 20 * i, 10, i + 1), kernel(out, "gemm", 20 * i + 30, 15, i + 1);
         arrow_of_launch(out, 20 * i, 20 * i + 30, i + 1);
       }
     })},
    {"launches long before their kernels", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) launch(out, 20 * i, 10, i + 1), kernel(out, "gemm", 20 * (i + n), 15, i + 1);
     })},
    {"kernels of one correlation", 320, events([](TraceEvents& out, std::size_t n) {
       launch(out, 0, 10, 1);
       for (std::size_t i = 1; i <= n; ++i) kernel(out, "gemm", 20 * i, 15, 1);
     })},
    {"calls of one correlation", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) launch(out, 20 * i, 10, 1);
       kernel(out, "gemm", 20 * n, 15, 1);
     })},
    {"names of kernels", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) kernel(out, fmt::format("void gemm<{}>(float*)", i), 20 * i, 15, i + 1);
     })},
    {"profiled steps", 96, files([](const TempDir& folder, std::size_t n) { write_rank(folder, 0, n); })},
    {"collectives of two ranks", 64, files([](const TempDir& folder, std::size_t n) {
       write_rank(folder, 0, n), write_rank(folder, 1, n);
     })},
    {"ranks", 16, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t rank = 0; rank < n; ++rank) write_rank(folder, rank, 20);
     })},
    {"collectives at one time", 160, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t rank = 0; rank < 2; ++rank) {
         TraceEvents out;
         for (std::size_t i = 0; i < n; ++i) kernel(out, kAllReduce, 100, 50, i + 1, 20);
         folder.write(fmt::format("rank{}.json", rank),
                      fmt::format(R"({{"distributedInfo":{{"rank":{}}},"baseTimeNanoseconds":1775078550000000000,"traceEvents":{}}})",
                                  rank, out.text()));
       }
     })},
};

// Ranks are compared in pairs to find kernels of one collective (core/analysis/collectives/collective_match.h, all pairs) and the
// differences of their clocks (core/store/collectives/collective_clock.h, at most 1,024 pairs of streams beyond neighbours).
const KnownGrowth kKnownOfGpus[] = {{"ranks", "load", 2.8}, {"ranks", "analyse", 3.2}};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: arrows cost at most n log n") { check_growth(kFlowKinds); }
  TEST_CASE("growth: GPUs, launches, steps and collectives cost at most n log n, with known exceptions") { check_growth(kGpuKinds, kKnownOfGpus); }
}
