#include "tests/support/chart_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/requests/request_fields.h"
#include "core/view/chart/chart_cell.h"

namespace tv::test {
namespace {

bool leads_somewhere(const Rollout& rollout, const Chart& chart, const ChartTarget& target) {
  switch (target.kind) {
    case ChartTarget::Kind::None: return true;
    case ChartTarget::Kind::Request: return target.id < rollout.size();
    case ChartTarget::Kind::Step: return target.id < rollout.steps.size();
    case ChartTarget::Kind::WorkerStep: return target.id < rollout.worker_steps.size();
    case ChartTarget::Kind::TrainingStep: return false;  // belongs to no rollout
    case ChartTarget::Kind::Setting: return target.id < chart.settings.size();
    case ChartTarget::Kind::Place: return target.id < chart.places.size();
    case ChartTarget::Kind::Filter: return target.id < chart.filters.size();
  }
  return false;
}

class Check {
 public:
  Check(const Rollout& rollout, const Chart& chart) : rollout_(rollout), chart_(chart) {}

  std::string flaw() const {
    if (chart_.id.empty() || chart_.title.empty()) return "no id or title";
    if (!chart_.empty.empty()) return chart_.series.empty() ? "" : "empty with series";
    if (chart_.note.empty()) return "no note";
    if (chart_.series.empty() && !chart_.cells && !chart_.table) return "nothing to draw";
    for (const ChartAxis* axis : {&chart_.x, &chart_.y}) {
      if (!chart_.series.empty() && axis->categories.empty() && axis->title.empty()) return "an axis without a title";
    }
    for (const ChartSeries& series : chart_.series) {
      if (std::string wrong = flaw(series); !wrong.empty()) return wrong + " of " + series.name;
    }
    for (const std::string& filter : chart_.filters) {
      if (!parse_filter(filter)) return "filter " + filter;
    }
    for (const ChartAxis* axis : {&chart_.x, &chart_.y}) {
      if (!axis->field.empty() && !request_field(axis->field)) return "field " + axis->field;
    }
    if (chart_.cells) {
      const std::size_t cells = chart_.x.categories.size() * chart_.y.categories.size();
      if (chart_.cells->value.size() != cells || chart_.cells->targets.size() != cells) return "cells";
      if (astray(chart_.cells->targets)) return "a target of the cells";
    }
    for (const std::optional<ChartTable>* table : {&chart_.table, &chart_.numbers}) {
      if (std::string wrong = *table ? flaw(**table) : std::string(); !wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  bool astray(const std::vector<ChartTarget>& targets) const {
    return !std::ranges::all_of(targets, [&](const ChartTarget& t) { return leads_somewhere(rollout_, chart_, t); });
  }

  std::string flaw(const ChartSeries& series) const {
    using Mark = ChartSeries::Mark;
    const std::size_t per_x = series.mark == Mark::Boxes ? 5 : series.mark == Mark::Span ? 2 : 1;
    if (series.x.empty() || series.y.size() != per_x * series.x.size()) return "x and y";
    if (!series.targets.empty() && series.targets.size() != series.x.size()) return "targets";
    if (!series.labels.empty() && series.labels.size() != series.x.size()) return "labels";
    if (astray(series.targets)) return "a target";
    const auto& categories = chart_.horizontal ? chart_.y.categories : chart_.x.categories;
    for (const double x : series.x) {
      if (!std::isfinite(x)) return "an x";
      if (!categories.empty() && (x < 0 || x >= static_cast<double>(categories.size()) || x != std::floor(x))) {
        return "a category";
      }
    }
    return {};
  }

  std::string flaw(const ChartTable& table) const {
    for (const auto& row : table.rows) {
      if (row.size() != table.columns.size()) return "a row of the table";
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (std::string wrong = flaw(table, c); !wrong.empty()) return wrong + " in column " + table.columns[c].title;
    }
    if (!table.targets.empty() && table.targets.size() != table.rows.size()) return "targets of the table";
    return astray(table.targets) ? "a target of the table" : "";
  }

  // Programs read exported tables: a column of numbers has numbers in one unit, and no name is shortened.
  std::string flaw(const ChartTable& table, std::size_t column) const {
    for (const auto& row : table.rows) {
      const ChartCell& cell = row[column];
      if (cell.unit != table.rows.front()[column].unit) return "two units";
      const std::string full = full_text(cell);
      double number = 0;
      const auto [end, code] = std::from_chars(full.data(), full.data() + full.size(), number);
      const bool is_number = code == std::errc() && end == full.data() + full.size();
      if (table.columns[column].number && !full.empty() && !is_number) return "no number: " + full;
      if (!cell.unit.empty() && !full.empty() && !is_number) return "a unit of no number: " + full;
      if (full.find("\u2026") != std::string::npos) return "shortened: " + full;
    }
    return {};
  }

  const Rollout& rollout_;
  const Chart& chart_;
};

}  // namespace

ChartQuestion about_all(const Rollout& rollout) {
  ChartQuestion question;
  question.requests = all_requests(rollout);
  return question;
}

std::string flaw(const Rollout& rollout, const Chart& chart) { return Check(rollout, chart).flaw(); }

}  // namespace tv::test
