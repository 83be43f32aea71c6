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
    std::uint64_t id = 0, shown = 0, unit = 1;
    bool incremental = false;
    ProtoFields clock(field.bytes);
    ProtoField of;
    while (clock.next(of)) {
      if (of.number == pf::kClockId) id = of.value;
      if (of.number == pf::kClockTime) shown = of.value;
      if (of.number == pf::kIncrementalClock) incremental = of.flag();
      if (of.number == pf::kClockUnit && of.value > 0) unit = std::min<std::uint64_t>(of.value, kSecond);
    }
    if (shown > kMostTicks / unit) continue;
    ClockState& state = clocks_[key_of(sequence, static_cast<std::uint32_t>(id))];
    state.unit = static_cast<Ns>(unit);
    state.incremental = incremental;
    state.last = shown;
    state.readings.push_back({static_cast<Ns>(shown * unit), snapshots_});
  }
  if (wall_known_) return;
  const auto wall = clocks_.find({0, pf::kRealtime}), own = clocks_.find({0, main_});
  if (wall == clocks_.end() || own == clocks_.end()) return;
  if (const auto at = across(own->second, wall->second, own->second.readings.back().at)) {
    to_wall_ = *at - own->second.readings.back().at;
    wall_known_ = true;
  }
}

// Converts with the last snapshot before it that has both clocks, or else the first one.
std::optional<Ns> PerfettoClocks::across(const ClockState& from, const ClockState& to, Ns at) const {
  const auto by = [&](const Reading& reading) -> std::optional<Ns> {
    const auto other = std::ranges::lower_bound(to.readings, reading.snapshot, {}, &Reading::snapshot);
    if (other == to.readings.end() || other->snapshot != reading.snapshot) return std::nullopt;
    return other->at + (at - reading.at);
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
  const auto own = clocks_.find({0, main_});
  if (own != clocks_.end()) {
    if (const auto direct = across(state, own->second, at)) return direct;
    for (const auto& [key, between] : clocks_) {
      const auto there = across(state, between, at);
      if (!there) continue;
      if (const auto then = across(between, own->second, *there)) return then;
    }
  }
  return std::nullopt;
}

}  // namespace tv
