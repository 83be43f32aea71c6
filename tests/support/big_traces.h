// Inputs as large as real ones, for benchmarks and manual tests: generated from a seed, byte for byte the same on every
// machine, together with their ground truth.
//
// The ground truth is counted during writing, without our readers, so that it can be compared with a Trace. All arithmetic is on
// integers; random numbers come from Random. Times are nanoseconds. Cost: 0.3 to 1.5 GB/s; memory does not grow with the size of
// what is written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace tv::test {

/// Takes the next part of a file: a megabyte or more, except the last one.
using Sink = std::function<void(std::string_view bytes)>;
/// Takes a whole file; its path is relative to the folder of the run.
using FileSink = std::function<void(std::string_view path, std::string_view bytes)>;

/// What a Trace of the written files holds.
struct BigTruth {
  struct Total {
    std::string name;
    Ns total_ns = 0;
    bool operator==(const Total&) const = default;
  };

  std::uint64_t bytes = 0, files = 1;
  std::uint64_t slices = 0, instants = 0, samples = 0;
  std::uint64_t flows = 0;      ///< arrows: starts with their ends; ends without a start do not count
  std::uint64_t lanes = 0;      ///< lanes that hold something, groups not counted
  std::uint64_t names = 0;      ///< distinct names of slices and instants
  Ns begin_ns = 0, end_ns = 0;  ///< absolute: first begin, last end
  std::vector<Total> longest;   ///< five names by the sum of their slices' durations, largest first
  std::uint64_t steps = 0, workers = 0, requests = 0;  ///< of rollouts
};

/// One object with the fields' names as keys.
std::string to_json(const BigTruth& truth);

/// Training steps of one rank as the PyTorch profiler writes them with stacks and shapes on: python and operator
/// slices of three threads, launches, kernels on four streams, collectives, arrows, memory instants, counters.
struct KinetoPlan {
  std::uint64_t bytes = 0;  ///< reached to within a thousandth, or a layer (400 kB)
  std::uint64_t seed = 1;
  int rank = 0;
  bool absolute = false;   ///< times since 1970 and no clock base, as in March 2024; else relative to a base
  bool base_last = false;  ///< the clock base after the events, as until 2025; else before them
  bool one_line = false;   ///< without line breaks and indentation
};
BigTruth write_kineto(const KinetoPlan& plan, const Sink& sink);

/// verl's multi-turn rollout, step_N/worker_M.jsonl. Zero: as many as give `bytes` in total, with 8 workers and up to
/// 330 requests per file, which is 1,200 files for 3 GB.
struct RolloutPlan {
  std::uint64_t bytes = 0;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0, workers = 0, requests = 0;  ///< requests: per file
};
BigTruth write_rollout(const RolloutPlan& plan, const FileSink& sink);

/// A verl console log of about `bytes` bytes: a line of metrics per 2 MB of other output.
BigTruth write_console(std::uint64_t bytes, std::uint64_t seed, const Sink& sink);

/// One thread with `slices` slices in call trees up to 48 deep. 20 M: 1.7 GB.
BigTruth write_deep_lane(std::uint64_t slices, std::uint64_t seed, const Sink& sink);
/// `lanes` threads of many processes, each with 20 slices and a name.
BigTruth write_many_lanes(std::uint64_t lanes, std::uint64_t seed, const Sink& sink);
/// `spans` b/e spans, each with its own id, all open at the same time, ended in scattered order.
BigTruth write_async(std::uint64_t spans, std::uint64_t seed, const Sink& sink);
/// `slices` ordinary slices; the one in the middle has a text of `arg_bytes` among its args.
BigTruth write_big_arg(std::uint64_t slices, std::uint64_t arg_bytes, std::uint64_t seed, const Sink& sink);

}  // namespace tv::test
