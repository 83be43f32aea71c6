#include "core/session/search/selection_sums.h"

#include "core/view/words/sums_text.h"

namespace tv {

void SelectionSums::ask(const std::shared_ptr<const Trace>& trace, LabelId label,
                        const std::optional<SliceStretch>& stretch) {
  if (label == kNone<LabelId> && !stretch) {
    lines_.clear();
    shown_.reset();
    waiting_ = false;
    return;
  }
  Asked asked{trace, label, stretch};
  if (shown_ == asked) return;
  const auto made = memo_.get(asked, [](const Asked& question) -> Lines {
    if (!question.stretch) return {same_name_text(sums_of_label(*question.trace, question.label))};
    return stretch_texts(*question.trace, *question.stretch, sums_between(*question.trace, *question.stretch));
  });
  waiting_ = !made.fresh;
  lines_ = made.fresh ? *made.value : Lines{"counting ..."};
  shown_ = made.fresh ? std::optional(std::move(asked)) : std::nullopt;
}

}  // namespace tv
