// Traces for tests. A test writes one with TraceSketch, or generates one from a seed and a shape. build_trace() builds each from
// event batches, as it does for files, so a property that holds for these traces also holds for files.
#pragma once

#include <cstdint>
#include <memory>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/store/draft/source_draft.h"
#include "core/store/trace/trace.h"

namespace tv::test {

ThreadPool& test_pool();  ///< two threads, for the whole program

/// Random numbers that are the same with every standard library (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
  }
  /// Uniform in [low, high].
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
  template <class Values>
  const auto& one_of(const Values& values) {
    return std::data(values)[next() % std::size(values)];
  }

 private:
  std::uint64_t state_;
};

/// What went in, to compare with what came out.
struct RawSlice {
  std::string track, name, group;
  Ns begin = 0, duration = 0;  ///< kOpenEnd: never closed
  std::uint64_t offset = 0;
};

/// A source written down event by event. Offsets count up, so that each event has its own.
class TraceSketch {
 public:
  TraceSketch& lane(const std::string& track, RowRule rule, LaneKind kind = LaneKind::Thread,
                    Ns nest_tolerance = 0);
  /// The owners of the lane and its groups are derived from their names, unless the spec gives them.
  TraceSketch& lane(const std::string& track, LaneSpec spec);
  TraceSketch& slice(std::string_view track, Ns begin, Ns duration, std::string_view name = "a",
                     std::string_view group = {}, std::string_view category = "test");
  TraceSketch& half(std::string_view track, HalfEvent::Kind kind, Ns time, std::string_view name = "a",
                    std::string_view key = {});
  TraceSketch& instant(std::string_view track, Ns time, std::string_view name = "i");
  TraceSketch& sample(std::string_view track, Ns time, double value);
  TraceSketch& flow(std::string_view track, FlowPoint::Kind kind, Ns time, std::string_view key,
                    FlowPoint::Bind bind = FlowPoint::Bind::Enclosing);
  /// A flow point in the record of the last slice added.
  TraceSketch& record_flow(std::string_view track, FlowPoint::Kind kind, std::string_view key);
  /// A flow point with a number as its key, as in kineto.
  TraceSketch& numbered_flow(std::string_view track, FlowPoint::Kind kind, Ns time, std::uint64_t number,
                             FlowPoint::Bind bind = FlowPoint::Bind::Enclosing);
  /// Gives the last slice added a correlation id, as a call (Start) or as what it launched (End).
  TraceSketch& correlated(FlowPoint::Kind kind, std::uint64_t number);
  /// Further events go to another batch.
  TraceSketch& next_batch();

  std::vector<RawSlice> raw;  ///< complete slices, in the order they were added
  SourceView view() const;
  std::shared_ptr<const Trace> build() const;

 private:
  struct Batch {
    SliceColumns slices;
    std::shared_ptr<EventBatch> rest = std::make_shared<EventBatch>();
  };

  EventBatch& batch() { return *batches_.back().rest; }
  static std::uint32_t id(StringTable& table, std::string_view text);

  std::vector<Batch> batches_ = std::vector<Batch>(1);
  LaneSpecs lanes_;
  std::uint64_t offset_ = 0;
};

/// The trace with its index.
Snapshot snapshot_of(std::shared_ptr<const Trace> trace);

enum class Shape {
  Nested,        ///< call stacks
  AsyncOverlap,  ///< groups packed side by side, streams with partial overlaps
  Bursts,        ///< thousands of tiny slices close together, then nothing
  HugeGaps,      ///< nanoseconds of work, days apart
  Unsorted,      ///< nested, shuffled over several batches
  Unclosed,      ///< begin and end events, some without their other half
  EqualTimes,    ///< few distinct times, many zero lengths
  OneLane,
  ManyLanes,
  kCount
};
std::string_view name(Shape shape);

TraceSketch gen_trace(std::uint64_t seed, Shape shape);

inline constexpr auto kShapeCount = static_cast<std::uint64_t>(Shape::kCount);
/// The shape that a seed stands for in tests that go through seeds.
inline Shape shape_of(std::uint64_t seed) { return static_cast<Shape>(seed % kShapeCount); }

/// How many of n seeds to test. With sanitizers (TV_SANITIZED), which take ten times as long, an eighth, but at least one of each
/// shape; all of them in `tests/run all` (TV_ALL_SEEDS) and in builds without sanitizers.
std::uint64_t rounds(std::uint64_t n);

/// rounds(n) seeds, or only the one in the environment variable TV_SEED. They are spread over the range below n, since many tests
/// take a size from the seed, and cycle through the shapes.
std::vector<std::uint64_t> seeds(std::uint64_t n = 200);

}  // namespace tv::test
