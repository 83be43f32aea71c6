#include "core/session/selection_sums.h"

#include "core/view/sums_text.h"

namespace tv {

void SelectionSums::ask(const std::shared_ptr<const Trace>& trace, LabelId label,
                        const std::optional<SliceStretch>& stretch) {
  if (label == kNone<LabelId> && !stretch) {
    lines_.clear();
    shown_.reset();
    return;
  }
  Asked asked{trace, label, stretch};
  if (shown_ == asked) return;
  const auto made = memo_.get(asked, [](const Asked& of) -> Lines {
    if (!of.stretch) return {same_name_text(sums_of_label(*of.trace, of.label))};
    return stretch_texts(*of.trace, *of.stretch, sums_between(*of.trace, *of.stretch));
  });
  lines_ = made.fresh ? *made.value : Lines{"counting ..."};
  if (made.fresh) shown_ = std::move(asked);
}

}  // namespace tv
