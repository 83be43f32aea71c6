#include "tests/support/gen_gpu.h"

#include <string>

namespace tv::test {
namespace {

struct Stage {
  TraceSketch& sketch;
  Random& random;
  std::string rank;
  int arrows = 0;
};

void add_work(Stage& stage, const std::string& stream, Ns begin, Ns duration, Ns launched) {
  constexpr std::string_view kKernels[] = {"gemm", "softmax", "void add<float>(float*)", "ncclDevKernel_AllReduce",
                                           "ncclKernel_Gather"};
  const bool memory = stage.random.chance(0.2);
  const bool graph = !memory && stage.random.chance(0.1);
  const std::string_view name = memory  ? "Memcpy HtoD (Pageable -> Device)"
                                : graph ? "CUDA graph 3"
                                        : stage.random.one_of(kKernels);
  const std::string track = stage.rank + " gpu " + stream;
  stage.sketch.slice(track, begin, duration, name, {}, memory ? "gpu_memcpy" : graph ? "cuda_graph" : "kernel");
  if (launched < 0) return;
  const std::string key = stage.rank + " " + std::to_string(stage.arrows++);
  stage.sketch.slice(stage.rank + " cpu", launched, stage.random.in(1, 30), "cudaLaunchKernel", {}, "cuda_runtime");
  stage.sketch.flow(stage.rank + " cpu", FlowPoint::Kind::Start, launched, key);
  stage.sketch.flow(track, FlowPoint::Kind::End, begin, key);
}

void add_stream(Stage& stage, const std::string& stream) {
  Ns t = stage.random.in(100, 400);
  for (auto n = stage.random.in(1, 25); n > 0 && t < kGenGpuEnd - 300; --n) {
    const Ns duration = stage.random.chance(0.1) ? 0 : stage.random.in(1, 150);
    const bool known = stage.random.chance(0.8);
    add_work(stage, stream, t, duration, known ? std::max<Ns>(t - stage.random.in(1, 200), 0) : -1);
    // Now and then two of one stream overlap, which makes a second row.
    t += stage.random.chance(0.15) ? duration / 2 : duration;
    t += stage.random.chance(0.4) ? 0 : stage.random.in(0, 250);
  }
}

void add_thread(Stage& stage) {
  constexpr std::string_view kWaits[] = {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaMemcpy",
                                         "cudaMemcpyAsync"};
  const std::string cpu = stage.rank + " cpu";
  int turn = static_cast<int>(stage.random.in(0, 50));
  const bool numbered = stage.random.chance(0.7);
  for (Ns t = 0; t < kGenGpuEnd - 400;) {
    const Ns length = stage.random.in(100, 700);
    const std::string name = numbered ? "iteration " + std::to_string(turn++) : "iteration";
    stage.sketch.slice(cpu, t, length, name, {}, "user_annotation");
    if (stage.random.chance(0.8))
      stage.sketch.slice(stage.rank + " gpu marks", t + 20, length, name, {}, "gpu_user_annotation");
    const Ns wait = stage.random.in(5, 90);
    stage.sketch.slice(cpu, t + stage.random.in(1, length - wait - 1), wait, stage.random.one_of(kWaits), {},
                       "cuda_runtime");
    t += length + stage.random.in(0, 40);
  }
}

}  // namespace

void add_gpu_rank(TraceSketch& sketch, int rank) {
  const std::string n = std::to_string(rank), process = "rank " + n, gpu = "GPU " + n, track = "r" + n;
  for (const char* const stream : {"7", "22"}) {
    sketch.lane(track + " gpu " + stream, {{{process, rank}, {gpu}, {std::string("stream ") + stream}}, LaneKind::Stream});
  }
  sketch.lane(track + " gpu marks", {{{process, rank}, {gpu}, {"stream 7 annotations"}}, LaneKind::Annotation});
  sketch.lane(track + " cpu", {{{process, rank}, {"python 1"}, {"thread 1"}}});
}

TraceSketch gen_gpu_trace(std::uint64_t seed) {
  Random random(seed);
  TraceSketch sketch;
  const int ranks = static_cast<int>(random.in(1, 3));
  for (int rank = 0; rank < ranks; ++rank) {
    add_gpu_rank(sketch, rank);
    Stage stage{sketch, random, "r" + std::to_string(rank)};
    add_thread(stage);
    if (rank > 0 && random.chance(0.1)) continue;
    add_stream(stage, "7");
    if (random.chance(0.7)) add_stream(stage, "22");
  }
  return sketch;
}

}  // namespace tv::test
