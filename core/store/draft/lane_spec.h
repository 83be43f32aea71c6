// A lane as its reader describes it. Its identity is the path of groups that lead to it. Lanes with equal paths are one lane,
// even across files: the lane of a verl worker has slices from the files of all steps.
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
  Stream,      ///< GPU stream: slices follow each other and rarely overlap
  Annotation,  ///< ranges of the program, projected onto a stream
  Async,       ///< async slices of many ids, packed
  Phases,      ///< phases of a rollout worker
  Requests,    ///< concurrent requests of a rollout worker, packed
  Counter,     ///< a numeric series
};

/// Stable name for --json.
std::string_view name(LaneKind kind);

/// How the slices of a lane are put on rows; row_layout.h has the details.
enum class RowRule : std::uint8_t {
  Nest,  ///< a slice is below the slice that contains it; if it overlaps another only in part, it gets a free row
  Pack,  ///< slices with the same group key nest; groups that overlap in time get different slots
};

struct LaneSegment {
  std::string name;
  std::int64_t sort = 0;  ///< first criterion among siblings; then natural order of the name
  std::string key = {};   ///< identity among siblings if names may repeat; empty: the name is the identity
  LaneOwner owner = {};

  const std::string& identity() const { return key.empty() ? name : key; }
};

struct LaneSpec {
  std::vector<LaneSegment> path;  ///< outermost group first, the lane itself last; never empty
  LaneKind kind = LaneKind::Thread;
  RowRule rule = RowRule::Nest;
  /// A slice may end this much after another and still be its child: verl writes some timestamps of rollout logs late.
  Ns nest_tolerance = 0;

  /// The rank of the outermost group.
  std::optional<std::int64_t> rank() const { return path.empty() ? std::nullopt : path.front().owner.rank; }
};

}  // namespace tv
