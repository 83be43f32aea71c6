#include "core/view/table/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/analysis/scope/scope.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/words/number_words.h"

namespace tv {

enum class StatisticsModel::Figure : std::uint8_t {
  Name, Category, Count, Total, Share, Self, Busy, Min, Mean, Median, P90, P95, P99, Max, Stddev, Unfinished
};

namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kTimeRoom = "88.88 ms";

// A short form that stands for several names tells none of them: then it is the next longer one.
std::vector<NameForms> telling_forms(const LabelTable& labels, const RangeStats& stats) {
  std::vector<NameForms> out;
  for (std::size_t r = 0; r < std::min(stats.labels.size(), kMostShortNames); ++r) {
    const LabelId label = stats.labels[r].label;
    out.push_back(name_forms(labels.category(label), counted_name(labels, label)));
  }
  for (std::size_t form = 1; form < std::tuple_size_v<NameForms>; ++form) {
    std::unordered_map<std::string_view, std::string_view> of;  // form to the name it stands for; empty: several
    for (const NameForms& forms : out) {
      const auto [at, added] = of.try_emplace(forms[form], forms[0]);
      if (!added && at->second != forms[0]) at->second = {};
    }
    std::vector<bool> shared;
    for (const NameForms& forms : out) shared.push_back(!forms[0].empty() && of.at(forms[form]).empty());
    for (std::size_t r = 0; r < out.size(); ++r) {
      if (shared[r]) out[r][form] = out[r][form - 1];
    }
  }
  return out;
}

}  // namespace

Statistics make_statistics(const Snapshot& snapshot, const StatsQuery& query, ThreadPool& pool, std::stop_token stop,
                           const Grouping& by, StatsProgress* progress) {
  Statistics made;
  made.by = by;
  made.groups = query.groups;
  // Slices that do not count must not make the time busy either.
  StatsQuery counted = query;
  counted.busy = leaves_out_slices(query);
  made.stats = range_stats(*snapshot.trace, counted, pool, stop, {}, progress);
  made.scope = query.range.value_or(snapshot.trace->shown());
  made.part = std::ranges::find(snapshot.trace->sources, SourceState::Part, &SourceInfo::state) != snapshot.trace->sources.end();
  made.busy = counted.busy ? made.stats.busy : busy_union(snapshot, {made.scope, query.lanes}, stop);
  if (!made.groups) made.names = telling_forms(snapshot.trace->labels, made.stats);
  return made;
}

std::string statistics_headline(const Statistics& made, const StatsQuery& query) {
  const RangeStats& stats = made.stats;
  const Ns length = made.scope.length(), idle = length - made.busy;
  std::string out =
      fmt::format("{} in {}", count_text(stats.count, "slice"),
                  query.range ? words_of({*query.range, query.lanes})
                              : (made.part ? "the part that was read, " : "the whole trace, ") + format_duration(length));
  out += fmt::format("; busy {} ({:.1f} %), idle {} ({:.1f} %)", format_duration(made.busy),
                     percent_of(made.busy, length), format_duration(idle), percent_of(idle, length));
  if (stats.cut > 0) {
    out += fmt::format("; total and self are clipped to it ({} reach beyond), lengths are of whole slices",
                       format_count(stats.cut));
  }
  out += made.limits;
  if (stats.unfinished > 0) out += fmt::format("; {} never ended: in no time", format_count(stats.unfinished));
  return out;
}

