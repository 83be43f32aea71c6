#include "core/view/lists/findings_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/view/charts/chart_kinds.h"

namespace tv {

ListTable findings_table(std::span<const Finding> found, const TimeStyle& style) {
  std::vector<TableColumn> columns = {
      {"found", "What stands out", "The worst first. Enter or a double click goes there"},
      {"level", "Level", "Costly: it cost much time; notable: worth a look; note: all is well"},
      {"begin", "Begins", "Where it is on the timeline", ColumnKind::Time, "ns", {}, true},
      {"length", "Takes", "Its length on the timeline", ColumnKind::Time, "ns"},
      {"share", "Share", "Its share of the time that the finding is about", ColumnKind::Share, "%", {}, true},
      {"chart", "Shows more", "A button that opens the chart that shows more"}};
  columns[0].wraps = true;
  columns[5].button = true;
  ListTable table(std::move(columns));
  for (std::size_t f = 0; f < found.size(); ++f) {
    const Finding& one = found[f];
    const auto chart = std::ranges::find(chart_kinds(), one.chart, &ChartKind::id);
    ListTable::Line line;
    line.cells = {{one.sentence}, {std::string(name(one.level))}, {}, {}, {}, {}};
    if (one.range) {
      line.cells[2] = {time_text(style, one.range->begin, kMicrosecond), static_cast<double>(one.range->begin)};
      line.cells[3] = lasting(one.range->length());
    }
    if (one.share > 0) line.cells[4] = {fmt::format("{:.1f} %", one.share * 100), one.share * 100};
    if (chart != chart_kinds().end()) line.cells[5].text = chart->title;
    if (one.range || one.step || one.slice != kNone<SliceId>) {
      line.target = {TableTarget::Kind::Other, static_cast<std::uint32_t>(f), one.range.value_or(TimeRange())};
    }
    line.tone = one.level == FindingLevel::Costly    ? RowTone::Warning
                : one.level == FindingLevel::Notable ? RowTone::Plain
                                                     : RowTone::Quiet;
    table.add(std::move(line));
  }
  return table;
}

}  // namespace tv
