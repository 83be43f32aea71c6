// Finds the facts that a file's path states: rank, worker, step, pid, role and phase. If the contents state the same fact, they
// take precedence.
// Source: file names of kineto, Megatron, verl, and Nsight Systems.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/draft/lane_spec.h"
#include "core/store/draft/source_info.h"

namespace tv {

struct FileFacts {
  std::optional<std::int64_t> rank, worker, step;
  std::optional<std::int64_t> pid;
  std::string role;
  std::string phase;  ///< the part of a training step, named as in verl's metrics: "update_actor"
  std::string stem;  ///< file name without ".pt.trace.json.gz" and the like
};

FileFacts facts_of(std::string_view path);
/// The outermost group of the lanes of a file at `path`: "rank 3 actor_update", else the file's stem.
LaneSegment source_segment(const FileFacts& facts, const std::string& path);
/// Stores the facts by which files of one run are joined.
void store_facts(const FileFacts& facts, SourceInfo& info);

/// The rank in PyTorch's object distributedInfo: its own member, not one of an object inside it. The object may be cut off.
std::optional<std::int64_t> stated_rank(std::string_view distributed_info);

/// The rank that PyTorch writes near the beginning of a file, unless the file is merged; else the rank or the worker in the path.
/// `head`: the beginning of the file.
std::optional<std::int64_t> rank_of(std::string_view path, std::string_view head);

}  // namespace tv
