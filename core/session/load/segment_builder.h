// Builds the segments of the files that a load has read. Keeps the data of logs for the next load, because a log is placed again
// when any other file changes (log_evidence.h), and a growing run is extended (grown_logs.h).
#pragma once

#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/session/files/load_options.h"
#include "core/session/files/load_source.h"
#include "core/session/files/memory_watch.h"
#include "core/session/held/held_segments.h"

namespace tv {

class SegmentBuilder {
 public:
  /// `logs`, `built`: of the earlier load.
  SegmentBuilder(ThreadPool& pool, const LoadOptions& options, const MemoryWatch& memory, ReadLogs logs, std::vector<BuiltLogs> built)
      : pool_(pool), options_(options), memory_(memory), earlier_logs_(std::move(logs)), earlier_built_(std::move(built)) {}

  /// Takes the data of unchanged logs from the earlier load, so that these logs are not read again.
  void reuse_logs(const LoadSources& sources) const;
  /// Undoes reuse_logs(), so that the logs are read again.
  void read_logs_again(const LoadSources& sources) const;

  /// The data of each file that is not in a reused segment. `complete`: moves them out of the drafts; otherwise copies them.
  std::vector<SourceView> read_data(const LoadSources& sources, bool complete);
  /// A segment is null if building it was stopped. `aligned`: how runs were aligned when a time window was measured.
  Segments build(std::vector<SourceView> views, bool complete, Align aligned, std::stop_token stop);

  /// Moves the data of logs to the next load.
  void leave(const LoadSources& sources, EarlierLoad& to);

 private:
  bool may_hold_logs() const { return options_.memory_limit == 0 && options_.choice.everything(); }
  bool holds_logs(const LoadSources& sources) const;
  SourceView view_of(LoadSource& source, bool complete, bool hold);

  ThreadPool& pool_;
  const LoadOptions& options_;
  const MemoryWatch& memory_;
  ReadLogs earlier_logs_, logs_;
  std::vector<BuiltLogs> earlier_built_, built_;
};

}  // namespace tv
