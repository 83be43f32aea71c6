#include "core/store/clock/time_window.h"

#include <algorithm>
#include <map>

#include "core/store/clock/unit_clocks.h"
#include "core/store/clock/work_extent.h"
#include "core/store/draft/item_ref.h"
#include "core/store/rules/iteration_rules.h"

namespace tv {
namespace {

bool touches(Ns begin, Ns duration, TimeRange window) {
  if (begin >= window.end) return false;
  return duration == kOpenEnd || begin >= window.begin || begin + duration > window.begin;
}

template <class Slices>
SliceColumns touching(const Slices& slices, TimeRange window) {
  SliceColumns found;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (!touches(slices.begin[i], slices.duration[i], window)) continue;
    found.add(slices.track[i], slices.begin[i], slices.duration[i], slices.label[i], slices.group_of(i), slices.offset[i],
              slices.flags_of(i));
  }
  return found;
}

// By label: whether it names collectives.
std::vector<bool> collective_labels(const LabelTable& labels) {
  std::vector<bool> of_label;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    of_label.push_back(is_collective(labels.category(label), labels.name(label)));
  }
  return of_label;
}

// The batch's collectives, with ids of `to`.
SliceColumns collectives_of(const EventBatch& batch, const std::vector<bool>& of_collectives, EventBatch& to) {
  SliceColumns collectives;
  if (std::ranges::find(of_collectives, true) == of_collectives.end()) return collectives;
  for (std::size_t i = 0; i < batch.slices.size(); ++i) {
    if (!of_collectives[idx(batch.slices.label[i])]) continue;
    const std::uint8_t flags = batch.slices.duration[i] == kOpenEnd ? kUnfinished : 0;
    const auto track = static_cast<std::uint32_t>(
        to.tracks.intern_from(batch.tracks, static_cast<StrId>(batch.slices.track[i])));
    collectives.add(track, batch.slices.begin[i], batch.slices.duration[i],
                    to.labels.intern_from(batch.labels, batch.slices.label[i]), kNoGroup, batch.slices.offset[i], flags);
  }
  return collectives;
}

}  // namespace

void crop(SliceColumns& slices, FileRange window) { slices = touching(slices, window.plain()); }

void crop(EventBatch& batch, FileRange in_file) {
  const TimeRange window = in_file.plain();
  const bool all = batch.slices.first >= window.begin && batch.slices.last < window.end;
  if (!all) batch.slices = SliceBlock(touching(batch.slices, window));
  const auto outside = [&](const auto& point) { return point.time < window.begin || point.time >= window.end; };
  std::erase_if(batch.instants, outside);
  // Counter changes before the window add up to the value at its begin.
  std::map<std::uint32_t, double> sum_before;
  for (const CounterSample& sample : batch.samples) {
    if (sample.is_change && sample.time < window.begin) sum_before[sample.track] += sample.value;
  }
  std::erase_if(batch.samples, outside);
  for (const auto& [track, value] : sum_before) {
    if (value != 0) batch.samples.push_back({track, window.begin, value, true});
  }
  std::erase_if(batch.flows, outside);
}

RolloutLog crop(const RolloutLog& log, FileRange window) {
  RolloutLog cropped;
  cropped.append(log, 0, 0);
  const auto outside = [&](const auto& item) {
    const Ns duration = to_ns(item.seconds);
    return !touches(item.end - duration, duration, window.plain());
  };
  std::erase_if(cropped.requests.own(), outside);
  std::erase_if(cropped.phases.own(), outside);
  return cropped;
}

namespace {

// Keeps as many of the first and last marks as it takes to see that a side has many (kFewMarks).
void keep_outer(std::vector<Ns>& times) {
  constexpr std::size_t kEnough = kFewMarks + 1;
  if (times.size() <= 2 * kEnough) return;
  std::ranges::nth_element(times, times.begin() + kEnough);
  std::ranges::nth_element(times.begin() + kEnough, times.end() - kEnough, times.end());
  times.erase(times.begin() + kEnough, times.end() - kEnough);
}

}  // namespace

EventBatch outline_of(const EventBatch& batch) {
  const std::vector<bool> of_collectives = collective_labels(batch.labels);
  std::vector<Ns> marks;
  for (std::size_t i = 0; i < batch.slices.size(); ++i) {  // a collective is in the outline itself, and must not count twice
    if (batch.slices.duration[i] == 0 && !of_collectives[idx(batch.slices.label[i])]) marks.push_back(batch.slices.begin[i]);
  }
  for (const Instant& instant : batch.instants) marks.push_back(instant.time);
  keep_outer(marks);
  // Only begins count: an end without a begin makes no slice.
  Ns first = batch.slices.lasting_first, last = batch.slices.lasting_last;
  std::size_t lasting = batch.slices.lasting;
  for (const HalfEvent& half : batch.halves) {
    if (begins(half)) first = std::min(first, half.time);
    if (begins(half)) ++lasting;
    last = std::max(last, half.time);
  }
  EventBatch outline;
  const auto track = static_cast<std::uint32_t>(outline.tracks.intern("outline"));
  const LabelId label = outline.labels.intern(std::string_view(), "outline");
  for (std::size_t l = 0; l < batch.labels.size(); ++l) {  // profiler steps show which windows belong to one process
    const std::string_view name = batch.labels.name(id_at<LabelId>(l));
    if (name.starts_with(kProfilerStep)) outline.labels.intern(batch.labels.category(id_at<LabelId>(l)), name);
  }
  for (const Ns t : marks) outline.instants.push_back({track, label, t, 0});
  if (!batch.samples.empty()) {
    const auto [a, b] = std::ranges::minmax(batch.samples, {}, &CounterSample::time);
    outline.samples = {{track, a.time, 0}, {track, b.time, 0}};
  }
  SliceColumns slices = collectives_of(batch, of_collectives, outline);
  const auto collectives = slices.size() - static_cast<std::size_t>(std::ranges::count(slices.duration, 0));  // that last
  const std::size_t enough = std::min(lasting, kFewMarks + 1);
  const std::size_t more = lasting <= collectives ? 0 : std::max<std::size_t>(enough - std::min(enough, collectives), 1);
  const bool open = any_open(batch.slices);
  const bool needs_open = open && std::ranges::find(slices.duration, kOpenEnd) == slices.duration.end();
  if (open) outline.instants.push_back({track, label, last, 0});
  for (std::size_t n = 0; n < more; ++n) {
    const bool ends = last > first && (n > 0 || !needs_open);
    slices.add(track, first, ends ? last - first : kOpenEnd, label, kNoGroup, 0, ends ? 0 : kUnfinished);
  }
  outline.slices = SliceBlock(slices);
  return outline;
}

}  // namespace tv
