// One file while it is loaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/read/reader.h"
#include "core/session/held/held_segments.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct LoadSource {
  explicit LoadSource(SourceInfo info) : draft(std::move(info)) {}

  CacheKey::File key() const {
    return draft.ask([&](const SourceInfo& info) -> CacheKey::File { return {path, {info.bytes, info.modified_ns}, info.clock_offset}; });
  }

  bool is_to_be_read() const { return reader && !reused && draft.state() == SourceState::Waiting; }

  std::string path;
  std::string head;  // released when it has been read
  const Reader* reader = nullptr;
  bool reused = false;  // it is in a reused segment, which this reader made
  std::shared_ptr<const ReadLog> reused_log;  // data of an earlier load, if the file is unchanged
  SourceDraft draft;
  ReadProgress progress;
  std::optional<std::int64_t> rank;
  std::optional<TimeRange> window;  // in the file's clock
  std::optional<TimeRange> left_out;  // for a rollout that is not selected: when it ran, in the file's clock
  std::optional<Ns> clock_base;     // the clock base found by measuring the window
  std::atomic<std::uint64_t> items = 0;    // read and kept
  std::uint64_t weighed = 0;               // its bytes whose items are counted in the estimate
  std::atomic<std::uint64_t> counted = 0;  // its size once reading has begun; 0 if it is then left out
};
using LoadSources = std::vector<std::unique_ptr<LoadSource>>;

}  // namespace tv
