// Finds the place of each process of an Nsight Systems report in a training run, with the evidence: its rank and role, and for the
// report its step and pid.
//
//   rank   MPI_RANKS or an NVTX thread name "MPI Rank 3"; the captured environment (RANK, else the launcher's variable); the
//          largest communicator that NCCL made, if NVTX ranges state it; the file's name (in the order of source_rank.h)
//   role   the title that Ray gives its workers, NVTX ranges of verl's workers and its controller, the file's path
//   step   the file's path, or the only number in NVTX ranges like "step 12"
//   pid    the only process that used a GPU, else the only one with events; the file's name
//
// The environment, the file's name and its path state rank and role only of the process that the report is about: the only one on a
// GPU; if none used a GPU, the only one with events. The first source that states a fact counts; what others state is listed as a
// fact too. Source: Nsight Systems, verl under Nsight Systems.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/read/nsys/nsys_report_info.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// Evidence from events, collected while they are read. Ids are global ones.
struct NsysEvidence {
  std::set<std::int64_t> processes;      ///< those with any event
  std::set<std::int64_t> gpu_processes;  ///< those with work on a GPU
  std::map<std::int64_t, std::set<std::string>> ranges;  ///< names of NVTX ranges that we can interpret, by process
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> communicators;  ///< by process: size of the largest, rank in it
  std::set<std::int64_t> steps;                           ///< numbers in names like "step 12"
  std::map<std::int64_t, std::string> thread_names;       ///< by thread
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains;  ///< by process and id

  void merge(const NsysEvidence& other);
  /// Records the data that NCCL attached to the creation of a communicator.
  void note_communicator(std::int64_t process, const std::vector<std::pair<std::string, std::string>>& fields);
  /// Records the name of an NVTX range or mark.
  void note(std::int64_t process, std::string_view name);
};

struct NsysProcess {
  std::int64_t pid = 0;
  std::string title;  ///< the process's name in the system, or the title that Ray gives its main thread
  std::optional<std::int64_t> rank;
  RankFrom rank_from = RankFrom::Contents;
  std::string role;   ///< "actor, rollout"; "controller"
  std::vector<SourceFact> facts;
};

std::map<std::int64_t, NsysProcess> nsys_processes(const NsysReportInfo& info, const NsysEvidence& evidence,
                                                   std::string_view path);
/// Writes facts about the whole report into its SourceInfo.
void describe_report(const NsysReportInfo& info, const NsysEvidence& evidence,
                     const std::map<std::int64_t, NsysProcess>& processes, SourceInfo& source);

}  // namespace tv
