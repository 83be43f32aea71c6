// Reads one event of a Perfetto trace from its message. A number instead of a name or category stands for the text that the
// sequence last assigned to it; a number without a text becomes "#NUMBER". Views point into the packet. Cost: one pass over the
// message. Source: track_event.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/perfetto_sequence.h"

namespace tv {

struct PerfettoEvent {
  std::int32_t type = perfetto::kNoType;
  std::uint64_t offset = 0;
  Ns time = 0;  ///< on the trace's clock; time and offset are set by the caller
  std::optional<std::uint64_t> track;
  std::string name, category;
  std::optional<double> value;  ///< for a counter
  std::vector<std::uint64_t> extra_tracks, extra_double_tracks, flows, ending_flows;
  std::vector<double> extra_values, extra_double_values;
  std::string_view legacy;  ///< for read_perfetto_legacy()
  std::vector<std::string_view> annotations;
  std::optional<std::int64_t> delta_us, absolute_us;
};
PerfettoEvent read_perfetto_event(const PerfettoSequence& sequence, std::string_view message);

/// An event in the terms of the JSON format (trace_event.h): a phase and its fields.
struct PerfettoLegacy {
  char phase = 0;
  std::optional<std::int64_t> duration_us, pid, tid;
  std::optional<std::uint64_t> id, local_id, bind_id;
  std::string_view scope;
  std::uint64_t instant_scope = 0, direction = 0;
  bool enclosing = false;
};
PerfettoLegacy read_perfetto_legacy(std::string_view message);

}  // namespace tv