StatisticsModel::StatisticsModel(std::shared_ptr<const Trace> trace, std::shared_ptr<const Statistics> made)
    : trace_(std::move(trace)), made_(std::move(made)) {
  const auto add = [this](Figure figure, TableColumn column) {
    figures_.push_back(figure);
    columns_.push_back(std::move(column));
  };
  const auto time = [&](Figure figure, std::string_view title, std::string_view meaning) {
    add(figure, {std::string(title), std::string(title), std::string(meaning), ColumnKind::Time, "ns",
                 std::string(kTimeRoom)});
  };
  const GroupByInfo& by = info(made_->by.by);
  const std::string title = made_->by.by == GroupBy::Arg ? made_->by.arg : std::string(by.title);
  add(Figure::Name, {std::string(by.id), title, std::string(by.meaning), ColumnKind::Text});
  if (made_->by.by == GroupBy::Name) {
    add(Figure::Category, {"category", "category", "As the file says", ColumnKind::Text});
  }
  add(Figure::Count, {"count", "count", "Slices that touch the scope", ColumnKind::Number, {}, "8,888,888"});
  time(Figure::Total, "total", "Time within the scope, with what is nested in it");
  time(Figure::Self, "self", "Time within the scope, without what is nested in it");
  add(Figure::Share, {"share", "share", "Self time as a part of the self time of all rows: adds up to 100 %",
                      ColumnKind::Share, "%", "88.8 %"});
  time(Figure::Busy, "busy", "Time of the scope during which at least one of them ran: their union");
  time(Figure::Min, "min", "The shortest; of whole slices");
  time(Figure::Mean, "mean", "Mean length; of whole slices");
  time(Figure::Median, "median", "Half of them are shorter (p50); of whole slices");
  time(Figure::P90, "p90", "Nine in ten are shorter; of whole slices");
  time(Figure::P95, "p95", "95 in 100 are shorter; of whole slices");
  time(Figure::P99, "p99", "99 in 100 are shorter; of whole slices");
  time(Figure::Max, "max", "The longest; of whole slices");
  time(Figure::Stddev, "std", "Standard deviation of the sample (n - 1); of whole slices");
  TableColumn unfinished{"unfinished", "unfinished", "Slices that never ended: they count, and are in no time",
                         ColumnKind::Number};
  unfinished.hidden = true;
  add(Figure::Unfinished, std::move(unfinished));
}

std::string_view StatisticsModel::name_of(std::size_t row) const {
  const LabelStats& of = stats(row);
  return made_->groups ? std::string_view(made_->groups->names[of.group]) : counted_name(trace_->labels, of.label);
}

double StatisticsModel::number(std::size_t row, std::size_t column) const {
  const LabelStats& of = stats(row);
  const auto whole = [&](double ns) { return of.finished() > 0 ? ns : kNoFigure; };
  switch (figures_[column]) {
    case Figure::Name:
    case Figure::Category:
      return kNoFigure;
    case Figure::Count:
      return static_cast<double>(of.count);
    case Figure::Total:
      return static_cast<double>(of.total);
    case Figure::Share:
      return percent_of(of.self, made_->stats.self);
    case Figure::Self:
      return static_cast<double>(of.self);
    case Figure::Busy:
      return static_cast<double>(of.busy);
    case Figure::Min:
      return whole(static_cast<double>(of.min));
    case Figure::Mean:
      return whole(of.mean);
    case Figure::Median:
      return whole(of.p50);
    case Figure::P90:
      return whole(of.p90);
    case Figure::P95:
      return whole(of.p95);
    case Figure::P99:
      return whole(of.p99);
    case Figure::Max:
      return whole(static_cast<double>(of.max));
    case Figure::Stddev:
      return of.finished() > 1 ? of.stddev : kNoFigure;
    case Figure::Unfinished:
      return static_cast<double>(of.unfinished);
  }
  return kNoFigure;
}

void StatisticsModel::text(std::size_t row, std::size_t column, std::string& out) const {
  switch (figures_[column]) {
    case Figure::Name:
      out.assign(name_of(row));
      if (out.empty()) out.assign(made_->groups ? "(none)" : "(no name)");
      return;
    case Figure::Category:
      out.assign(trace_->labels.category(stats(row).label));
      return;
    case Figure::Count:
      out = counted_text(stats(row));
      return;
    case Figure::Unfinished:
      out = format_count(stats(row).unfinished);
      return;
    case Figure::Share:
      out = percent_text(number(row, column));
      return;
    default:
      out = ns_text(number(row, column));
  }
}

bool StatisticsModel::shorter(std::size_t row, std::size_t column, std::size_t n, std::string& out) const {
  if (figures_[column] != Figure::Name || row >= made_->names.size() || n >= std::tuple_size_v<NameForms>) return false;
  if (made_->names[row][n].empty()) return false;
  out.assign(made_->names[row][n]);
  return true;
}

TableTarget StatisticsModel::target(std::size_t row) const {
  const LabelStats& of = stats(row);
  if (!made_->groups) return {TableTarget::Kind::Name, static_cast<std::uint32_t>(idx(of.label)), {}};
  return slice_row(of.longest);
}

TableState statistics_state() {
  TableState state;
  state.sort = {{"total", true}};
  return state;
}

}  // namespace tv
