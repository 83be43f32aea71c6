// What texts say of ranks, and how the group of a rank is called: the one place for both.
//
//   "app [Rank 12]", "rank12 python"     rank 12
//   "[TP01-DP00] 4101", "Worker_DP0_TP1"  places in tensor, data, pipeline, expert or context parallelism; of one kind alone its
//                                         number is the rank's
//
// Whose a lane is, in this order:
//   1  names and ids of processes, where they tell of several ranks: each process's own
//   2  the file's contents (distributedInfo)
//   3  its path (file_facts.h)
//   4  names and ids of processes, where they tell of one
// The name of a rank's group begins with the rank, or with the place as the file writes it.
// Source: PyTorch's and Paddle's profilers, merge_profiles of SGLang, workers of SGLang and vLLM. Cost: O(text).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

struct RankName {
  std::optional<std::int64_t> number;  ///< of the rank
  bool said = false;                   ///< "rank" was the word
  std::string place;                   ///< "TP01-DP00", as it was written
  std::int64_t sort = 0;               ///< among others
  bool operator==(const RankName&) const = default;

  /// "rank 12", "TP01-DP00", "rank 12 TP01-DP00".
  std::string text() const;
};

/// Of a process's name, or an id that is a text.
std::optional<RankName> rank_in_text(std::string_view text);
/// The number alone, of "rank 12" and its like.
std::optional<std::int64_t> rank_in_name(std::string_view process);
/// "4101" of "[TP01-DP00] 4101": what was there before somebody merged files. Else the text.
std::string_view without_rank(std::string_view pid);
/// "DP1-TP0" of "1760000000.5-DP-1-TP-0", as SGLang names its files; else empty.
std::string place_in_file_name(std::string_view stem);

/// In the key of a rank's group, in a file with several: between the file's own key and the rank's name.
inline constexpr std::string_view kRankInKey = " rank ";

/// Of the name of a group or lane the part that says whose it is: "rank 3" of "rank 3 actor, ref, pid 4711", "worker 7" likewise.
/// Empty: it says nothing.
std::string_view owner_in(std::string_view lane_name);

}  // namespace tv
