// Finds ranks in texts. Readers do so and put the result on lanes (lane_owner.h); analyses and views ask the lane.
//
//   "app [Rank 12]", "rank12 python"     rank 12
//   "[TP01-DP00] 4101", "Worker_DP0_TP1"  places in tensor, data, pipeline, expert or context parallelism; with only one kind, its
//                                         number is the rank's
//
// A lane's rank comes from the first of these that has one:
//   1  names and ids of processes, where they name several ranks: each process has its own
//   2  the file's contents (distributedInfo)
//   3  its path (file_facts.h)
//   4  names and ids of processes, where they name one rank
// The name of a rank's group begins with the rank, or with the place as the file writes it.
// Source: PyTorch's and Paddle's profilers, merge_profiles of SGLang, workers of SGLang and vLLM. Cost: O(text).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

struct RankName {
  std::optional<std::int64_t> number = {};  ///< the rank's number
  bool said = false;                   ///< the text has the word "rank"
  std::string place = {};                   ///< "TP01-DP00": the places as written, joined by "-"
  std::int64_t sort = 0;               ///< order among ranks
  bool operator==(const RankName&) const = default;

  /// "rank 12", "TP01-DP00", "rank 12 TP01-DP00".
  std::string text() const;
};

/// Finds the rank in a process's name, or in an id that is a text.
std::optional<RankName> rank_in_text(std::string_view text);
/// Only the number, from "rank 12" and similar names.
std::optional<std::int64_t> rank_in_name(std::string_view process);
/// Turns "[TP01-DP00] 4101" into "4101", which is the id from before files were merged. Other texts stay as they are.
std::string_view without_rank(std::string_view pid);
/// Turns "1760000000.5-DP-1-TP-0", which is how SGLang names its files, into "DP1-TP0". Else empty.
std::string place_in_file_name(std::string_view stem);

/// In a file of several ranks, separates the file's own key from the rank's name in the key of a rank's group.
inline constexpr std::string_view kRankInKey = " rank ";

/// Finds a rank only at the beginning of the name, as in names of groups: "rank 3 actor, ref, pid 4711", "TP01-DP00 4101".
std::optional<RankName> rank_at_begin(std::string_view name);

}  // namespace tv
