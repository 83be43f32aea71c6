#include "core/view/color/slice_colors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "core/analysis/scope/device_work.h"
#include "core/base/names/natural_less.h"
#include "core/base/text/ascii.h"
#include "core/view/color/chart_palette.h"
#include "core/view/color/phase_colors.h"
#include "core/view/color/slices_in_requests.h"

namespace tv {
namespace {

constexpr std::size_t kMostClasses = kChartColors;
constexpr std::string_view kDurationEnding = "_duration";

struct KindOfWork {
  std::string_view name;
  int color;
};
constexpr KindOfWork kComputing{"computing", 2}, kCommunicating{"communication", 5}, kCopying{"copies", 6}, kGraphs{"graphs", 0},
    kCalling{"runtime calls", 4}, kSynchronising{"waiting for the device", kWaitingColor}, kRanges{"marked ranges", 3};

// The colours of the families of names in palette.h, so that switching rules changes little.
constexpr KindOfWork kCategoryColors[] = {
    {"kernel", 2},
    {"cpu_op", 0},
    {"cuda_runtime", 4},
    {"python_function", 7},
    {"gpu_memcpy", 6},
    {"user_annotation", 3},
    {"gpu_memset", 8},
    {"gpu_user_annotation", 10},
    {"engine", 0},
    {"tool", 1},
    {"reward", 3},
    {"turn", 4},
    {"wait", kWaitingColor},
    {"request", 2},
    {"step", 7},
    {"phase", 6},
    {"forward", kForwardColor},
    {"backward", kBackwardColor},
};
constexpr KindOfWork kOfProgram[] = {{"cpu_op", 0}, {"Operator", 0}, {"python_function", 7}};
constexpr KindOfWork kOfPipeline[] = {
    {"forward", kForwardColor},
    {"backward", kBackwardColor},
    {"backward of the input", kBackwardInputColor},
    {"backward of weights", kBackwardWeightsColor},
    {"transfer", kTransferColor},
    {"optimizer", kOptimizerColor},
    {"learning rate", kLearningRateColor},
};

// The name is empty if the phase is unknown.
struct Phase {
  std::string name;
  int color = 0;
};
Phase phase_of(std::string_view category, std::string_view label, DeviceWork work) {
  const auto as = [](const KindOfWork& kind) { return Phase{std::string(kind.name), kind.color}; };
  if (const auto job = pipeline_job_color(category, label)) {
    const auto* const known = std::ranges::find(kOfPipeline, *job, &KindOfWork::color);
    return known == std::end(kOfPipeline) ? Phase() : as(*known);
  }
  if (category == "training" || category == "phase") {
    std::string_view word = label;
    if (word.ends_with(kDurationEnding)) word.remove_suffix(kDurationEnding.size());
    return {std::string(word), color_of_phase(label)};
  }
  if (const auto color = category_color(category)) {
    return {category == "turn"   ? "before and after the engine"
            : category == "wait" ? "waiting"
                                 : std::string(category),
            *color};
  }
  switch (work) {
    case DeviceWork::Compute:
      return as(kComputing);
    case DeviceWork::Communication:
      return as(kCommunicating);
    case DeviceWork::Memory:
      return as(kCopying);
    case DeviceWork::Graph:
      return as(kGraphs);
    case DeviceWork::None:
      break;
  }
  if (is_synchronising(category, label)) return as(kSynchronising);
  if (is_api_call(category)) return as(kCalling);
  if (!cpu_communication(category, label).empty()) return as(kCommunicating);
  if (category_kind(category) == CategoryKind::Ranges) return as(kRanges);
  const auto* const known = std::ranges::find(kOfProgram, category, &KindOfWork::name);
  if (known == std::end(kOfProgram)) return {};
  return {known->color == 0 ? "operators" : "Python", known->color};
}

struct ByNaturalOrder {
  bool operator()(std::string_view a, std::string_view b) const { return natural_less(a, b); }
};

// By lane: the name of the outermost group around it that belongs to a rank or worker; if there is none, of its outermost group.
std::vector<std::string_view> owners(const Trace& trace) {
  std::vector<std::string_view> owner(trace.lanes.size());
  std::vector<bool> found(trace.lanes.size());
  for (std::size_t l = 0; l < owner.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    const bool outermost = lane.parent == kNone<LaneId>, around = !outermost && found[idx(lane.parent)];
    const bool here = !around && !lane.owner.member.empty();
    owner[l] = here || outermost ? std::string_view(lane.name) : owner[idx(lane.parent)];
    found[l] = here || around;
  }
  return owner;
}

std::vector<Ns> sampled_durations(const Trace& trace) {
  constexpr std::size_t kMost = 20'000;
  std::vector<Ns> sample;
  const std::size_t all = trace.items(), n = std::min(all, kMost);
  for (std::size_t i = 0; i < n; ++i) {
    const Ns duration = trace.duration_of(id_at<SliceId>(all * i / n));
    if (duration > 0) sample.push_back(duration);
  }
  std::ranges::sort(sample);
  return sample;
}

std::uint8_t flags_of_segment(const Trace& segment) {
  std::uint8_t flags = 0;
  for (const ItemRef ref : segment.slices.ref) flags |= ref.flags();
  return flags;
}

// The union of all slices' flags; `known` caches it by segment.
std::uint8_t flags_in(const Trace& trace, SegmentFlags* known) {
  if (trace.parts.empty()) return flags_of_segment(trace);
  std::uint8_t flags = 0;
  SegmentFlags of_this;
  for (const ViewPart& part : trace.parts) {
    const auto [at, is_new] = of_this.try_emplace(part.segment);
    if (is_new) at->second = known && known->contains(part.segment) ? known->at(part.segment) : flags_of_segment(*part.segment);
    flags |= at->second;
  }
  if (known) *known = std::move(of_this);
  return flags;
}

// "STOP" is the usual end. Reasons without a name of their own are shown as in the log.
std::string status_name(std::string_view finish) {
  if (finish.empty() || finish == "STOP") return "finished";
  if (finish == "LENGTH") return "cut off at the longest length";
  return lower_case(finish);
}

int status_color(std::string_view status) {
  if (status == "finished") return 2;
  if (status.starts_with("cut off")) return 1;
  const bool failed =
      status.find("abort") != status.npos || status.find("error") != status.npos || status.find("fail") != status.npos;
  return failed ? 5 : 4;
}

struct FlagClass {
  ItemFlag flag;
  std::string_view name;
  int color;
};
constexpr FlagClass kFlags[] = {
    {kUnfinished, "never ended", 7}, {kClamped, "negative length", 5}, {kRepaired, "record was repaired", 6}};

}  // namespace

SliceColors::SliceColors(std::shared_ptr<const Trace> trace, const Rollout* rollout, ColorRule rule, ThemeKind theme,
                         const CommunicationRules& rules, SegmentFlags* flags)
    : rule_(rule), trace_(std::move(trace)) {
  rest_.name = "other";
  rest_.fill = chart_mix(chart_ink(theme).background, chart_ink(theme).text, 0.35);
  rest_.text = text_on(rest_.fill);
  switch (rule) {
    case ColorRule::Category:
      by_category(theme);
      break;
    case ColorRule::Phase:
      by_phase(theme, rules);
      break;
    case ColorRule::Turn:
      if (rollout) by_turn(*rollout, theme);
      break;
    case ColorRule::Worker:
      by_worker(theme);
      break;
    case ColorRule::Status:
      by_status(rollout, theme, flags);
      break;
    case ColorRule::Duration:
      by_duration(theme);
      break;
    case ColorRule::Name:
    case ColorRule::kCount:
      break;
  }
}

std::size_t SliceColors::of(SliceId slice, LabelId label, LaneId lane) const {
  switch (rule_) {
    case ColorRule::Category:
    case ColorRule::Phase:
      return of_label_[idx(label)];
    case ColorRule::Worker:
      return of_lane_[idx(lane)];
    case ColorRule::Turn:
      return of_slice_.empty() ? kRest : of_slice_[idx(slice)];
    case ColorRule::Status: {
      const ItemRef ref = trace_->ref_of(slice);
      for (std::size_t f = 0; f < std::size(kFlags); ++f) {
        if (ref.is(kFlags[f].flag)) return of_flag_[f];
      }
      return of_slice_.empty() ? Class{0} : of_slice_[idx(slice)];
    }
    case ColorRule::Duration:
      return static_cast<std::size_t>(std::ranges::upper_bound(bounds_, trace_->duration_of(slice)) -
                                      bounds_.begin());
    case ColorRule::Name:
    case ColorRule::kCount:
      break;
  }
  return kRest;
}

std::size_t SliceColors::of_summary(LabelId label, LaneId lane) const {
  if (!of_label_.empty() && label != kNone<LabelId>) return of_label_[idx(label)];
  if (!of_lane_.empty() && lane != kNone<LaneId>) return of_lane_[idx(lane)];
  return kRest;
}

// If two classes want the same colour, the second gets an unused one, as in a chart.
void SliceColors::add_classes(const std::vector<Named>& wanted, ThemeKind theme) {
  Chart chart;
  for (const Named& each : wanted) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = each.name;
    series.color = each.color;
  }
  tell_apart(chart);
  for (const ChartSeries& series : chart.series) {
    const Rgba fill = chart_color(series.color, theme);
    classes_.push_back({series.name, fill, text_on(fill)});
  }
}

