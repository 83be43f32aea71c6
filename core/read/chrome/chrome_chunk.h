// Reads the records of one chunk of a Trace Event Format file: every phase, on any thread, without looking at other chunks.
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
  std::vector<std::string> gpu_tracks;   ///< keys of tracks on which kernels ran
  std::vector<std::string> host_tracks;  ///< keys of tracks on which calls, operators or functions ran

  /// The slice that begins in the last record other than flow events. Its own flow events may begin the next chunk (last_slice.h).
  struct LastSlice {
    std::string thread;  ///< key of the track that its flow events name
    std::string track;   ///< key of its own track
    Ns time = 0;
    std::uint64_t offset = 0;
    std::uint64_t unrepeated_correlation = 0;  ///< its correlation id if no flow event has repeated it yet; 0: none
    FlowPoint::Kind repeating_kind = FlowPoint::Kind::Start;  ///< the kind of the flow event that would repeat it
  };
  std::optional<LastSlice> last_slice;  ///< none if that record begins no slice
  std::size_t leading_flows = 0;        ///< number of flow points before the first record of another kind
  bool only_flows = true;               ///< whether all records are flow events
  bool proven = true;  ///< false: the chunk's guessed end cuts a record, and all other members are meaningless
};

struct ChromeDialect {
  Ns unit_ns = kMicrosecond;  ///< unit of ts and dur; files with a known defect have another one
  /// Whether traceview exported the file. Then every arrow is a flow event. Correlation ids are ignored, because the export copies
  /// them with the args, maybe from several files that use the same ids.
  bool exported = false;
};

ChromePart read_chrome_chunk(const TextChunk& chunk, const ChromeDialect& dialect);

}  // namespace tv
