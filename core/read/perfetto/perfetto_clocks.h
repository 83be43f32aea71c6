// Converts times of a Perfetto trace to one clock. A snapshot lists the readings of several clocks at one moment. Each time is
// converted with the last snapshot before it that has both clocks, else with the first one after it; if no snapshot has both, by
// way of a third clock. Clocks 64 to 127 belong to a sequence of packets. A time on an incremental clock counts from the
// sequence's previous packet.
// Source: clock_snapshot.proto.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace tv {

class PerfettoClocks {
 public:
  void add_snapshot(std::uint32_t sequence, std::string_view snapshot);
  /// Converts a packet's timestamp to the trace's clock. Nothing if no snapshots connect the clocks.
  std::optional<Ns> time(std::uint32_t sequence, std::uint32_t clock, std::uint64_t timestamp);
  /// The time since the epoch minus the time on the trace's clock. 0 if no snapshot has both.
  Ns to_wall() const { return to_wall_; }
  /// The trace's clock, which is that of packets that name none, unless their sequence has a default.
  std::uint32_t main_clock() const { return main_; }

 private:
  using ClockKey = std::pair<std::uint32_t, std::uint32_t>;  // sequence (0 for clocks of the machine), id
  struct Reading {
    Ns at = 0;
    std::uint64_t snapshot = 0;  // number of the snapshot
  };
  struct Joint {
    Ns at = 0, on_trace = 0;  // one moment on a clock and on the trace's clock
  };
  struct ClockState {
    std::vector<Reading> readings;  // by snapshot
    std::vector<Joint> joints;      // of those snapshots among the first `joined` readings that have the trace's clock as well
    std::size_t joined = 0;
    Ns unit = 1;
    bool incremental = false;
    std::uint64_t last = 0;
  };

  static ClockKey key_of(std::uint32_t sequence, std::uint32_t clock);
  std::optional<Ns> across(const ClockState& from, const ClockState& to, Ns at) const;
  std::optional<Ns> across_to_trace(ClockState& from, const ClockState& trace_clock, Ns at);

  std::map<ClockKey, ClockState> clocks_;
  std::uint64_t snapshots_ = 0;
  std::uint32_t main_ = 6;  // the trace's clock: boottime unless the first snapshot names another
  Ns to_wall_ = 0;
  bool wall_known_ = false;
};

}  // namespace tv
