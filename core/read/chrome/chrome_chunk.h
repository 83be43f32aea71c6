// Interprets one chunk of Trace Event Format records: every phase, on any thread, without looking at other chunks.
// Source: "Trace Event Format" (Google, 2016) and the output of kineto.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/read/chrome/chrome_tracks.h"
#include "core/read/json/text_chunk.h"
#include "core/store/draft/event_batch.h"

namespace tv {

struct ChromePart {
  EventBatch batch;
  std::vector<ChromeMetadata> metadata;
  std::vector<std::string> gpu_tracks;   ///< track keys on which kernels ran
  std::vector<std::string> host_tracks;  ///< track keys on which calls, operators or functions ran

  /// The slice that the last record began, not counting flow events.
  struct LastSlice {
    std::string thread, track;  ///< track: that of the slice
    Ns time = 0;
    std::uint64_t offset = 0;
    std::uint64_t unsaid_correlation = 0;  ///< its correlation id if no flow event has carried it yet; 0: none
    FlowPoint::Kind launch = FlowPoint::Kind::Start;  ///< the kind of such a flow event
  };
  std::optional<LastSlice> last_slice;
  std::size_t leading_flows = 0;  ///< number of flow points before the first record of another kind
  bool only_flows = true;         ///< all records are flow events
  bool proven = true;                   ///< false: the guessed end cuts a record, and all else here is meaningless
};

struct ChromeDialect {
  Ns unit_ns = kMicrosecond;  ///< length of one unit of ts and dur; another value in files with a known defect
  /// Whether traceview exported the file. It then has every arrow as a flow event, and correlation ids are ignored: they were
  /// copied with args, maybe from several files.
  bool exported = false;
};
ChromePart read_chrome_chunk(const TextChunk& chunk, const ChromeDialect& dialect);

}  // namespace tv
