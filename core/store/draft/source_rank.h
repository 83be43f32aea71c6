// The rank of a source, if several things name one. The first of these decides:
//
//   Contents      the file says it: distributedInfo, MPI_RANKS, a thread "MPI Rank 3", RANK in the captured environment
//   Communicator  the largest communicator that NCCL made, which may not have all ranks of the run
//   FileName      "rank3.json", "workerlog.3" (file_facts.h). Folders do not count: one may hold files of many ranks
//   Process       the name or id of its only process: "app [Rank 12]", "[TP01] 4101" (rank_name.h)
//   SameProcess   another report of its process (process_lanes.h)
//
// The file's name comes before the process's: --rank chooses by it before the file is read, and must not drop what it chose. Of two
// statements of one kind, the first counts. If the processes of a file have several ranks, the file has none, but each of its
// outermost groups has one (chrome_process.h).
#pragma once

#include <cstdint>
#include <optional>

namespace tv {

enum class RankFrom : std::uint8_t { Contents, Communicator, FileName, Process, SameProcess };

/// Takes a rank that was found, unless `rank` is known from something that comes first. Returns whether it was taken.
inline bool take_rank(std::optional<std::int64_t>& rank, RankFrom& from, std::int64_t found, RankFrom found_in) {
  if (rank && from <= found_in) return false;
  rank = found;
  from = found_in;
  return true;
}

}  // namespace tv
