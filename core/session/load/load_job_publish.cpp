// The views that a LoadJob publishes, on the way and at the end, and what it leaves for the next load.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/io/tables/mapped_file.h"
#include "core/session/held/segment_cache.h"
#include "core/session/load/load_job.h"
#include "core/session/load/log_evidence.h"
#include "core/session/load/segment_groups.h"
#include "core/store/clock/step_places.h"

namespace tv {
namespace {

constexpr std::uint64_t kSmallLoad = 8 << 20;  // bytes on disk; a smaller load is published once, at the end
constexpr auto kPollInterval = std::chrono::milliseconds(20);

// Whether the next load would treat the files of the segment in the same way, whatever other files are open and whatever programs
// are installed.
bool is_known_for_good(const Trace& segment) {
  return std::ranges::all_of(segment.sources, [](const SourceInfo& source) {
    return source.state == SourceState::Ready || (source.state == SourceState::LeftOut && source.reason.empty());
  });
}

}  // namespace

void LoadJob::publish_on_the_way(std::stop_token stop, const std::atomic<std::size_t>& readers_left) {
  const bool moves = options_.align.value_or(Align::Recorded) != Align::Recorded;
  if (!options_.progressive || moves || files_.bytes() < kSmallLoad) return;
  struct IntermediateView {
    std::uint64_t part;  // divisor of the bytes, and roughly of the last view's cost
    double patience;     // how much time must be left, in units of options_.patience
  };
  const double began = seconds();
  const double first_patience = reused_.taken().empty() ? 0 : 1;  // the present view shows reused segments already
  for (const IntermediateView& next : {IntermediateView{64, first_patience}, IntermediateView{16, 1}, IntermediateView{4, 5}}) {
    while (files_.bytes_handed_over() < std::max<std::uint64_t>(files_.bytes() / next.part, 1)) {
      if (readers_left.load() == 0 || stop.stop_requested()) return;
      std::this_thread::sleep_for(kPollInterval);
    }
    if (readers_left.load() == 0) return;  // the last view comes next
    const auto done = static_cast<double>(files_.bytes_handed_over()), all = static_cast<double>(files_.bytes());
    const double left = (seconds() - began) * (all - done) / done;
    if (left >= next.patience * options_.patience && !publish_read(false, stop)) return;
  }
}

// Places the logs among these views in time, with the evidence of all open files.
void LoadJob::place(std::vector<SourceView>& views) const {
  if (std::ranges::none_of(views, [](const SourceView& view) { return is_log(view.info); })) return place_logs(views);
  place_logs(views, options_.choice.window ? std::vector<TimedFile>() : timed_files(packed_, reused_.taken(), {}),
             other_rollouts(packed_, files_.sources()));
}

bool LoadJob::publish_read(bool complete, std::stop_token stop) {
  std::vector<SourceView> views = builder_.read_data(files_.sources(), complete);
  place(views);
  const Segments read = builder_.build(std::move(views), complete, measured_, stop);
  return !std::ranges::count(read, nullptr) && publish(read, complete, stop);
}

// A part of the data could be mistaken for all of them, so the sources that were read are only listed, with the reason.
bool LoadJob::publish_nothing(std::stop_token stop) {
  try {
    read_.clear();
    packed_.reject_all("memory ran out");
    for (const auto& source : files_.sources()) {
      SourceInfo info = source->draft.info();
      if (info.state <= SourceState::Ready || info.state == SourceState::Part) {
        info.state = SourceState::Rejected;
        info.reason = "memory ran out";
      }
      static_cast<void>(source->draft.take());
      source->reused_log.reset();
      source->draft.restart(std::move(info));
    }
    return publish_read(true, stop);
  } catch (const std::exception&) {
    return false;
  }
}

bool LoadJob::publish(const Segments& read, bool complete, std::stop_token stop) {
  auto snapshot = views_.make(read, {files_.sources(), reused_, packed_}, complete, stop);
  if (complete) read_ = read;
  times_.built = seconds_at(views_.composed_at());
  if (!snapshot) return false;
  times_.indexed = seconds();
  if (times_.first_view == 0) times_.first_view = times_.indexed;
  if (complete) {
    leave_segments();
    read_ahead();  // of mapped files, because the statistics will need all of them
  }
  publish_(std::move(snapshot));
  return true;
}

// ---- for the next load

void LoadJob::leave_segments() {
  HeldSegments segments;
  const auto leave = [&](CacheKey key, const std::shared_ptr<const Trace>& segment, std::string part = {}) {
    const auto found = views_.indexed().find(segment);
    if (found != views_.indexed().end()) segments.push_back({std::move(key), found->first, found->second, std::move(part)});
  };
  for (const HeldSegment& reused : reused_.taken()) leave(reused.key, reused.segment, reused.part);
  const std::string choice = segment_choice(options_, files_.sources());
  const bool any_logs = !std::ranges::all_of(read_, [](const auto& segment) { return is_independent(*segment); });
  const std::string choice_of_logs = any_logs ? logs_key(read_) : choice;
  for (const auto& segment : read_) {
    if (too_large() || !is_whole(segment) || segment->sources.empty() || !is_known_for_good(*segment)) continue;
    leave(cache_key(*segment, is_independent(*segment) ? choice : choice_of_logs), segment);
  }
  packed_.for_each_shown([&](const PackedTraces::Packed& packed) {
    leave({{{packed.info.path, {packed.info.bytes, packed.info.modified_ns}, 0}}, std::string(kPackedChoice)}, packed.trace);
  });
  if (options_.store && !options_.follow) options_.store->add(segments);
  EarlierLoad left{std::move(segments), views_.compared(), views_.shown()};
  left.states = read_states_.files;
  builder_.leave(files_.sources(), left);
  reused_.forget_known();
  views_.forget_indexes();
  const std::lock_guard lock(left_mutex_);
  left_ = std::move(left);
}

// Writes cache entries for the next start.
bool LoadJob::write_cache(std::stop_token stop) {
  const CacheOptions& cache = options_.cache;
  if (cache.folder.empty()) return false;
  std::uint64_t bytes = 0;
  for (const HeldSegment& segment : left_.segments) bytes += segment.segment->bytes();
  if (bytes < cache.least_bytes || bytes > cache.most_bytes) return false;
  bool written = false;
  for (HeldSegment& segment : left_.segments) {
    const std::string& choice = segment.key.choice;
    if (!segment.part.empty() || choice == kPackedChoice || stop.stop_requested()) continue;
    if (!keep_segment(cache, choice, *segment.segment, *segment.index, pool_, stop)) continue;
    const std::lock_guard lock(left_mutex_);
    segment.part = segment_path(cache, choice, segment.segment->sources.front().path);
    written = true;
  }
  return written;
}

// Entries of the cache that must not be trimmed.
std::vector<std::string> LoadJob::entries_in_use() const {
  std::vector<std::string> all;
  Segments segments = read_;
  for (const HeldSegment& reused : reused_.taken()) {
    if (!reused.part.empty()) all.push_back(reused.part);
    segments.push_back(reused.segment);
  }
  for (const auto& segment : segments) {
    for (std::string& path : exports_of(*segment)) all.push_back(std::move(path));
  }
  return all;
}

}  // namespace tv
