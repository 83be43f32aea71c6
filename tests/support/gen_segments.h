// Several sources as separate segments, and built all at once: both must give the same trace.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "core/store/segments/compose.h"
#include "core/store/segments/one_segment.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

namespace tv::test {

constexpr Ns kCloseTogether = 777, kInRuns = 30 * 86'400 * kSecond;

/// A source whose lanes are below its own group, unless sources share lanes. `apart`: its clock minus that of the source before.
inline SourceView numbered_source(std::uint64_t seed, std::size_t number, bool shared_lanes = false, Ns apart = kCloseTogether) {
  SourceView view = gen_trace(seed * 8 + number, shape_of(seed + number)).view();
  view.info.path = fmt::format("source_{}.json", number);
  view.clock_base = {static_cast<Ns>(number) * apart};
  if (shared_lanes) return view;
  for (auto& [track, spec] : view.lanes) spec.path.insert(spec.path.begin(), {view.info.path});
  return view;
}

inline std::shared_ptr<const Trace> built(std::vector<SourceView> views) { return build_trace(std::move(views), test_pool()); }

/// Numbers of sources in random order. A view keeps the order of groups (lane_tree.h), so both ways use this one.
inline std::vector<std::size_t> order_of_sources(std::uint64_t seed, std::size_t sources) {
  std::vector<std::size_t> order(sources);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed);
  for (std::size_t s = sources; s-- > 1;) {
    std::swap(order[s], order[static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(s)))]);
  }
  return order;
}

inline Segments segments_of(std::uint64_t seed, std::size_t sources, bool shared_lanes = false, Ns apart = kCloseTogether) {
  Segments segments;
  for (const std::size_t s : order_of_sources(seed, sources)) segments.push_back(built({numbered_source(seed, s, shared_lanes, apart)}));
  return segments;
}

/// The sources combined, each a segment of its own.
inline std::shared_ptr<const Trace> view_of(const std::vector<SourceView>& sources, PlaceBy clocks = PlaceBy::Collectives,
                                            AlignChoice align = Align::Recorded, ThreadPool& pool = test_pool()) {
  Segments segments;
  for (const SourceView& source : sources) segments.push_back(built({source}));
  return compose(segments, clocks, {}, {}, align, 0, &pool).value();
}

/// The sources as one segment. With Align::Recorded it is built from all of them at once.
inline std::shared_ptr<const Trace> all_at_once(std::uint64_t seed, std::size_t sources, bool shared_lanes = false,
                                                Ns apart = kCloseTogether, Align align = Align::Recorded) {
  std::vector<SourceView> views;
  for (const std::size_t s : order_of_sources(seed, sources)) views.push_back(numbered_source(seed, s, shared_lanes, apart));
  if (align == Align::Recorded) return built(std::move(views));
  return as_one_segment(*view_of(views, PlaceBy::Collectives, align), test_pool()).value();
}

}  // namespace tv::test
