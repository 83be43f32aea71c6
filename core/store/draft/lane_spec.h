// The identity of a lane as given by a reader: the path of groups down to it. Lanes with equal paths are one lane, even across
// files: a verl worker's lane gets slices from the files of all its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/store/draft/lane_owner.h"

namespace tv {

enum class LaneKind : std::uint8_t {
  Group,       ///< contains lanes, has no slices itself
  Thread,      ///< CPU thread: slices nest
  Stream,      ///< GPU stream: slices follow each other, rarely overlap
  Annotation,  ///< user ranges that are projected onto a stream
  Async,       ///< spans of many ids, packed
  Phases,      ///< phases of a rollout worker
  Requests,    ///< concurrent requests of a rollout worker, packed
  Counter,     ///< a numeric series
};

/// Stable name for --json.
std::string_view name(LaneKind kind);

/// How slices of a lane are put on rows; see row_layout.h.
enum class RowRule : std::uint8_t {
  Nest,  ///< by containment; a partial overlap takes the next free row
  Pack,  ///< slices of one group key nest together; overlapping groups get their own slots
};

struct LaneSegment {
  std::string name;
  std::int64_t sort = 0;  ///< first criterion among siblings; then natural order of the name
  std::string key = {};   ///< identity among siblings when names may repeat; empty = the name
  LaneOwner owner = {};

  const std::string& identity() const { return key.empty() ? name : key; }
};

struct LaneSpec {
  std::vector<LaneSegment> path;  ///< outermost group first, the lane itself last; never empty
  LaneKind kind = LaneKind::Thread;
  RowRule rule = RowRule::Nest;
  /// A child may end this much after its parent and still be its child (verl stamps some ends late, rollout logs).
  Ns nest_tolerance = 0;

  /// The rank of the outermost group.
  std::optional<std::int64_t> rank() const { return path.empty() ? std::nullopt : path.front().owner.rank; }
};

}  // namespace tv
