#include "core/store/segments/view_counters.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tv {
namespace {

void sort_samples(CounterSeries& series) {
  std::vector<std::pair<Ns, double>> samples;
  samples.reserve(series.time.size());
  for (std::size_t i = 0; i < series.time.size(); ++i) samples.emplace_back(series.time[i], series.value[i]);
  std::ranges::stable_sort(samples, {}, &std::pair<Ns, double>::first);
  series.time = {};
  series.value = {};
  series.reserve_more(samples.size());
  for (const auto& [time, value] : samples) series.push_back(time, value);
}

}  // namespace

ViewCounters::ViewCounters(Trace& view, const Trace* earlier) : view_(view), earlier_(earlier) {
  if (!earlier || earlier->parts.empty()) return;
  for (const CounterSeries& series : earlier->counters) {
    if (series.pieces.empty()) continue;
    const CounterPiece& first = series.pieces.front();
    before_[{earlier->parts[first.part].segment.get(), first.counter}] = &series;
  }
}

void ViewCounters::add(LaneId lane, std::span<const CounterPiece> pieces) {
  CounterSeries& all = view_.counters.emplace_back();
  all.lane = lane;
  all.min = series_of(pieces.front()).min;
  all.max = series_of(pieces.front()).max;
  for (const CounterPiece& piece : pieces) {
    all.min = std::min(all.min, series_of(piece).min);
    all.max = std::max(all.max, series_of(piece).max);
  }
  std::size_t known = share_beginning(pieces, all);
  bool sorted = true;
  std::size_t new_samples = 0;
  for (const CounterPiece& piece : pieces.subspan(known)) new_samples += series_of(piece).time.size();
  all.reserve_more(new_samples);
  for (const CounterPiece& piece : pieces.subspan(known)) {
    const CounterSeries& series = series_of(piece);
    const Ns shift = view_.parts[piece.part].shift.by;
    if (!all.time.empty() && series.time.front() + shift < all.time.back()) sorted = false;
    for (std::size_t i = 0; i < series.time.size(); ++i) all.push_back(series.time[i] + shift, series.value[i]);
    all.pieces.push_back({piece.part, piece.counter, all.time.size()});
  }
  if (!sorted) {
    sort_samples(all);
    all.pieces.clear();  // samples are no longer grouped by piece
  }
  all.share();
}

// Returns the number of leading pieces whose samples are shared.
std::size_t ViewCounters::share_beginning(std::span<const CounterPiece> pieces, CounterSeries& all) const {
  const ViewPart& first = view_.parts[pieces.front().part];
  if (const auto found = before_.find({first.segment.get(), pieces.front().counter}); found != before_.end()) {
    const CounterSeries& before = *found->second;
    const std::size_t same = pieces_as_before(pieces, before);
    if (same > 0) {
      const std::size_t samples = before.pieces[same - 1].end;
      all.time = before.time.first(samples);
      all.value = before.value.first(samples);
      for (std::size_t p = 0; p < same; ++p) all.pieces.push_back({pieces[p].part, pieces[p].counter, before.pieces[p].end});
      return same;
    }
  }
  if (first.shift.by != 0) return 0;
  all.time = series_of(pieces.front()).time;
  all.value = series_of(pieces.front()).value;
  all.pieces.push_back({pieces.front().part, pieces.front().counter, all.time.size()});
  return 1;
}

std::size_t ViewCounters::pieces_as_before(std::span<const CounterPiece> pieces, const CounterSeries& before) const {
  const auto same = [&](const CounterPiece& now, const CounterPiece& was) {
    const ViewPart &part = view_.parts[now.part], &earlier = earlier_->parts[was.part];
    return part.segment == earlier.segment && part.shift == earlier.shift && now.counter == was.counter;
  };
  return static_cast<std::size_t>(std::ranges::mismatch(pieces, before.pieces, same).in1 - pieces.begin());
}

}  // namespace tv
