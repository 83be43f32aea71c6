#include "core/read/perfetto/perfetto_clocks.h"

#include <algorithm>

#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/proto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr std::uint64_t kMostTicks = kLatestTime;

}  // namespace

PerfettoClocks::ClockKey PerfettoClocks::key_of(std::uint32_t sequence, std::uint32_t clock) {
  const bool of_sequence = clock >= pf::kFirstOfSequence && clock <= pf::kLastOfSequence;
  return {of_sequence ? sequence : 0, clock};
}

void PerfettoClocks::add_snapshot(std::uint32_t sequence, std::string_view snapshot) {
  ++snapshots_;
  ProtoFields fields(snapshot);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kPrimaryClock && field.value > 0 && snapshots_ == 1)
      main_ = static_cast<std::uint32_t>(field.value);
    if (field.number != pf::kClocks) continue;
    std::uint64_t id = 0, ticks = 0, unit = 1;
    bool incremental = false;
    ProtoFields clock(field.bytes);
    ProtoField inner;
    while (clock.next(inner)) {
      if (inner.number == pf::kClockId) id = inner.value;
      if (inner.number == pf::kClockTime) ticks = inner.value;
      if (inner.number == pf::kIncrementalClock) incremental = inner.flag();
      if (inner.number == pf::kClockUnit && inner.value > 0) unit = std::min<std::uint64_t>(inner.value, kSecond);
    }
    if (ticks > kMostTicks / unit) continue;
    ClockState& state = clocks_[key_of(sequence, static_cast<std::uint32_t>(id))];
    state.unit = static_cast<Ns>(unit);
    state.incremental = incremental;
    state.last = ticks;
    state.readings.push_back({static_cast<Ns>(ticks * unit), snapshots_});
  }
  if (wall_known_) return;
  const auto wall = clocks_.find({0, pf::kRealtime}), trace_clock = clocks_.find({0, main_});
  if (wall == clocks_.end() || trace_clock == clocks_.end()) return;
  // No earlier snapshot has both.
  if (wall->second.readings.back().snapshot != snapshots_ || trace_clock->second.readings.back().snapshot != snapshots_) return;
  if (const auto at = across(trace_clock->second, wall->second, trace_clock->second.readings.back().at)) {
    to_wall_ = *at - trace_clock->second.readings.back().at;
    wall_known_ = true;
  }
}

// Converts with the last snapshot before `at` that has both clocks, or else with the first one after it.
std::optional<Ns> PerfettoClocks::across(const ClockState& from, const ClockState& to, Ns at) const {
  const auto by = [&](const Reading& reading) -> std::optional<Ns> {
    const auto same = std::ranges::lower_bound(to.readings, reading.snapshot, {}, &Reading::snapshot);
    if (same == to.readings.end() || same->snapshot != reading.snapshot) return std::nullopt;
    return same->at + (at - reading.at);
  };
  const auto after = std::ranges::upper_bound(from.readings, at, {}, &Reading::at);
  for (auto reading = after; reading != from.readings.begin();) {
    if (const auto there = by(*--reading)) return there;
  }
  for (auto reading = after; reading != from.readings.end(); ++reading) {
    if (const auto there = by(*reading)) return there;
  }
  return std::nullopt;
}

// As across(), but remembers the snapshots that have both clocks. Otherwise, each event would look at all later snapshots that
// lack the trace's clock.
std::optional<Ns> PerfettoClocks::across_to_trace(ClockState& from, const ClockState& trace_clock, Ns at) {
  for (; from.joined < from.readings.size(); ++from.joined) {
    const Reading& reading = from.readings[from.joined];
    const auto same = std::ranges::lower_bound(trace_clock.readings, reading.snapshot, {}, &Reading::snapshot);
    if (same == trace_clock.readings.end() || same->snapshot != reading.snapshot) continue;
    from.joints.push_back({reading.at, same->at});
  }
  if (from.joints.empty()) return std::nullopt;
  const auto after = std::ranges::upper_bound(from.joints, at, {}, &Joint::at);
  const Joint& joint = after == from.joints.begin() ? *after : *(after - 1);
  return joint.on_trace + (at - joint.at);
}

std::optional<Ns> PerfettoClocks::time(std::uint32_t sequence, std::uint32_t clock, std::uint64_t timestamp) {
  const auto found = clocks_.find(key_of(sequence, clock));
  if (found == clocks_.end()) {
    const bool plain = clock == main_ || clocks_.empty();
    return plain && timestamp <= kMostTicks ? std::optional(static_cast<Ns>(timestamp)) : std::nullopt;
  }
  ClockState& state = found->second;
  if (state.incremental) {
    state.last += timestamp;
    timestamp = state.last;
  }
  if (timestamp > kMostTicks / static_cast<std::uint64_t>(state.unit)) return std::nullopt;
  const Ns at = static_cast<Ns>(timestamp) * state.unit;
  if (clock == main_) return at;
  const auto trace_clock = clocks_.find({0, main_});
  if (trace_clock != clocks_.end()) {
    if (const auto direct = across_to_trace(state, trace_clock->second, at)) return direct;
    for (auto& [key, between] : clocks_) {
      const auto there = across(state, between, at);
      if (!there) continue;
      if (const auto then = across_to_trace(between, trace_clock->second, *there)) return then;
    }
  }
  return std::nullopt;
}

}  // namespace tv