void SliceColors::by_category(ThemeKind theme) {
  const LabelTable& labels = trace_->labels;
  std::set<std::string_view, ByNaturalOrder> all;
  for (std::size_t l = 0; l < labels.size(); ++l) all.insert(labels.category(id_at<LabelId>(l)));
  std::vector<Named> wanted;
  std::map<std::string_view, Class> at;
  for (const bool known : {true, false}) {
    for (const std::string_view category : all) {
      const auto* const color = std::ranges::find(kCategoryColors, category, &KindOfWork::name);
      if ((color != std::end(kCategoryColors)) != known || wanted.size() == kMostClasses) continue;
      at.emplace(category, static_cast<Class>(wanted.size()));
      wanted.push_back({category.empty() ? "no category" : std::string(category), known ? color->color : 1});
    }
  }
  add_classes(wanted, theme);
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto found = at.find(labels.category(id_at<LabelId>(l)));
    of_label_.push_back(found == at.end() ? kRest : found->second);
  }
}

void SliceColors::by_phase(ThemeKind theme, const CommunicationRules& rules) {
  const LabelTable& labels = trace_->labels;
  const std::vector<DeviceWork> work = device_work(*trace_, rules);
  std::vector<Named> wanted;
  std::map<std::string, Class, std::less<>> at;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto id = id_at<LabelId>(l);
    Phase phase = phase_of(labels.category(id), labels.name(id), work[l]);
    if (!phase.name.empty() && !at.contains(phase.name) && wanted.size() < kMostClasses) {
      at.emplace(phase.name, static_cast<Class>(wanted.size()));
      wanted.push_back({phase.name, phase.color});
    }
    const auto found = at.find(phase.name);
    of_label_.push_back(found == at.end() ? kRest : found->second);
  }
  add_classes(wanted, theme);
}

