#include "core/session/search/slice_coloring.h"

#include <fmt/format.h>

#include <algorithm>

namespace tv {

void SliceColoring::follow(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const Rollout>& rollout,
                           ThemeKind theme, std::string_view communication) {
  const bool same = shown_ && shown_->trace == trace && shown_->rollout == rollout && shown_->rule == chosen_ &&
                    shown_->theme == theme && shown_->communication == communication;
  if (same) return;
  if (colors_ && colors_->colors.trace() != trace.get()) {
    colors_.reset();
    ++version_;
  }
  Asked asked{trace, rollout, chosen_, theme, std::string(communication)};
  const auto made = memo_.get(asked, [flags = flags_](const Asked& question) {
    Made out;
    out.flags = flags;
    out.offered = offered_rules(*question.trace, question.rollout.get(), &out.flags);
    const bool is_offered = question.rule != ColorRule::Name && std::ranges::find(out.offered, question.rule) != out.offered.end();
    if (is_offered) {
      out.colors = SliceColors(question.trace, question.rollout.get(), question.rule, question.theme,
                               CommunicationRules(question.communication), &out.flags);
    }
    return out;
  });
  if (!made.fresh) return;
  shown_ = std::move(asked);
  offered_ = made.value->offered;
  flags_ = made.value->flags;
  colors_ = made.value->colors.rule() == ColorRule::Name ? nullptr : made.value;
  ++version_;
}

std::string SliceColoring::choose(std::optional<ColorRule> rule) {
  if (!rule) {
    const auto now = std::ranges::find(offered_, chosen_);
    const bool last = now == offered_.end() || now + 1 == offered_.end();
    rule = last ? ColorRule::Name : now[1];
  }
  chosen_ = *rule;
  if (offered_.empty() || std::ranges::find(offered_, *rule) != offered_.end()) return {};
  return fmt::format("nothing here differs by {}: coloured by name", meaning(*rule));
}

}  // namespace tv
