#include "core/view/lists/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/analysis/scope/scope.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/words/number_words.h"
#include "core/view/words/statistics_figures.h"

namespace tv {

namespace {

TableColumn column_of(const StatisticsFigure& figure) {
  TableColumn column{.id = std::string(figure.id), .title = std::string(figure.id), .meaning = std::string(figure.meaning)};
  switch (figure.kind) {
    case FigureKind::Count: column.kind = ColumnKind::Number; break;
    case FigureKind::Time: column.kind = ColumnKind::Time, column.unit = "ns", column.widest = "88.88 ms"; break;
    case FigureKind::Share: column.kind = ColumnKind::Share, column.unit = "%", column.widest = "88.8 %"; break;
  }
  column.hidden = figure.hidden;
  if (figure.kind == FigureKind::Count && !figure.hidden) column.widest = "8,888,888";
  return column;
}

// If several names have the same short form, it distinguishes none of them, so they get the next longer form.
std::vector<NameForms> telling_forms(const LabelTable& labels, const RangeStats& stats) {
  std::vector<NameForms> out;
  for (std::size_t r = 0; r < std::min(stats.labels.size(), kMostShortNames); ++r) {
    const LabelId label = stats.labels[r].label;
    out.push_back(name_forms(labels.category(label), counted_name(labels, label)));
  }
  for (std::size_t form = 1; form < std::tuple_size_v<NameForms>; ++form) {
    std::unordered_map<std::string_view, std::string_view> name_of_form;  // empty: several names
    for (const NameForms& forms : out) {
      const auto [at, added] = name_of_form.try_emplace(forms[form], forms[0]);
      if (!added && at->second != forms[0]) at->second = {};
    }
    std::vector<bool> shared;
    for (const NameForms& forms : out) shared.push_back(!forms[0].empty() && name_of_form.at(forms[form]).empty());
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
  StatsQuery counted = query;
  counted.busy = true;
  made.stats = range_stats(*snapshot.trace, counted, pool, stop, {}, progress);
  made.scope = query.range.value_or(snapshot.trace->shown());
  made.part = std::ranges::find(snapshot.trace->sources, SourceState::Part, &SourceInfo::state) != snapshot.trace->sources.end();
  made.busy = busy_time(snapshot, counted, made.stats, stop);
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
    out += fmt::format("; total and self count only the part inside the range (slices that reach beyond it: {}); lengths are those "
                       "of whole slices",
                       format_count(stats.cut));
  }
  out += made.limits;
  if (stats.unfinished > 0) out += fmt::format("; {} never ended: excluded from times", format_count(stats.unfinished));
  return out;
}

StatisticsModel::StatisticsModel(std::shared_ptr<const Trace> trace, std::shared_ptr<const Statistics> made)
    : trace_(std::move(trace)), made_(std::move(made)) {
  const GroupByInfo& by = info(made_->by.by);
  const std::string title = made_->by.by == GroupBy::Arg ? made_->by.arg : std::string(by.title);
  columns_.push_back({std::string(by.id), title, std::string(by.meaning), ColumnKind::Text});
  if (made_->by.by == GroupBy::Name) columns_.push_back({"category", "category", "As the file says", ColumnKind::Text});
  texts_ = columns_.size();
  for (const StatisticsFigure& figure : statistics_figures()) columns_.push_back(column_of(figure));
}

std::string_view StatisticsModel::name_of(std::size_t row) const {
  const LabelStats& of = stats(row);
  return made_->groups ? std::string_view(made_->groups->names[of.group]) : counted_name(trace_->labels, of.label);
}

double StatisticsModel::number(std::size_t row, std::size_t column) const {
  if (column < texts_) return std::numeric_limits<double>::quiet_NaN();
  return statistics_figures()[column - texts_].number(stats(row), made_->stats);
}

void StatisticsModel::text(std::size_t row, std::size_t column, std::string& out) const {
  if (column == 0) {
    out.assign(name_of(row));
    if (out.empty()) out.assign(made_->groups ? "(none)" : "(no name)");
  } else if (column < texts_) {
    out.assign(trace_->labels.category(stats(row).label));
  } else {
    out = figure_text(statistics_figures()[column - texts_], stats(row), made_->stats);
  }
}

bool StatisticsModel::shorter(std::size_t row, std::size_t column, std::size_t n, std::string& out) const {
  if (column != 0 || row >= made_->names.size() || n >= std::tuple_size_v<NameForms>) return false;
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