void SliceColors::by_worker(ThemeKind theme) {
  const std::vector<std::string_view> owner = owners(*trace_);
  std::set<std::string_view, ByNaturalOrder> all;
  for (std::size_t l = 0; l < owner.size(); ++l) {
    if (trace_->lanes[l].slices > 0) all.insert(owner[l]);
  }
  std::vector<Named> wanted;
  std::map<std::string_view, Class> at;
  for (const std::string_view each : all) {
    // If there are more owners than colours, several share a class.
    const std::size_t n = at.size() % kMostClasses;
    if (n < wanted.size()) {
      wanted[n].name += fmt::format(", {}", each);
    } else {
      wanted.push_back({std::string(each), static_cast<int>(n)});
    }
    at.emplace(each, static_cast<Class>(n));
  }
  add_classes(wanted, theme);
  for (const std::string_view each : owner) {
    const auto found = at.find(each);
    of_lane_.push_back(found == at.end() ? kRest : found->second);
  }
}

void SliceColors::by_turn(const Rollout& rollout, ThemeKind theme) {
  of_slice_.assign(trace_->items(), kRest);
  std::size_t turns = 0;
  TurnFinder finder(rollout);
  for_slices_in_requests(rollout, [&](SliceId slice, LabelId label, RequestIx request) {
    const std::int32_t turn = finder.turn_of(slice, label, request);
    if (turn < 0) return;
    const std::size_t at = std::min(static_cast<std::size_t>(turn), kMostClasses - 1);
    turns = std::max(turns, at + 1);
    of_slice_[idx(slice)] = static_cast<Class>(at);
  });
  std::vector<Named> wanted;
  for (std::size_t t = 0; t < turns; ++t) {
    wanted.push_back({fmt::format("turn {}{}", t + 1, t + 1 == kMostClasses ? " and later" : ""), static_cast<int>(t)});
  }
  add_classes(wanted, theme);
}

