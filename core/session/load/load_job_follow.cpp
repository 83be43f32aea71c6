// What a LoadJob notes for a follower of the files that it reads.
#include <algorithm>

#include "core/session/load/given_sources.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"

namespace tv {

// Only the beginning of a file tells its format (given_sources.h).
void LoadJob::note_unknown() {
  constexpr std::uint64_t kLongestBeginning = 1 << 20;
  for (const auto& source : sources_) {
    const auto is_unknown = [](const SourceInfo& info) {
      const bool unread = info.state == SourceState::Rejected || info.state == SourceState::NotReadYet;
      return unread && !info.refused && info.bytes >= kLongestBeginning;
    };
    if (source->draft.ask(is_unknown)) read_states_.unknown.insert(source->path);
  }
}

// Whether the file's state differs from the one that an earlier job read. Detects a rewrite or replacement even if size and
// timestamp are the same.
bool LoadJob::is_another(const std::string& path) const {
  const auto was = given_.states.find(path), is = read_states_.files.find(path);
  return was != given_.states.end() && is != read_states_.files.end() && was->second != is->second;
}

// Logs are rebuilt when one of them changes, or any file that their times depend on (beside_logs.h). Data of unchanged logs are
// cached, so that they are not read again; this takes the memory of a draft, so it is off under an explicit memory limit.
bool LoadJob::keeps_files() const { return options_.memory_limit == 0 && options_.choice.everything(); }

// Without following, only logs that are small relative to the available memory.
bool LoadJob::keeps_logs() const {
  constexpr std::uint64_t kBytesOfItem = 64, kShare = 32;  // of memory
  if (!keeps_files() || options_.follow) return keeps_files();
  if (!options_.hold_logs) return false;
  std::uint64_t items = 0;
  for (const auto& source : sources_) items += source->reader && source->reader->is_log ? source->items.load() : 0;
  return items < memory_.limit() / kShare / kBytesOfItem;
}

void LoadJob::take_files() {
  for (const auto& source : sources_) {
    const auto found = given_.files.find(source->path);
    if (found == given_.files.end() || source->draft.state() != SourceState::Waiting || found->second->followed != options_.follow) continue;
    SourceInfo as = found->second->view.info;
    const CacheKey::File now = source->key();
    if (now.identity != FileIdentity{as.bytes, as.modified_ns} || is_another(source->path)) continue;
    as.clock_offset = now.clock_offset;
    source->reused_log = found->second;
    source->reader = found->second->reader;
    source->rank = found->second->rank;
    source->draft.restart(std::move(as));
  }
}

SourceView LoadJob::view_of(LoadSource& source, bool complete) {
  if (source.reused_log) {
    SourceView view = source.reused_log->view;
    view.info = source.draft.info();
    if (complete) files_[source.path] = source.reused_log;
    return view;
  }
  const SourceInfo info = source.draft.info();
  const bool whole = source.reader && source.reader->is_log && info.state == SourceState::Ready && is_complete(info);
  if (!complete) return source.draft.view();
  if (!whole || !keeps_logs()) return source.draft.take();
  auto log = std::make_shared<const ReadLog>(ReadLog{source.reader, source.rank, options_.follow, source.draft.take()});
  SourceView view = log->view;
  files_[source.path] = std::move(log);
  return view;
}

}  // namespace tv
