// Labels on the ruler for idle time that was taken out: "skips 58.29 s", each in the middle of its gap. If two would overlap, the
// one for more idle time is written; the other is shortened to "58.29 s", or left out. Gaps out of sight have none. Cost: O(g log
// g + g * labels that fit), for g gaps in sight.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/clocks/align_advice.h"
#include "core/view/timeline/time_axis.h"

namespace tv {

struct FoldLabel {
  std::string text;
  RulerSpan at;  ///< pixels of the ruler; includes `pad` on both sides of the text
};

/// From left to right. `x_of`: converts a time relative to the trace's origin to pixels of the ruler; `width_of`: the width of a
/// text in pixels.
std::vector<FoldLabel> fold_labels(std::span<const FoldedGap> gaps, double width_px, double pad, const std::function<double(Ns)>& x_of,
                                   const std::function<double(std::string_view)>& width_of);

}  // namespace tv
