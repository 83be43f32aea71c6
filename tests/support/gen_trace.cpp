#include "tests/support/gen_trace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "core/store/trace/trace_builder.h"

namespace tv::test {
namespace {

constexpr std::string_view kNames[] = {"gemm", "nccl", "memcpy", "relu", "attn", "wait", "tool", "engine"};

std::string_view some_name(Random& random) { return random.one_of(kNames); }

void add_stack(TraceSketch& sketch, Random& random, const std::string& track, Ns begin, Ns end, int depth) {
  for (Ns t = begin; t < end;) {
    const Ns left = end - t;
    t += random.in(0, left / 4);
    if (t >= end) return;
    const Ns duration = random.chance(0.05) ? 0 : random.in(0, end - t);
    sketch.slice(track, t, duration, some_name(random));
    if (depth > 0 && duration > 1 && random.chance(0.8)) {
      add_stack(sketch, random, track, t, t + duration, depth - 1);
    }
    t += duration;
    if (random.chance(0.3)) return;
  }
}

void nested(TraceSketch& sketch, Random& random, int lanes) {
  for (int lane = 0; lane < lanes; ++lane) {
    const std::string track = "thread " + std::to_string(lane);
    sketch.lane(track, RowRule::Nest);
    for (int root = 0; root < 12; ++root) {
      add_stack(sketch, random, track, root * 100'000, root * 100'000 + 90'000,
                static_cast<int>(random.in(1, 6)));
    }
  }
}

void async_overlap(TraceSketch& sketch, Random& random) {
  sketch.lane("requests", RowRule::Pack, LaneKind::Requests);
  for (int request = 0; request < 150; ++request) {
    const std::string group = "r" + std::to_string(request);
    const Ns begin = random.in(0, 1'000'000), duration = random.in(0, 200'000);
    sketch.slice("requests", begin, duration, "request", group);
    for (Ns t = begin; t < begin + duration; t += random.in(1, 60'000)) {
      sketch.slice("requests", t, std::min(random.in(0, 50'000), begin + duration - t), "turn", group);
    }
  }
  sketch.lane("stream", RowRule::Nest, LaneKind::Stream);
  for (int i = 0; i < 600; ++i) {
    sketch.slice("stream", random.in(0, 1'000'000), random.in(0, 4'000), some_name(random));
  }
}

void bursts(TraceSketch& sketch, Random& random) {
  sketch.lane("stream", RowRule::Nest, LaneKind::Stream);
  Ns t = 0;
  for (int burst = 0; burst < 5; ++burst) {
    const auto n = random.in(1, 6'000);
    for (int i = 0; i < n; ++i) {
      const Ns duration = random.in(0, 40);
      sketch.slice("stream", t, duration, some_name(random));
      t += duration + random.in(0, 3);
    }
    t += random.in(0, 2 * kSecond);
  }
}

void huge_gaps(TraceSketch& sketch, Random& random) {
  Ns t = random.in(0, 1'000);
  for (int i = 0; i < 200; ++i) {
    const std::string track = "thread " + std::to_string(random.in(0, 2));
    sketch.lane(track, RowRule::Nest);
    sketch.slice(track, t, random.in(0, 100), some_name(random));
    t += random.chance(0.9) ? random.in(0, 1'000) : random.in(0, 86'400 * kSecond);
  }
}

void unsorted(TraceSketch& sketch, Random& random) {
  TraceSketch sorted;
  nested(sorted, random, 3);
  std::vector<RawSlice>& raw = sorted.raw;
  for (std::size_t i = raw.size(); i > 1; --i) std::swap(raw[i - 1], raw[random.next() % i]);
  for (const RawSlice& slice : raw) {
    sketch.lane(slice.track, RowRule::Nest);
    sketch.slice(slice.track, slice.begin, slice.duration, slice.name);
    if (random.chance(0.02)) sketch.next_batch();
  }
}

void unclosed(TraceSketch& sketch, Random& random) {
  for (int i = 0; i < 400; ++i) {
    const std::string track = "thread " + std::to_string(random.in(0, 2));
    sketch.lane(track, RowRule::Nest);
    const auto kind = random.chance(0.55) ? HalfEvent::Kind::Begin : HalfEvent::Kind::End;
    sketch.half(track, kind, i * 100 + random.in(0, 150), some_name(random));
  }
  sketch.lane("async", RowRule::Pack, LaneKind::Async);
  for (int i = 0; i < 200; ++i) {
    const auto kind = random.chance(0.55) ? HalfEvent::Kind::AsyncBegin : HalfEvent::Kind::AsyncEnd;
    sketch.half("async", kind, i * 200, "span", "id" + std::to_string(random.in(0, 20)));
  }
}

void equal_times(TraceSketch& sketch, Random& random) {
  constexpr Ns kDurations[] = {0, 0, 0, 1, 2, 5, 10};
  sketch.lane("thread", RowRule::Nest);
  sketch.lane("packed", RowRule::Pack, LaneKind::Async);
  for (int i = 0; i < 120; ++i) {
    sketch.slice("thread", random.in(0, 30), random.one_of(kDurations), some_name(random));
    sketch.slice("packed", random.in(0, 30), random.one_of(kDurations), some_name(random),
                 "g" + std::to_string(random.in(0, 60)));
  }
}

void many_lanes(TraceSketch& sketch, Random& random) {
  for (int lane = 0; lane < 300; ++lane) {
    const std::string track = "t" + std::to_string(lane);
    LaneSpec spec;
    spec.path = {{"rank " + std::to_string(lane / 40)}, {"process " + std::to_string(lane / 8)}, {track}};
    sketch.lane(track, spec);
    for (auto n = random.in(1, 20); n > 0; --n) {
      sketch.slice(track, random.in(0, 1'000'000), random.in(0, 50'000), some_name(random));
    }
  }
}

// Everything that is not a slice.
void garnish(TraceSketch& sketch, Random& random) {
  const std::vector<RawSlice> slices = sketch.raw;
  Ns end = 1'000;
  for (const RawSlice& slice : slices) end = std::max(end, slice.begin);
  for (auto n = random.in(0, 60); n > 0; --n) sketch.instant("marks", random.in(0, end), some_name(random));
  sketch.lane("memory", RowRule::Nest, LaneKind::Counter);
  for (auto n = random.in(0, 400); n > 0; --n) {
    sketch.sample("memory", random.in(0, end), static_cast<double>(random.in(-50, 1000)));
  }
  for (int arrow = 0; arrow < 20 && !slices.empty(); ++arrow) {
    const RawSlice& from = random.one_of(slices);
    const RawSlice& to = random.one_of(slices);
    const std::string key = "arrow " + std::to_string(arrow);
    sketch.flow(from.track, FlowPoint::Kind::Start, from.begin, key);
    sketch.flow(to.track, FlowPoint::Kind::End, to.begin, key);
  }
}

}  // namespace

ThreadPool& test_pool() {
  static ThreadPool pool(2);
  return pool;
}

std::uint32_t TraceSketch::id(StringTable& table, std::string_view text) {
  return static_cast<std::uint32_t>(table.intern(text));
}

TraceSketch& TraceSketch::lane(const std::string& track, RowRule rule, LaneKind kind, Ns nest_tolerance) {
  LaneSpec spec;
  spec.path = {{"process"}, {track}};
  spec.kind = kind;
  spec.rule = rule;
  spec.nest_tolerance = nest_tolerance;
  return lane(track, std::move(spec));
}

TraceSketch& TraceSketch::lane(const std::string& track, LaneSpec spec) {
  for (LaneSegment& segment : spec.path) {
    if (segment.owner == LaneOwner()) segment.owner = owner_by_name(segment.name, &segment != &spec.path.front() && &segment != &spec.path.back());
  }
  lanes_.insert_or_assign(track, std::move(spec));
  return *this;
}

TraceSketch& TraceSketch::slice(std::string_view track, Ns begin, Ns duration, std::string_view name,
                                std::string_view group, std::string_view category) {
  const std::uint32_t key = group.empty() ? kNoGroup : id(batch().keys, group);
  batches_.back().slices.add(id(batch().tracks, track), begin, duration, batch().labels.intern(category, name), key,
                     ++offset_, duration == kOpenEnd ? kUnfinished : 0);
  raw.push_back({std::string(track), std::string(name), std::string(group), begin, duration, offset_});
  return *this;
}

TraceSketch& TraceSketch::half(std::string_view track, HalfEvent::Kind kind, Ns time, std::string_view name,
                               std::string_view key) {
  batch().halves.push_back({kind, !name.empty(), !name.empty(), id(batch().tracks, track),
                            key.empty() ? 0 : id(batch().keys, key), batch().labels.intern("test", name),
                            time, ++offset_, 0});
  return *this;
}

TraceSketch& TraceSketch::instant(std::string_view track, Ns time, std::string_view name) {
  batch().instants.push_back(
      {id(batch().tracks, track), batch().labels.intern("test", name), time, ++offset_});
  return *this;
}

TraceSketch& TraceSketch::sample(std::string_view track, Ns time, double value) {
  batch().samples.push_back({id(batch().tracks, track), time, value});
  return *this;
}

TraceSketch& TraceSketch::flow(std::string_view track, FlowPoint::Kind kind, Ns time, std::string_view key,
                               FlowPoint::Bind bind) {
  batch().flows.push_back({kind, bind, id(batch().tracks, track), id(batch().keys, key), 0, time, ++offset_});
  return *this;
}

TraceSketch& TraceSketch::record_flow(std::string_view track, FlowPoint::Kind kind, std::string_view key) {
  batch().flows.push_back({kind, FlowPoint::Bind::Record, id(batch().tracks, track), id(batch().keys, key), 0,
                           raw.back().begin, raw.back().offset});
  return *this;
}

TraceSketch& TraceSketch::numbered_flow(std::string_view track, FlowPoint::Kind kind, Ns time, std::uint64_t number,
                                        FlowPoint::Bind bind) {
  batch().flows.push_back({kind, bind, id(batch().tracks, track), id(batch().keys, "ac2g"), number, time, ++offset_});
  return *this;
}

TraceSketch& TraceSketch::correlated(FlowPoint::Kind kind, std::uint64_t number) {
  batch().flows.push_back({kind, FlowPoint::Bind::Correlation, id(batch().tracks, raw.back().track), kNoKey, number,
                           raw.back().begin, raw.back().offset});
  return *this;
}

TraceSketch& TraceSketch::next_batch() {
  batches_.emplace_back();
  return *this;
}

SourceView TraceSketch::view() const {
  SourceView view;
  view.info.path = "sketch.json";
  view.info.format = "sketch";
  view.lanes = lanes_;
  SourceNames names;
  for (const Batch& batch : batches_) {
    auto ids = std::make_shared<const BatchIds>(names.unite(*batch.rest));
    EventBatch rest;
    rest.halves = batch.rest->halves;
    rest.instants = batch.rest->instants;
    rest.flows = batch.rest->flows;
    rest.samples = batch.rest->samples;
    rest.problems = batch.rest->problems;
    view.batches.push_back({std::make_shared<const SliceBlock>(batch.slices), std::make_shared<const BatchRest>(std::move(rest)), std::move(ids)});
  }
  view.names = std::make_shared<const SourceNames>(std::move(names));
  return view;
}

std::shared_ptr<const Trace> TraceSketch::build() const { return build_trace({view()}, test_pool()); }

Snapshot snapshot_of(std::shared_ptr<const Trace> trace) {
  Snapshot snapshot;
  snapshot.index = build_index(*trace, test_pool());
  snapshot.trace = std::move(trace);
  snapshot.generation = 1;
  snapshot.complete = true;
  return snapshot;
}

std::string_view name(Shape shape) {
  constexpr std::string_view kShapeNames[] = {"nested",      "async overlap", "bursts",
                                              "huge gaps",   "unsorted",      "unclosed",
                                              "equal times", "one lane",      "many lanes"};
  return kShapeNames[static_cast<std::size_t>(shape)];
}

TraceSketch gen_trace(std::uint64_t seed, Shape shape) {
  Random random(seed);
  TraceSketch sketch;
  switch (shape) {
    case Shape::Nested: nested(sketch, random, static_cast<int>(random.in(2, 6))); break;
    case Shape::AsyncOverlap: async_overlap(sketch, random); break;
    case Shape::Bursts: bursts(sketch, random); break;
    case Shape::HugeGaps: huge_gaps(sketch, random); break;
    case Shape::Unsorted: unsorted(sketch, random); break;
    case Shape::Unclosed: unclosed(sketch, random); break;
    case Shape::EqualTimes: equal_times(sketch, random); break;
    case Shape::OneLane: nested(sketch, random, 1); break;
    case Shape::ManyLanes: many_lanes(sketch, random); break;
    case Shape::kCount: break;
  }
  garnish(sketch, random);
  return sketch;
}

std::uint64_t rounds(std::uint64_t n) {
  return std::getenv("TV_SANITIZED") && !std::getenv("TV_ALL_SEEDS") ? std::max(std::min(n, kShapeCount), n / 8) : n;
}

std::vector<std::uint64_t> seeds(std::uint64_t n) {
  if (const char* only = std::getenv("TV_SEED")) return {std::strtoull(only, nullptr, 10)};
  const std::uint64_t few = rounds(n);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < few; ++i) all.push_back(i + i * (n - few) / few / kShapeCount * kShapeCount);
  return all;
}

}  // namespace tv::test
