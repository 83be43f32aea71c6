// How a LoadJob reuses data of an earlier one (held_segments.h) and leaves data for the next.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/read/file_facts.h"
#include "core/read/registry.h"
#include "core/session/held/segment_cache.h"
#include "core/session/load/given_sources.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"
#include "core/session/load/segment_groups.h"
#include "core/session/packed/known_damage.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/clock/step_places.h"

namespace tv {
namespace {

// Whether the next load would treat its files the same way, whichever other files are open and whichever programs are installed.
bool is_known_for_good(const Trace& segment) {
  return std::ranges::all_of(segment.sources, [](const SourceInfo& source) {
    return source.state == SourceState::Ready || (source.state == SourceState::LeftOut && source.reason.empty());
  });
}

bool is_same(const CacheKey::File& file, const SourceInfo& info) {
  return file.identity == FileIdentity{info.bytes, info.modified_ns};
}

}  // namespace

// Waits for other tabs that are loading these files, then reuses the segments that they show.
SegmentStore::Reading LoadJob::share(std::stop_token stop) {
  if (!options_.store || options_.follow || options_.again) return {};
  std::set<std::string_view> paths;
  for (const auto& source : sources_) paths.insert(source->path);
  stage_ = LoadStatus::Stage::Waiting;
  SegmentStore::Reading reading = options_.store->read(paths, segment_choice(), stop);
  stage_ = LoadStatus::Stage::Finding;
  std::set<const Trace*> own;
  for (const HeldSegment& given : given_.segments) own.insert(given.segment.get());
  for (HeldSegment& shown : options_.store->of(paths)) {
    if (own.contains(shown.segment.get())) continue;
    given_.segments.push_back(std::move(shown));
  }
  return reading;
}

void LoadJob::list_given_packed() {
  for (const HeldSegment& given : given_.segments) {
    if (given.key.choice == kPackedChoice) given_packed_[given.key.files.front().path] = &given;
  }
}

// Called from any thread.
Result<PackedSegment> LoadJob::packed_segment(const SourceInfo& info) {
  const auto found = given_packed_.find(info.path);
  if (found == given_packed_.end() || !is_same(found->second->key.files.front(), info) || is_known_damaged(info.path)) {
    return open_packed(info.path, pool_, options_.check_packed ? PackedCheck::All : PackedCheck::Tables);
  }
  return PackedSegment{found->second->segment, found->second->index};
}

// All logs or none: each log's timing depends on the others, and on each trace that is still to be read.
void LoadJob::take_kept_logs() {
  const auto is_missing_log = [](const auto& source) { return source->reader && source->reader->is_log && !source->reused; };
  const auto is_new_trace = [](const auto& source) { return source->is_to_be_read() && !source->reader->is_log; };
  if (std::ranges::none_of(sources_, is_missing_log) || std::ranges::any_of(sources_, is_new_trace)) return;
  const std::size_t before = reused_.size();
  reuse(logs_key({}));
  if (std::ranges::any_of(sources_, is_missing_log)) give_up_kept(before);
}

// Gives up the reused segments from this index on.
void LoadJob::give_up_kept(std::size_t from) {
  std::set<std::string_view> given_up;
  for (std::size_t s = from; s < reused_.size(); ++s) {
    for (const CacheKey::File& file : reused_[s].key.files) given_up.insert(file.path);
  }
  for (const auto& source : sources_) {
    if (!given_up.contains(source->path)) continue;
    source->reused = false;
    if (source->head.empty() && !source->reused_log) source->reader = nullptr;  // it was not probed
  }
  reused_.resize(from);
}

// Takes the segments with this choice in their key: those given by an earlier load or another tab, then entries of the cache.
void LoadJob::reuse(const std::string& choice) {
  take_kept(choice);
  if (memory_.has_run_out()) return;
  find_parts(choice);
  take_kept(choice);
}

void LoadJob::take_kept(const std::string& choice) {
  std::map<std::string_view, LoadSource*> files;
  for (const auto& source : sources_) files[source->path] = source.get();
  for (const HeldSegment& given : given_.segments) {
    if (given.key.choice != choice) continue;
    if (!given.part.empty() && is_known_damaged(given.part)) continue;
    std::optional<Ns> manual_offset;  // must be the same for all its files
    const auto is_asked_for = [&](const CacheKey::File& file) {
      const auto found = files.find(file.path);
      if (found == files.end() || found->second->reused || is_another(file.path)) return false;
      const CacheKey::File now = found->second->key();
      const Ns moved = now.clock_offset - file.clock_offset;
      return now.identity == file.identity && moved == manual_offset.value_or(moved) && (manual_offset = moved, true);
    };
    if (!std::ranges::all_of(given.key.files, is_asked_for)) continue;
    for (const SourceInfo& source : given.segment->sources) {
      files[source.path]->reused = true;
      files[source.path]->reader = source.state == SourceState::Ready ? find_reader(source.format) : nullptr;
    }
    reused_.push_back({given, manual_offset.value_or(0)});
    indexed_.emplace(given.segment, given.index);
  }
}

void LoadJob::read_anew() {
  give_up_kept(0);
  for (const auto& source : sources_) {
    if (!source->reused_log) continue;
    source->reused_log.reset();
    source->reader = nullptr;
    SourceInfo info = source->draft.info();
    info.state = SourceState::Waiting;
    info.problems = {};
    source->draft.restart(std::move(info));
  }
}

// Leaves out a file whose contents are already shown by another file.
void LoadJob::leave_out(LoadSource& source, std::string reason) {
  const auto is_it = [&](const CacheKey::File& file) { return file.path == source.path; };
  if (source.reused) std::erase_if(reused_, [&](const ReusedSegment& reused) { return std::ranges::any_of(reused.key.files, is_it); });
  source.reused = false;
  source.reader = nullptr;
  source.draft.edit_info([&](SourceInfo& info) {
    info.state = SourceState::LeftOut;
    info.reason = std::move(reason);
  });
}

bool LoadJob::anything_to_read() const {
  return std::ranges::any_of(sources_, [](const auto& source) { return source->is_to_be_read(); });
}

std::uint64_t LoadJob::kept_bytes() const {
  std::uint64_t bytes = 0;
  for (const HeldSegment& given : given_.segments) {
    if (given.segment->columns_are == ColumnsAre::Own) bytes += given.segment->bytes() + given.index->bytes();
  }
  return bytes;
}

// Caches segment indices for the next view of this load. Unfinished segments are rebuilt for every view, so they are dropped.
void LoadJob::remember_indices(const Snapshot& snapshot, const Segments& read) {
  indexed_.clear();
  const Trace& trace = *snapshot.trace;
  const auto& indices = snapshot.index->segments();
  if (trace.parts.empty()) indexed_.emplace(snapshot.trace, indices.front());
  for (std::size_t p = 0; p < trace.parts.size(); ++p) indexed_.emplace(trace.parts[p].segment, indices[p]);
  if (snapshot.complete) return;
  for (const auto& segment : read) indexed_.erase(segment);
}

// Leaves the segments and their indices to the next load.
void LoadJob::leave_segments() {
  HeldSegments left;
  const auto leave = [&](CacheKey key, const std::shared_ptr<const Trace>& segment, std::string part = {}) {
    const auto found = indexed_.find(segment);
    if (found != indexed_.end()) left.push_back({std::move(key), found->first, found->second, std::move(part)});
  };
  for (const HeldSegment& reused : reused_) leave(reused.key, reused.segment, reused.part);
  const std::string choice = segment_choice();
  const bool logs = !std::ranges::all_of(read_, [](const auto& segment) { return is_independent(*segment); });
  const std::string of_logs = logs ? logs_key(read_) : choice;
  for (const auto& segment : read_) {
    if (too_large() || !is_whole(segment) || segment->sources.empty() || !is_known_for_good(*segment)) continue;
    leave(cache_key(*segment, is_independent(*segment) ? choice : of_logs), segment);
  }
  packed_.for_each_shown([&](const SourceInfo& info, const std::shared_ptr<const Trace>& segment, Ns) {
    leave({{{info.path, {info.bytes, info.modified_ns}, 0}}, std::string(kPackedChoice)}, segment);
  });
  for (const auto& source : sources_) {
    const auto before = given_.files.find(source->path);
    if (source->reused && before != given_.files.end()) files_.insert(*before);
  }
  if (built_.empty()) built_ = std::move(given_.built);
  given_packed_.clear();
  given_ = {};
  indexed_.clear();
  if (options_.store && !options_.follow) options_.store->add(left);
  const std::lock_guard lock(left_mutex_);
  left_ = {std::move(left), compared_, shown_, std::move(files_), std::move(built_), read_states_.files};
}

// Places the logs among these, using all open files.
void LoadJob::place(std::vector<SourceView>& views) const {
  if (std::ranges::none_of(views, [](const SourceView& view) { return is_log(view.info); })) return place_logs(views);
  place_logs(views, options_.choice.window ? std::vector<TimedFile>() : known_beside({}), other_rollouts());
}

// Rollouts that are in packed traces, or whose steps are not selected.
std::vector<OtherRollout> LoadJob::other_rollouts() const {
  std::vector<OtherRollout> all;
  packed_.for_each_shown([&](const SourceInfo&, const auto& segment, Ns manual_offset) {
    for (OtherRollout& rollout : rollouts_in(*segment, manual_offset)) all.push_back(std::move(rollout));
  });
  for (const auto& source : sources_) {
    if (!source->left_out) continue;
    const FileFacts facts = facts_of(source->path);
    if (facts.worker == -1 || !facts.step) continue;  // the trainer is not part of the rollout
    all.push_back({source->path, *facts.step, *source->left_out});
  }
  return all;
}

// Collects the files of all segments that are not logs: reused, packed or just read.
std::vector<TimedFile> LoadJob::known_beside(const Segments& read) const {
  std::vector<TimedFile> known;
  const auto add = [&](const std::shared_ptr<const Trace>& segment, Ns manual_offset) {
    for (TimedFile& file : timed_files(segment, manual_offset)) known.push_back(std::move(file));
  };
  for (const ReusedSegment& reused : reused_) {
    if (is_independent(*reused.segment)) add(reused.segment, reused.manual_offset);
  }
  for (const auto& segment : read) {
    if (is_independent(*segment)) add(segment, 0);
  }
  packed_.for_each_shown([&](const SourceInfo&, const auto& segment, Ns manual_offset) { add(segment, manual_offset); });
  return known;
}

std::string LoadJob::logs_key(const Segments& read) const {
  std::vector<CacheKey::File> logs;
  for (const auto& source : sources_) {
    const SourceState state = source->draft.state();
    const bool shown = state == SourceState::Ready || state == SourceState::Waiting;
    if (shown && source->reader && source->reader->is_log) logs.push_back(source->key());
  }
  const std::string choice = segment_choice() + (options_.follow ? "; followed" : "");  // following omits an unfinished last line
  return tv::logs_key(choice, std::move(logs), known_beside(read), other_rollouts());
}

// Entries of the cache that must not be trimmed.
std::vector<std::string> LoadJob::entries_in_use() const {
  std::vector<std::string> all;
  Segments segments = read_;
  for (const HeldSegment& reused : reused_) {
    if (!reused.part.empty()) all.push_back(reused.part);
    segments.push_back(reused.segment);
  }
  for (const auto& segment : segments) {
    for (std::string& path : exports_of(*segment)) all.push_back(std::move(path));
  }
  return all;
}

}  // namespace tv
