#include "app/verbs/chart_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/distinct_texts.h"
#include "core/base/time.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/picture/chart_as_table.h"

namespace tv {
namespace {

// Counts code points, not bytes, so that columns line up.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, letters(text)), ' ');
  return right ? blanks + text : text + blanks;
}

nlohmann::ordered_json json_of(const ChartCell& cell) {
  if (const double* const number = std::get_if<double>(&cell.full)) return *number;  // NaN becomes null
  return full_text(cell);
}

}  // namespace

Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words) {
  ChartSettings settings;
  for (const std::string& text : words) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos) return Error{"not a setting: " + text, {}, {}, "write it as NAME=VALUE"};
    const std::string value = text.substr(equals + 1);
    if (auto checked = check_setting(all_controls(data, settings), name, value); !checked) return checked.error();
    if (data.rollout && (name == kCompareA || name == kCompareB)) {
      if (auto checked = check_side(*data.rollout, name, value); !checked) return checked.error();
    }
    settings.set(name, value);
  }
  return settings;
}

std::string_view missing_text(RunPart part) {
  switch (part) {
    case RunPart::Rollout:
      return "no rollout log (step_N/worker_M.jsonl) among the files";
    case RunPart::Training:
      return "no training log among the files";
    case RunPart::Pipeline:
      return "no pipeline log (workerlog.N) among the files";
    case RunPart::Gpu:
      return "there is no work on a GPU in what was read";
    case RunPart::Slices:
      return "there are no slices in what was read";
  }
  return {};
}

std::string table_text(const Chart& chart, std::size_t rows) {
  std::string out = chart.title + "\n";
  if (!chart.empty.empty()) return out + chart.empty + "\n";
  const ChartRows all = chart_as_table(chart);
  const ChartTable table = all.row_per_point ? ChartTable() : all.table;
  const std::size_t shown = std::min(rows, table.rows.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(letters(table.columns[c].title));
    for (std::size_t r = 0; r < shown; ++r) widths[c] = std::max(widths[c], letters(table.rows[r][c].text));
  }
  const auto line = [&](auto cell) {
    std::string text;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      text += (c > 0 ? "  " : "") + padded(cell(c), widths[c], table.columns[c].number);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  if (!table.columns.empty()) line([&](std::size_t c) { return table.columns[c].title; });
  for (std::size_t r = 0; r < shown; ++r) line([&](std::size_t c) { return table.rows[r][c].text; });
  if (shown < table.rows.size()) out += fmt::format("... and {} more (--top N)\n", table.rows.size() - shown);
  for (const auto& [what, value] : chart.facts) out += fmt::format("{}: {}\n", what, value.text);
  for (const ChartRule& rule : chart.rules) out += rule.text + "\n";
  if (all.row_per_point) out += fmt::format("({} points: --csv or --json)\n", all.table.rows.size());
  return out;
}

nlohmann::ordered_json facts_json(const Chart& chart) {
  std::vector<std::string> titles;
  for (const auto& [fact, value] : chart.facts) {
    titles.push_back(value.unit.empty() ? fact : fmt::format("{} ({})", fact, value.unit));
  }
  titles = distinct_texts(std::move(titles));
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
  for (std::size_t f = 0; f < titles.size(); ++f) facts[titles[f]] = json_of(chart.facts[f].value);
  return facts;
}

nlohmann::ordered_json chart_json(const Chart& chart) {
  nlohmann::ordered_json json = {{"id", chart.id}, {"title", chart.title}};
  if (!chart.empty.empty()) {
    json["empty"] = chart.empty;
    return json;
  }
  if (!chart.facts.empty()) json["facts"] = facts_json(chart);
  for (const ChartRule& rule : chart.rules) json["marked"].push_back({{"text", rule.text}, {"at", rule.at}});
  const ChartTable table = chart_as_table(chart).table;
  const std::vector<std::string> titles = full_titles(table);
  for (const auto& row : table.rows) {
    nlohmann::ordered_json& object = json["rows"].emplace_back(nlohmann::ordered_json::object());
    for (std::size_t c = 0; c < std::min(row.size(), titles.size()); ++c) object[titles[c]] = json_of(row[c]);
  }
  return json;
}

std::string findings_text(const std::vector<Finding>& found, std::size_t most) {
  std::string out;
  for (std::size_t f = 0; f < std::min(most, found.size()); ++f) {
    const Finding& finding = found[f];
    out += fmt::format("{:<8} {}\n", name(finding.level), finding.sentence);
    std::string where;
    if (finding.range) where = fmt::format("from {} to {}", format_exact(finding.range->begin), format_exact(finding.range->end));
    if (!finding.chart.empty()) where += fmt::format("{}chart {}", where.empty() ? "" : ", ", finding.chart);
    if (!where.empty()) out += fmt::format("         ({})\n", where);
  }
  if (most < found.size()) out += fmt::format("... and {} more (--top N)\n", found.size() - most);
  return out;
}

nlohmann::ordered_json findings_json(const std::vector<Finding>& found, const RunData& data) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Finding& one : found) {
    nlohmann::ordered_json& json = all.emplace_back(
        nlohmann::ordered_json{{"id", one.id}, {"level", name(one.level)}, {"sentence", one.sentence}});
    for (const FindingNumber& number : one.numbers) {
      json["numbers"][number.unit.empty() ? number.name : fmt::format("{} ({})", number.name, number.unit)] =
          number.value;
    }
    if (!one.chart.empty()) json["chart"] = one.chart;
    if (one.step && data.rollout) json["step"] = data.rollout->step_name(*one.step);
    if (one.range) {
      json["begin_ns"] = one.range->begin;
      json["end_ns"] = one.range->end;
    }
  }
  return all;
}

}  // namespace tv
