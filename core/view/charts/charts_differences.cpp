#include "core/view/charts/charts_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/scope/device_work.h"
#include "core/analysis/statistics/name_differences.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/query/lane_set.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"

namespace tv {
namespace {

constexpr std::string_view kDifferencesNote =
    "Compares the time of each name on both sides. Means are of whole slices; totals are clipped to the area, if there is "
    "one. Nested slices all count, so the differences of caller and callee add up to more than the total change. A row leads "
    "to the longest slice of the second side or, if it has none, of the first.";
constexpr std::size_t kBarsOfDifferences = 15, kMostDifferences = 2000, kLettersOfSide = 20;
constexpr int kLongerColor = 5, kShorterColor = 2;

// One of the two sides, with its statistics.
struct DifferenceSide {
  const ComparedPart* part = nullptr;
  RangeStats stats;
};

template <class StatsOf>
DifferenceSide named_side(const std::vector<ComparedPart>& parts, std::string_view name, const StatsOf& stats_of) {
  const auto named = std::ranges::find(parts, name, [](const ComparedPart& part) { return std::string_view(part.name); });
  return named == parts.end() ? DifferenceSide() : DifferenceSide{&*named, stats_of(*named)};
}

// Returns the first part that has slices and is not the other side.
template <class StatsOf>
DifferenceSide side_with_slices(const std::vector<ComparedPart>& parts, const ComparedPart* other, const StatsOf& stats_of) {
  for (const ComparedPart& part : parts) {
    if (&part == other) continue;
    if (RangeStats stats = stats_of(part); !stats.labels.empty()) return {&part, std::move(stats)};
  }
  return {};
}

// The names of both sides, short enough for column titles. Long names lose the part that both begin with.
std::pair<std::string, std::string> short_sides(std::string_view a, std::string_view b) {
  if (std::max(a.size(), b.size()) > kLettersOfSide) {
    constexpr std::string_view kBetweenWords = " ,/";
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
      if (kBetweenWords.find(a[i]) != std::string_view::npos) same = i + 1;
    }
    a.remove_prefix(same);
    b.remove_prefix(same);
  }
  std::pair<std::string, std::string> out(shortened_utf8(a, kLettersOfSide), shortened_utf8(b, kLettersOfSide));
  if (out.first == out.second) out = {std::string(a), std::string(b)};
  return out;
}

bool any_of(const std::vector<bool>& labels) { return std::ranges::find(labels, true) != labels.end(); }

// By label: whether it is compared. Empty if all are.
std::vector<bool> compared_labels(const Trace& trace, std::string_view kind) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    if (name(static_cast<WorkKind>(k)) == kind) return labels_of(trace, static_cast<WorkKind>(k));
  }
  std::vector<bool> kernels = kind.empty() ? labels_of(trace, WorkKind::kernels) : std::vector<bool>();
  return any_of(kernels) ? kernels : std::vector<bool>();
}

std::string signed_duration(Ns length) { return (length < 0 ? "-" : "+") + format_duration(std::abs(length)); }

ChartCell signed_duration_cell(Ns length) { return in_words(signed_duration(length), duration_cell(length)); }

ChartCell change_cell(double from, double to) {
  const double percent = from > 0 ? 100 * (to - from) / from : NAN;
  return in_words(std::isnan(percent) ? "-" : fmt::format("{:+.1f} %", percent), percent_cell(percent));
}

void add_difference_bars(Chart& chart, const std::vector<NameDifference>& names, const std::vector<std::string>& whole) {
  chart.y.full_categories.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(std::min(whole.size(), kBarsOfDifferences)));
  const auto part = [&](bool longer) {
    return [&names, longer](std::size_t row) {
      const Ns difference = names[row].difference();
      return (difference > 0) == longer ? to_seconds(difference) : 0.0;
    };
  };
  add_bars(chart, short_kernels(chart.y.full_categories, 40),
           {{"longer", kLongerColor, false, part(true)}, {"shorter", kShorterColor, false, part(false)}},
           [](double value) { return signed_duration(static_cast<Ns>(std::llround(value * 1e9))); },
           {chart.table->targets.begin(), chart.table->targets.begin() + static_cast<std::ptrdiff_t>(chart.y.full_categories.size())});
}

}  // namespace

