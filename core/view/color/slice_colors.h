// Colours of slices by rules other than their names. A rule puts every slice into one of a few classes. Each class has a colour of
// the chart palette, which is distinct in both themes, and a name for the legend.
//
//   Category, Phase    by label                          Worker            by lane
//   Status             by the slice's flags; in a rollout by its request's finish reason
//   Turn               by the request's turns: when each engine call ended
//   Duration           in powers of ten, or also three times these, from dark to bright
//
// Pure: made from one trace, for one theme, in the background. Cost: O(labels + lanes); for Turn, and for Status in a rollout,
// O(slices) and a byte for each slice; for Status otherwise one look at each new slice. To get a colour: one table look-up, no
// allocation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/store/trace/trace.h"
#include "core/view/color/color_rule.h"
#include "core/view/color/palette.h"

namespace tv {

/// A line of the legend.
struct ColorClass {
  std::string name;
  Rgba fill = 0, text = 0;
};

/// Per segment of a view: the union of the ItemFlags of its slices. Pass those of the previous view; they are updated for the new
/// one, so that each slice is read only once.
using SegmentFlags = std::map<std::shared_ptr<const Trace>, std::uint8_t>;

class SliceColors {
 public:
  SliceColors() = default;  ///< colours by name: classifies no slice
  /// `rollout`: of the same trace, or null. `flags`: see SegmentFlags, or null.
  SliceColors(std::shared_ptr<const Trace> trace, const Rollout* rollout, ColorRule rule, ThemeKind theme,
              const CommunicationRules& rules = {}, SegmentFlags* flags = nullptr);

  ColorRule rule() const { return rule_; }
  const Trace* trace() const { return trace_.get(); }
  std::span<const ColorClass> legend() const { return classes_; }

  /// The class of a slice, or of a summary that merges several slices.
  std::size_t of(SliceId slice, LabelId label, LaneId lane) const;
  std::size_t of_summary(LabelId label, LaneId lane) const;
  const ColorClass& look(std::size_t at) const { return at < classes_.size() ? classes_[at] : rest_; }

 private:
  using Class = std::uint8_t;
  static constexpr Class kRest = UINT8_MAX;  ///< slices that the rule does not classify

  struct Named {
    std::string name;
    int color = 0;  ///< the preferred colour of the chart palette
  };
  void add_classes(const std::vector<Named>& wanted, ThemeKind theme);
  void by_category(ThemeKind theme);
  void by_phase(ThemeKind theme, const CommunicationRules& rules);
  void by_turn(const Rollout& rollout, ThemeKind theme);
  void by_worker(ThemeKind theme);
  void by_status(const Rollout* rollout, ThemeKind theme, SegmentFlags* flags);
  void by_duration(ThemeKind theme);

  ColorRule rule_ = ColorRule::Name;
  std::shared_ptr<const Trace> trace_;
  std::vector<ColorClass> classes_;
  ColorClass rest_;
  std::vector<Class> of_label_, of_lane_, of_slice_, of_flag_;
  std::vector<Ns> bounds_;  ///< Duration: class n ends below bounds_[n]
};

/// Name, and the other rules that distinguish slices of this trace. Cost: O(labels), and one look at each new slice.
std::vector<ColorRule> offered_rules(const Trace& trace, const Rollout* rollout, SegmentFlags* flags = nullptr);

}  // namespace tv
