// The rank, worker, run, process, thread, device and stream of a lane or a group of lanes. Readers set the owner. Other code uses
// it instead of parsing the lane's name, which can be any text.
//
//   rank 3 actor, pid 4711      member "rank 3", rank 3, pid 4711
//    ├ thread 4720              thread 4720
//    └ GPU 0 NVIDIA H100        device "GPU 0"
//       └ stream 7              stream 7; the groups around it have the rest
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
  std::optional<std::int64_t> rank = {}, worker = {};
  std::optional<std::int64_t> pid = {};  ///< process id
  std::string device = {};  ///< short name of the device: "GPU 0"
  std::optional<std::int64_t> thread = {};  ///< thread id
  std::optional<std::int64_t> stream = {};  ///< number of the stream on its device
  std::string run = {};  ///< name of the run, for the outermost group of a log: "exp", "exp (run 2)", "train.log"

  bool operator==(const LaneOwner&) const = default;
};

LaneOwner owned_by_rank(std::int64_t rank);
LaneOwner owned_by_worker(std::int64_t worker);
LaneOwner owned_by(const RankName& rank);
/// The number of the GPU: 3 for the device "GPU 3". None for devices of other kinds.
std::optional<std::int64_t> gpu_number(const LaneOwner& owner);

/// Parses a name, for files that hold only names. A lane belongs to "rank 3", "worker 7" or "TP01-DP00" if its name begins with
/// that. The name of a process may also have its rank elsewhere. Finds devices and a final "pid 4711" and, if this is not a
/// process, "thread 1375" and "stream 7", too.
LaneOwner owner_by_name(std::string_view name, bool is_process);

/// The lane of CUDA calls that the reader of Nsight Systems makes.
inline constexpr std::string_view kCallsLane = "CUDA API";
/// For files of earlier versions, and exports, which hold only names: if `lane` is such a lane, the group around it is a thread,
/// "python 4711". Sets the thread in the group's owner.
void note_thread_of_calls(std::string_view lane, std::string_view group, LaneOwner& owner);

/// "rank 3 actor, pid 4711" -> "rank 3 actor". The process id makes names differ, but tells users little.
std::string_view without_pid(std::string_view name, const LaneOwner& owner);
/// The name with more words in front of its process id: "rank 3 actor, before, pid 4711".
std::string with_words(std::string_view name, const LaneOwner& owner, std::string_view words);

}  // namespace tv
