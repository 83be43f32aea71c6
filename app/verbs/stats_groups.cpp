#include "app/verbs/stats_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/view/table/table_files.h"

namespace tv {
namespace {

std::string first_rows(const TableModel& model, std::size_t rows, TableFormat format) {
  std::vector<std::uint32_t> first(rows);
  std::iota(first.begin(), first.end(), 0u);
  std::vector<std::size_t> columns(model.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return table_as_text(model, first, columns, format);
}

// Writes right-aligned figures, and then the name, because it may have any length.
std::string as_lines(const TableModel& model, std::size_t rows) {
  std::string out, text;
  for (std::size_t c = 1; c < model.columns().size(); ++c) {
    if (model.columns()[c].number()) out += fmt::format("{:>10} ", model.columns()[c].title);
  }
  out += fmt::format(" {}\n", model.columns().front().title);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 1; c < model.columns().size(); ++c) {
      if (!model.columns()[c].number()) continue;
      model.text(row, c, text);
      out += fmt::format("{:>10} ", text);
    }
    model.text(row, 0, text);
    out += fmt::format(" {}\n", text);
  }
  return out;
}

}  // namespace

std::string statistics_csv(const TableModel& model, std::size_t rows) {
  return first_rows(model, rows, TableFormat::Csv);
}

int print_statistics(const Options& options, const std::shared_ptr<const Trace>& trace,
                     const std::shared_ptr<const Statistics>& made) {
  if (!made->complaint.empty()) {
    say(stderr, "traceview: --where: {}\n", made->complaint);
    return exit_code::kUsage;
  }
  const StatisticsModel model(trace, made);
  const bool for_programs = options.json || options.csv;
  const std::size_t asked = options.top > 0 ? options.top : for_programs ? model.rows() : kTextRows;
  const std::size_t rows = std::min(asked, model.rows());
  StatsQuery query;
  query.range = made->scope;
  say(for_programs ? stderr : stdout, "{}{}\n", for_programs ? "traceview: " : "", statistics_headline(*made, query));
  if (for_programs) {
    say("{}", first_rows(model, rows, options.json ? TableFormat::Json : TableFormat::Csv));
    return exit_code::kOk;
  }
  say("{}", as_lines(model, rows));
  if (rows < model.rows()) say("... and {} more (--top N)\n", model.rows() - rows);
  return exit_code::kOk;
}

}  // namespace tv