std::vector<Chart> difference_charts(const RunData& data, const ChartQuestion& question) {
  constexpr const char* kId = "differences";
  const Trace& trace = *data.trace;
  const std::vector<ComparedPart> parts = compared_parts(trace);
  if (parts.size() < 2) return {empty_chart(kId, "Differences", "There is only one file, rank or worker: nothing to compare it with")};
  ThreadPool pool = background_pool();
  StatsQuery query;
  query.labels = compared_labels(trace, question.settings.text(kDifferenceOf));
  if (question.area) query.range = question.area->range;
  const auto stats_of = [&](const ComparedPart& part) {
    query.lanes = part.lanes;
    return range_stats(trace, query, pool);
  };
  DifferenceSide a = named_side(parts, question.settings.text(kDifferenceA), stats_of);
  DifferenceSide b = named_side(parts, question.settings.text(kDifferenceB), stats_of);
  if (!a.part) a = side_with_slices(parts, b.part, stats_of);
  if (!b.part) b = side_with_slices(parts, a.part, stats_of);
  if (!a.part || !b.part) {
    const ComparedPart* const only_side = a.part ? a.part : b.part;
    return {empty_chart(kId, "Differences",
                        only_side ? fmt::format("Only {} has slices of that kind: choose another kind, or all slices", only_side->name)
                                  : "There are no slices of that kind")};
  }
  const std::vector<NameDifference> names = name_differences(trace.labels, a.stats, b.stats);
  const auto [name_a, name_b] = short_sides(a.part->name, b.part->name);
  Chart chart;
  chart.id = kId;
  chart.title = fmt::format("{} against {}: {}, {} in all", name_b, name_a, count_text(names.size(), "name"),
                            signed_duration(b.stats.total - a.stats.total));
  chart.note = kDifferencesNote;
  if (question.area) chart.scope = "in " + words_of(*question.area, "all their lanes");
  if (names.empty()) {
    chart.empty = "Neither side has slices of that kind";
    return {chart};
  }
  chart.x.title = "difference of totals (s)";
  chart.x.unit = ChartUnit::Seconds;
  std::vector<std::string> whole;
  for (const NameDifference& one : names) whole.emplace_back(counted_name(trace.labels, one.label));
  const std::vector<std::string> cells = short_kernels(whole);
  ChartTable& table = chart.table.emplace();
  table.columns = {{"name"},           {"difference", true},        {"of total", true},         {"mean", true},
                   {"only in one"},     {"total, " + name_b, true},  {"total, " + name_a, true}, {"times, " + name_b, true},
                   {"times, " + name_a, true}, {"mean, " + name_b, true}, {"mean, " + name_a, true}};
  std::size_t added = 0, removed = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NameDifference& one = names[i];
    added += one.added() ? 1 : 0;
    removed += one.removed() ? 1 : 0;
    if (i >= kMostDifferences) continue;
    table.rows.push_back({name_cell(cells[i], whole[i]), signed_duration_cell(one.difference()),
                          change_cell(static_cast<double>(one.a_total), static_cast<double>(one.b_total)), change_cell(one.a_mean, one.b_mean),
                          one.added() ? "added" : one.removed() ? "removed" : "", duration_cell(one.b_total), duration_cell(one.a_total),
                          count_cell(one.b_count), count_cell(one.a_count), ns_cell(one.b_mean), ns_cell(one.a_mean)});
    table.targets.push_back(name_target(chart, trace, one.removed() ? one.a_longest : one.b_longest));
  }
  chart.facts = {{"names added", count_cell(added)}, {"names removed", count_cell(removed)}};
  add_difference_bars(chart, names, whole);
  return {std::move(chart)};
}

std::vector<ChartControl> difference_controls(const RunData& data, const ChartSettings& settings) {
  const std::vector<ComparedPart> parts = compared_parts(*data.trace);
  const auto side = [&](std::string_view setting, const char* title, const char* otherwise) {
    std::vector<ChartControl::Choice> choices = {{"", otherwise}};
    for (const ComparedPart& part : parts) choices.push_back({part.name, part.name});
    return choice_control(settings, std::string(setting), title, "A file, rank or worker", std::move(choices));
  };
  std::vector<ChartControl::Choice> kinds = {{"", "automatic"}, {"all", "all slices"}};
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    if (any_of(labels_of(*data.trace, kind))) kinds.push_back({std::string(name(kind)), std::string(meaning(kind))});
  }
  return {side(kDifferenceB, "compare", "the second"), side(kDifferenceA, "with", "the first"),
          choice_control(settings, std::string(kDifferenceOf), "of", "Which slices are compared. Automatic: kernels if there are any, else all",
                         std::move(kinds))};
}

}  // namespace tv
