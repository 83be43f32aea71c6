#include "core/view/lanes/row_heights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/lanes/lane_layout.h"

namespace tv {

RowSize next_size(RowSize shown) {
  switch (shown) {
    case RowSize::Compact:
      return RowSize::Normal;
    case RowSize::Normal:
      return RowSize::Tall;
    case RowSize::Auto:
    case RowSize::Tall:
      break;
  }
  return RowSize::Compact;
}

bool many_rows(std::uint32_t count, const LaneMetrics& metrics) { return count > metrics.compact_above_rows; }

RowSize shown_size(const RowsOfLane& rows, bool all_fit, double ns_per_px, const LaneMetrics& metrics) {
  if (rows.asked != RowSize::Auto) return rows.asked;
  const bool compact = !all_fit && many_rows(rows.count, metrics) && ns_per_px > widest_zoom(rows.typical_ns, metrics);
  return compact ? RowSize::Compact : RowSize::Normal;
}

float row_height(RowSize shown, std::uint32_t count, const LaneMetrics& metrics) {
  if (shown == RowSize::Tall) return metrics.tall_row;
  if (shown != RowSize::Compact) return metrics.row;
  return std::clamp(metrics.compact_lane / static_cast<float>(std::max(count, 1u)), metrics.compact_row_least,
                    metrics.compact_row_most);
}

double widest_zoom(double typical_ns, const LaneMetrics& metrics) {
  return typical_ns / static_cast<double>(metrics.readable_slice);
}

double typical_duration(const Trace& trace, const Lane& lane) {
  constexpr std::size_t kMost = 1000;
  std::array<Ns, kMost> sample;
  const std::size_t all = lane.slices;
  if (all == 0) return 1;
  const std::size_t n = std::min(all, kMost);
  std::size_t before = 0, i = 0;  // rows of slices come before those of instants
  for (const Row& row : trace.rows_of(lane)) {
    for (; i < n && all * i / n < before + row.count; ++i) {
      sample[i] = trace.duration_of(id_at<SliceId>(row.first + all * i / n - before));
    }
    before += row.count;
  }
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(sample.begin(), middle, sample.begin() + static_cast<std::ptrdiff_t>(n));
  return static_cast<double>(std::max<Ns>(*middle, 1));
}

float row_scale(float steps) { return std::pow(1.15f, std::clamp(steps, kLeastSteps, kMostSteps)); }

}  // namespace tv
