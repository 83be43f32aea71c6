// Values that the packets of one sequence (one writer, mostly one thread) refer to by number or leave out:
// names, categories, defaults. Forgotten when the sequence says so. Source: trace_packet.proto (sequence_flags),
// interned_data.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tv {

/// One of InternedData's entries. `kind`: the field it stands in (perfetto::Interned).
struct PerfettoText {
  std::uint32_t kind = 0;
  std::uint64_t iid = 0;
  std::string_view text;
};
/// Visits the entries that are texts, those of source locations as "function (file:line)".
std::vector<PerfettoText> interned_texts(std::string_view interned_data, std::vector<std::string>& made);

struct PerfettoSequence {
  std::unordered_map<std::uint64_t, std::string> names, categories;
  std::optional<std::uint64_t> track;  ///< for events that do not name theirs
  std::optional<std::uint32_t> clock;
  std::vector<std::uint64_t> extra_tracks, extra_double_tracks;
  std::optional<std::pair<std::int64_t, std::int64_t>> thread;  ///< pid, tid: of the time before tracks
  std::int64_t reference_us = 0;                                ///< from the time before tracks
  std::unordered_map<std::uint64_t, double> counters;           ///< incremental ones by track

  /// A packet's flags: the state may be gone.
  void clear();
  void add_texts(std::string_view interned_data);
  void set_defaults(std::string_view defaults);
};

/// The fields of a packet that tell whose it is, found before anything else is read.
struct PerfettoEnvelope {
  std::uint32_t sequence = 0;
  bool cleared = false;
  std::optional<std::uint64_t> timestamp;
  std::optional<std::uint32_t> clock;
  std::string_view interned, defaults, event;
  bool has_event = false;
  std::uint8_t mark = 0;
};
PerfettoEnvelope read_envelope(std::string_view packet);

}  // namespace tv
