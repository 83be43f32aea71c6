// A file while it is loaded.
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
  explicit LoadSource(SourceInfo info) : path(info.path), draft(std::move(info)) {}

  CacheKey::File key() const {
    return draft.ask([&](const SourceInfo& info) -> CacheKey::File { return {path, {info.bytes, info.modified_ns}, info.clock_offset}; });
  }

  bool is_to_be_read() const { return reader && !reused && draft.state() == SourceState::Waiting; }

  std::string path;
  std::string head;  // the beginning of its text, until it has been read
  const Reader* reader = nullptr;
  bool replaced = false;  // an earlier load read it in another state
  bool reused = false;    // it is in a reused segment, which `reader` made
  std::shared_ptr<const ReadLog> reused_log;  // data of an earlier load, if the file is unchanged
  SourceDraft draft;
  ReadProgress progress;
  std::optional<std::int64_t> rank;
  std::optional<FileRange> window;
  std::optional<FileRange> left_out;  // when a rollout ran that is not selected
  std::optional<ClockShift<FileTime, BuiltTime>> clock_base;  // found by measuring the window
  std::atomic<std::uint64_t> items = 0;  // read and kept
  std::uint64_t weighed = 0;             // bytes whose items MemoryWatch has counted
  std::uint64_t counted = 0;             // its size once reading has begun; 0 again if it is left out
};
using LoadSources = std::vector<std::unique_ptr<LoadSource>>;

}  // namespace tv
