// The views that a LoadJob publishes: some intermediate ones, and the last one.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "core/io/tables/mapped_file.h"
#include "core/session/load/grown_logs.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"
#include "core/session/load/segment_groups.h"
#include "core/store/trace/keep_ranks.h"
#include "core/store/trace/trace_builder.h"

namespace tv {
namespace {

constexpr std::uint64_t kSmallLoad = 8 << 20;  // bytes on disk; a smaller load is published once, at the end
constexpr auto kPollInterval = std::chrono::milliseconds(20);

}  // namespace

void LoadJob::publish_on_the_way(std::stop_token stop, const std::atomic<std::size_t>& readers_left) {
  const bool moves = options_.align.value_or(Align::Recorded) != Align::Recorded;
  if (!options_.progressive || moves || bytes_total_ < kSmallLoad || stage_ == LoadStatus::Stage::Measuring) return;
  struct IntermediateView {
    std::uint64_t part;  // share of the bytes; the cost relative to the last view is about the same
    double patience;     // least remaining time, in units of options_.patience
  };
  const double began = seconds();
  const double for_any = reused_.empty() ? 0 : 1;  // kept segments are shown already and would be rebuilt
  for (const IntermediateView& next : {IntermediateView{64, for_any}, IntermediateView{16, 1}, IntermediateView{4, 5}}) {
    const auto read = [&] { return sum_of(&ReadProgress::handed_over); };
    while (read() < std::max<std::uint64_t>(bytes_total_ / next.part, 1)) {
      if (readers_left.load() == 0 || stop.stop_requested()) return;
      std::this_thread::sleep_for(kPollInterval);
    }
    if (readers_left.load() == 0) return;  // the last view is next
    const auto done = static_cast<double>(read()), all = static_cast<double>(bytes_total_);
    const double left = (seconds() - began) * (all - done) / done;
    if (left >= next.patience * options_.patience && !publish_read(false, stop)) return;
  }
}

bool LoadJob::publish_read(bool complete, std::stop_token stop) {
  std::vector<SourceView> views;
  for (const auto& source : sources_) {
    if (source->reused) continue;
    SourceView& view = views.emplace_back(view_of(*source, complete));
    keep_ranks(view, options_.choice.ranks);
    view.window = source->window;
    if (source->clock_base) view.clock_base = *source->clock_base;
  }
  place(views);
  Segments read = build_groups(std::move(views), complete, stop);
  return !std::ranges::count(read, nullptr) && publish(std::move(read), complete, stop);
}

Segments LoadJob::build_groups(std::vector<SourceView> views, bool complete, std::stop_token stop) {
  const SegmentGroups groups = segment_groups(views);
  std::vector<Segments> of_group(groups.size());
  std::vector<std::vector<BuiltLogs>> built(groups.size());
  pool_.parallel_for(groups.size(), [&](std::size_t g) {
    PlacedLogs logs;
    for (const std::size_t v : groups[g]) {
      const auto file = files_.find(views[v].info.path);
      logs.files.push_back(file == files_.end() ? nullptr : file->second);
      logs.views.push_back(std::move(views[v]));
    }
    const bool grows = complete && may_grow(logs);
    of_group[g] = grows ? build_grown(std::move(logs), given_.built, options_.follow, pool_, stop, built[g])
                        : Segments{build_segment(std::move(logs.views), pool_, stop, measured_)};
  });
  for (auto& of_run : built) std::ranges::move(of_run, std::back_inserter(built_));
  Segments read;
  for (Segments& segments : of_group) std::ranges::move(segments, std::back_inserter(read));
  for (const HeldSegment& given : given_.segments) {
    if (std::ranges::count(read, given.segment) > 0) indexed_.emplace(given.segment, given.index);
  }
  return read;
}

// Segments are ordered by their files, however they were read; those that show nothing come last.
LoadJob::Arranged LoadJob::arranged(const Segments& read) const {
  std::map<std::string_view, std::size_t> place;
  for (const auto& source : sources_) place.emplace(source->path, place.size());
  std::vector<std::pair<std::shared_ptr<const Trace>, Ns>> all;
  for (const ReusedSegment& reused : reused_) all.emplace_back(reused.segment, reused.manual_offset);
  for (const auto& segment : read) all.emplace_back(segment, 0);
  const auto place_of = [&](const Trace& segment) {
    const auto found = segment.sources.empty() ? place.end() : place.find(segment.sources.front().path);
    return std::pair(!has_content(segment), found == place.end() ? place.size() : found->second);
  };
  std::ranges::stable_sort(all, {}, [&](const auto& one) { return place_of(*one.first); });
  Arranged out;
  for (auto& [segment, manual_offset] : all) {
    out.segments.push_back(std::move(segment));
    out.manual_offsets.push_back(manual_offset);
  }
  return out;
}

bool LoadJob::publish(Segments read, bool complete, std::stop_token stop) {
  const auto [segments, manual_offsets] = arranged(read);
  // A window's clocks were aligned when it was measured: aligning by the collectives within it could give another result.
  // Packed traces were not measured, so their clocks still count.
  const bool cut = options_.choice.window && !sources_.empty();
  const AlignChoice align = cut ? Align::Recorded : options_.align;
  const PlaceBy clocks = cut && packed_.empty() ? PlaceBy::Recorded : options_.place_by;
  const std::optional<Snapshot> before = shown_.lock();
  const EarlierView earlier{&compared_, before ? before->trace.get() : nullptr};
  std::shared_ptr<const Trace> trace = packed_.beside(segments, clocks, manual_offsets, earlier, align, pool_);
  if (complete) read_ = read;
  times_.built = seconds();
  std::shared_ptr<const TraceIndex> index = build_index(*trace, pool_, stop, indexed_, before ? &*before : nullptr);
  if (!index) return false;
  times_.indexed = seconds();
  if (times_.first_view == 0) times_.first_view = times_.indexed;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->trace = std::move(trace);
  snapshot->index = std::move(index);
  snapshot->generation = ++generation_;
  snapshot->complete = complete;
  remember_indices(*snapshot, read);
  shown_ = ShownView(*snapshot);
  if (complete) {
    leave_segments();
    read_ahead();  // of mapped files: the statistics need all of them next
  }
  publish_(std::move(snapshot));
  return true;
}

}  // namespace tv
