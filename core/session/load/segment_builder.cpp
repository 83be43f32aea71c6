#include "core/session/load/segment_builder.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/session/files/given_sources.h"
#include "core/session/load/grown_logs.h"
#include "core/session/load/segment_groups.h"
#include "core/store/trace/keep_ranks.h"
#include "core/store/trace/trace_builder.h"

namespace tv {

// Held logs take as much memory as their drafts, so none are held under an explicit memory limit. If files are not followed, logs
// are held only if they are small relative to the available memory.
bool SegmentBuilder::holds_logs(const LoadSources& sources) const {
  constexpr std::uint64_t kBytesOfItem = 64, kShare = 32;  // 1/32 of the memory
  if (!may_hold_logs() || options_.follow) return may_hold_logs();
  if (!options_.hold_logs) return false;
  std::uint64_t items = 0;
  for (const auto& source : sources) items += source->reader && source->reader->is_log ? source->items.load() : 0;
  return items < memory_.limit() / kShare / kBytesOfItem;
}

void SegmentBuilder::reuse_logs(const LoadSources& sources) const {
  if (!may_hold_logs()) return;
  for (const auto& source : sources) {
    const auto found = earlier_logs_.find(source->path);
    if (found == earlier_logs_.end() || source->draft.state() != SourceState::Waiting || found->second->followed != options_.follow) continue;
    SourceInfo info = found->second->view.info;
    const CacheKey::File now = source->key();
    if (now.identity != FileIdentity{info.bytes, info.modified_ns} || source->replaced) continue;
    info.clock_offset = now.clock_offset;
    source->reused_log = found->second;
    source->reader = found->second->reader;
    source->rank = found->second->rank;
    source->draft.restart(std::move(info));
  }
}

void SegmentBuilder::read_logs_again(const LoadSources& sources) const {
  for (const auto& source : sources) {
    if (!source->reused_log) continue;
    source->reused_log.reset();
    source->reader = nullptr;
    SourceInfo info = source->draft.info();
    info.state = SourceState::Waiting;
    info.problems = {};
    source->draft.restart(std::move(info));
  }
}

SourceView SegmentBuilder::view_of(LoadSource& source, bool complete, bool hold) {
  if (source.reused_log) {
    SourceView view = source.reused_log->view;
    view.info = source.draft.info();
    if (complete) logs_[source.path] = source.reused_log;
    return view;
  }
  const SourceInfo info = source.draft.info();
  const bool whole = source.reader && source.reader->is_log && info.state == SourceState::Ready && is_complete(info);
  if (!complete) return source.draft.view();
  if (!whole || !hold) return source.draft.take();
  auto log = std::make_shared<const ReadLog>(ReadLog{source.reader, source.rank, options_.follow, source.draft.take()});
  SourceView view = log->view;
  logs_[source.path] = std::move(log);
  return view;
}

std::vector<SourceView> SegmentBuilder::read_data(const LoadSources& sources, bool complete) {
  const bool hold = holds_logs(sources);
  std::vector<SourceView> views;
  for (const auto& source : sources) {
    if (source->reused) continue;
    SourceView& view = views.emplace_back(view_of(*source, complete, hold));
    keep_ranks(view, options_.choice.ranks);
    view.window = source->window;
    if (source->clock_base) view.clock_base = *source->clock_base;
  }
  return views;
}

Segments SegmentBuilder::build(std::vector<SourceView> views, bool complete, Align aligned, std::stop_token stop) {
  const SegmentGroups groups = segment_groups(views);
  std::vector<Segments> of_group(groups.size());
  std::vector<std::vector<BuiltLogs>> built(groups.size());
  pool_.parallel_for(groups.size(), [&](std::size_t g) {
    PlacedLogs logs;
    for (const std::size_t v : groups[g]) {
      const auto file = logs_.find(views[v].info.path);
      logs.files.push_back(file == logs_.end() ? nullptr : file->second);
      logs.views.push_back(std::move(views[v]));
    }
    const bool grows = complete && may_grow(logs);
    of_group[g] = grows ? build_grown(std::move(logs), earlier_built_, options_.follow, pool_, stop, built[g])
                        : Segments{build_segment(std::move(logs.views), pool_, stop, aligned)};
  });
  for (auto& built_run : built) std::ranges::move(built_run, std::back_inserter(built_));
  Segments all;
  for (Segments& segments : of_group) std::ranges::move(segments, std::back_inserter(all));
  return all;
}

void SegmentBuilder::leave(const LoadSources& sources, EarlierLoad& to) {
  for (const auto& source : sources) {
    // A log in a reused segment was not read again: its earlier data go to the next load.
    const auto before = earlier_logs_.find(source->path);
    if (source->reused && before != earlier_logs_.end()) logs_.insert(*before);
  }
  to.logs = std::move(logs_);
  to.built = std::move(built_.empty() ? earlier_built_ : built_);
  earlier_logs_.clear();
  earlier_built_.clear();
}

}  // namespace tv
