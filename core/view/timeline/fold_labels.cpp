#include "core/view/timeline/fold_labels.h"

#include <algorithm>

namespace tv {

std::vector<FoldLabel> fold_labels(std::span<const FoldedGap> gaps, double width_px, double pad, const std::function<double(Ns)>& x_of,
                                   const std::function<double(std::string_view)>& width_of) {
  std::vector<const FoldedGap*> in_view;
  for (const FoldedGap& gap : gaps) {
    if (x_of(gap.at.end) >= 0 && x_of(gap.at.begin) <= width_px) in_view.push_back(&gap);
  }
  // The longest gaps come first, so that they get their labels.
  std::ranges::stable_sort(in_view, std::greater(), &FoldedGap::removed);
  std::vector<FoldLabel> labels;
  std::vector<RulerSpan> written;
  for (const FoldedGap* const gap : in_view) {
    const double middle = (x_of(gap->at.begin) + x_of(gap->at.end)) / 2;
    const std::string length = format_duration(gap->removed);
    for (const std::string& text : {"skips " + length, length}) {
      const double width = width_of(text) + 2 * pad, left = std::clamp(middle - width / 2, 0.0, std::max(width_px - width, 0.0));
      const RulerSpan at{left, left + width};
      if (!ruler_label_fits(at, width_px, written)) continue;
      written.push_back(at);
      labels.push_back({text, at});
      break;
    }
  }
  std::ranges::sort(labels, {}, [](const FoldLabel& label) { return label.at.x0; });
  return labels;
}

}  // namespace tv
