// Whom a lane or a group of lanes belongs to. Readers fill this in; everybody else asks the lane, because its name can be any text.
//
//   rank 3 actor, pid 4711      member "rank 3", rank 3, pid 4711
//    └ GPU 0 NVIDIA H100        device "GPU 0"
//       └ stream 7              nothing of its own: it belongs to the groups around it
//
// Cost: O(name).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/names/rank_name.h"

namespace tv {

struct LaneOwner {
  std::string member = {};  ///< short name of the rank or worker: "rank 3", "worker 7", "TP01-DP00"
  std::optional<std::int64_t> rank = {}, worker = {}, pid = {};
  std::string device = {};  ///< short name of the device: "GPU 0"

  bool operator==(const LaneOwner&) const = default;
};

LaneOwner owned_by_rank(std::int64_t rank);
LaneOwner owned_by_worker(std::int64_t worker);
LaneOwner owned_by(const RankName& rank);

/// For files that hold only names, such as a trace that another program exported: names that begin with "rank 3", "worker 7" or
/// "TP01-DP00", names of devices, and names that end with "pid 4711".
LaneOwner owner_by_name(std::string_view name);

/// "rank 3 actor, pid 4711" without the process id at its end: it makes names differ, but tells users little.
std::string_view without_pid(std::string_view name, const LaneOwner& owner);

}  // namespace tv
