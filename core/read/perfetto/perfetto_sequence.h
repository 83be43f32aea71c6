// Values to which the packets of one sequence (one writer, mostly one thread) refer by number, or which they leave out: names,
// categories, defaults. A packet's flags can clear these. Source: trace_packet.proto (sequence_flags), interned_data.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tv {

/// An entry of InternedData. `kind`: its field (perfetto::Interned).
struct PerfettoText {
  std::uint32_t kind = 0;
  std::uint64_t iid = 0;
  std::string_view text;
};
/// The entries that are texts, and the source locations as "function (file:line)"; `locations` stores the texts of the latter.
std::vector<PerfettoText> interned_texts(std::string_view interned_data, std::vector<std::string>& locations);

struct PerfettoSequence {
  std::unordered_map<std::uint64_t, std::string> names, categories;
  std::optional<std::uint64_t> track;  ///< for events that name no track
  std::optional<std::uint32_t> clock;
  std::vector<std::uint64_t> extra_tracks, extra_double_tracks;
  std::optional<std::pair<std::int64_t, std::int64_t>> thread;  ///< pid and tid; in traces older than tracks
  std::int64_t reference_us = 0;                                ///< in traces older than tracks
  std::unordered_map<std::uint64_t, double> counters;           ///< current values of incremental counters, by track

  /// Call when a packet's flags say that the state is lost.
  void clear();
  void add_texts(std::string_view interned_data);
  void set_defaults(std::string_view defaults);
};

/// The fields of a packet that are needed to read its event: sequence, time, texts, defaults.
struct PerfettoEnvelope {
  std::uint32_t sequence = 0;
  bool cleared = false;
  std::optional<std::uint64_t> timestamp;
  std::optional<std::uint32_t> clock;
  std::string_view interned, event;
  std::optional<std::string_view> defaults;
  bool has_event = false;
  std::uint8_t mark = 0;
};
PerfettoEnvelope read_envelope(std::string_view packet);

}  // namespace tv
