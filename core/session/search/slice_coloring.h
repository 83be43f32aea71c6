// The user's rule for the colours of slices, and the colours of the present trace. These are made in the background. Until they
// are ready, and if the trace lacks what the rule needs, slices are coloured by name.
// Only the UI thread calls it. Cost per frame: a comparison.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/async_memo.h"
#include "core/view/color/slice_colors.h"

namespace tv {

class SliceColoring {
 public:
  SliceColoring(ThreadPool& pool, std::function<void()> wake) : memo_(pool, std::move(wake)) {}

  /// Call once per frame. `rollout`: of this trace, or null; `communication`: the setting kCommunicationRules.
  void follow(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const Rollout>& rollout, ThemeKind theme,
              std::string_view communication);
  /// `rule` none: chooses the next of offered(). Returns why the trace cannot use the rule. Empty: it can, as far as is known.
  std::string choose(std::optional<ColorRule> rule);

  ColorRule chosen() const { return chosen_; }
  /// Null: coloured by name.
  const SliceColors* colors() const { return colors_ ? &colors_->colors : nullptr; }
  /// The rules that distinguish slices of this trace; empty: not known yet.
  const std::vector<ColorRule>& offered() const { return offered_; }
  /// Differs between any two sets of colours.
  std::uint64_t version() const { return version_; }
  bool busy() const { return memo_.running(); }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Rollout> rollout;
    ColorRule rule = ColorRule::Name;
    ThemeKind theme = ThemeKind::Dark;
    std::string communication;
    bool operator==(const Asked&) const = default;
  };
  struct Made {
    std::vector<ColorRule> offered;
    SegmentFlags flags = {};
    SliceColors colors;
  };

  AsyncMemo<Asked, Made> memo_;
  ColorRule chosen_ = ColorRule::Name;
  std::optional<Asked> shown_;  ///< the question that colors_ and offered_ answer
  std::shared_ptr<const Made> colors_;
  std::vector<ColorRule> offered_;
  SegmentFlags flags_;  ///< of the last view
  std::uint64_t version_ = 0;
};

}  // namespace tv