void SliceColors::by_status(const Rollout* rollout, ThemeKind theme, SegmentFlags* flags) {
  std::vector<Named> wanted = {{"finished", status_color("finished")}};
  const std::uint8_t in_trace = flags_in(*trace_, flags);
  for (const FlagClass& each : kFlags) {
    const bool there = (in_trace & each.flag) != 0;
    of_flag_.push_back(there ? static_cast<Class>(wanted.size()) : kRest);
    if (there) wanted.push_back({std::string(each.name), each.color});
  }
  if (rollout) {
    std::map<std::uint32_t, Class> at;  // by id of the text
    for (const RequestIx r : rollout->first_of_finish) {
      const std::uint32_t finish = rollout->request(r).finish;
      const std::string status = status_name(rollout->log().text(finish));
      const auto known = std::ranges::find(wanted, status, &Named::name);
      at.emplace(finish, static_cast<Class>(known - wanted.begin()));
      if (known == wanted.end()) wanted.push_back({status, status_color(status)});
      if (wanted.size() == kMostClasses) break;
    }
    of_slice_.assign(trace_->items(), kRest);
    for_slices_in_requests(*rollout, [&](SliceId slice, LabelId, RequestIx request) {
      const auto found = at.find(rollout->request(request).finish);
      if (found != at.end()) of_slice_[idx(slice)] = found->second;
    });
  }
  add_classes(wanted, theme);
}

void SliceColors::by_duration(ThemeKind theme) {
  constexpr std::size_t kMostSteps = 9;
  const std::vector<Ns> sample = sampled_durations(*trace_);
  if (sample.empty()) return;
  const Ns low = sample[sample.size() / 20], high = sample.back();
  std::vector<Ns> tens;  // the powers of ten between the 5th percentile and the maximum
  for (Ns at = 1; at <= high && at < kLongestLength / 10; at *= 10) {
    if (at > low) tens.push_back(at);
  }
  for (const Ns at : tens) {
    if (tens.size() <= kMostSteps / 2 && at / 10 * 3 > low) bounds_.push_back(std::max<Ns>(at / 10 * 3, 1));
    bounds_.push_back(at);
  }
  if (tens.size() <= kMostSteps / 2 && !tens.empty() && tens.back() * 3 <= high) bounds_.push_back(tens.back() * 3);
  if (bounds_.size() >= kMostSteps)
    bounds_.erase(bounds_.begin(), bounds_.end() - static_cast<std::ptrdiff_t>(kMostSteps - 1));
  for (std::size_t step = 0; step <= bounds_.size(); ++step) {
    constexpr double kFirst = 0.15;  // keeps short slices visible
    const double part = bounds_.empty() ? 1 : static_cast<double>(step) / static_cast<double>(bounds_.size());
    const Rgba fill = chart_heat(kFirst + (1 - kFirst) * part, theme);
    const std::string called = step < bounds_.size() ? "< " + format_duration(bounds_[step])
                               : bounds_.empty()     ? std::string("all")
                                                     : "longer";
    classes_.push_back({called, fill, text_on(fill)});
  }
}

std::vector<ColorRule> offered_rules(const Trace& trace, const Rollout* rollout, SegmentFlags* flags) {
  std::vector<ColorRule> rules = {ColorRule::Name};
  std::set<std::string_view> categories, workers;
  for (std::size_t l = 0; l < trace.labels.size(); ++l) categories.insert(trace.labels.category(id_at<LabelId>(l)));
  if (categories.size() > 1) rules.push_back(ColorRule::Category);
  const std::vector<DeviceWork> work = device_work(trace, {});
  std::set<std::string> phases;
  for (std::size_t l = 0; l < work.size() && phases.size() < 2; ++l) {
    const auto id = id_at<LabelId>(l);
    std::string phase = phase_of(trace.labels.category(id), trace.labels.name(id), work[l]).name;
    if (!phase.empty()) phases.insert(std::move(phase));
  }
  if (phases.size() > 1) rules.push_back(ColorRule::Phase);
  const auto has_turns = [&] {
    for (const RolloutTurn& turn : rollout->log().turns) {
      if (turn.turn > 0 && turn.engine_end >= 0) return true;
    }
    return false;
  };
  if (rollout && has_turns()) rules.push_back(ColorRule::Turn);
  const std::vector<std::string_view> owner = owners(trace);
  for (std::size_t l = 0; l < owner.size(); ++l) {
    if (trace.lanes[l].slices > 0) workers.insert(owner[l]);
  }
  if (workers.size() > 1) rules.push_back(ColorRule::Worker);
  std::set<std::string> ends;
  if (rollout) {
    for (const RequestIx r : rollout->first_of_finish) {
      ends.insert(status_name(rollout->log().text(rollout->request(r).finish)));
      if (ends.size() > 1) break;
    }
  }
  const std::uint8_t there = ends.size() < 2 ? flags_in(trace, flags) : 0;
  const bool flagged = std::ranges::any_of(kFlags, [there](const FlagClass& each) { return (there & each.flag) != 0; });
  if (ends.size() > 1 || flagged) rules.push_back(ColorRule::Status);
  const std::vector<Ns> sample = sampled_durations(trace);
  if (!sample.empty() && sample.front() < sample.back()) rules.push_back(ColorRule::Duration);
  return rules;
}

}  // namespace tv
