// Finds ranks in names. Only readers do so; they store the rank in the lane (lane_owner.h), where analyses and views find it.
//
//   "app [Rank 12]", "rank12 python"      rank 12
//   "[TP01-DP00] 4101", "Worker_DP0_TP1"  a place in tensor, data, pipeline, expert or context parallelism; if the name has only
//                                         one kind, its number is taken for the rank
//
// If the names and ids of a file's processes name several ranks, each process has its own. If they name only one, other things that
// name a rank come first (source_rank.h).
// The name of a rank's group of lanes begins with the rank, or with the place as the file writes it.
// Source: PyTorch's and Paddle's profilers, merge_profiles of SGLang, workers of SGLang and vLLM. Cost: O(text).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

struct RankName {
  std::optional<std::int64_t> number = {};  ///< the rank; none: the text has several kinds of places and no "rank"
  bool by_word = false;                     ///< the text has the word "rank" and a number
  std::string place = {};                   ///< "TP01-DP00": the places as written, joined by "-"
  std::int64_t sort = 0;                    ///< sorts the ranks of a file
  bool operator==(const RankName&) const = default;

  /// "rank 12", "TP01-DP00", "rank 12 TP01-DP00".
  std::string text() const;
};

/// Finds the rank in the name of a process, or in its id if that is not a number.
std::optional<RankName> rank_in_text(std::string_view text);
/// Finds only ranks after the word "rank": "rank 12", "Rank: 7", "rank12".
std::optional<std::int64_t> rank_in_name(std::string_view process);
/// Turns "[TP01-DP00] 4101" into "4101", the id that the process had before files were merged. Returns other ids unchanged.
std::string_view without_rank(std::string_view pid);
/// Finds the place in a name that SGLang gave to a file: "1760000000.5-DP-1-TP-0" -> "DP1-TP0". Empty for other names.
std::string place_in_file_name(std::string_view stem);

/// The key of a rank's group in a file of several ranks is the file's key, this text, and RankName::text().
inline constexpr std::string_view kRankInKey = " rank ";

/// Finds a rank at the beginning of a name only, where groups have it: "rank 3 actor, ref, pid 4711", "TP01-DP00 4101".
std::optional<RankName> rank_at_begin(std::string_view name);

}  // namespace tv
