// Interprets one chunk of Trace Event Format records: every phase, on any thread, without looking at other chunks.
// Source: "Trace Event Format" (Google, 2016); what writers really do: formats.md sections 2 and 3.
#pragma once

#include <string>
#include <vector>

#include "core/read/chrome_tracks.h"
#include "core/read/text_chunk.h"
#include "core/store/event_batch.h"

namespace tv {

struct ChromePart {
  EventBatch batch;
  std::vector<ChromeMetadata> metadata;
  std::vector<std::string> gpu_tracks;  ///< track keys on which kernels ran
  bool proven = true;                   ///< false: a guessed chunk that is not whole records; nothing else holds then
};

/// `unit_ns`: what one unit of ts and dur is; 1000 except for files with a known defect.
ChromePart read_chrome_chunk(const TextChunk& chunk, Ns unit_ns);

}  // namespace tv
