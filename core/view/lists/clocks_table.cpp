#include "core/view/lists/clocks_table.h"

#include "core/store/clock/clock_offset.h"

namespace tv {

ListTable clocks_list(const ClockTable& clocks) {
  std::vector<TableColumn> columns = {
      {"trace", "Trace", "A process, or a file"},
      {"moved", "Moved by", "Added to all its times, by hand or by what its collective kernels say", ColumnKind::Time, "ns"},
      {"found", "Found", "The move that its collective kernels suggest, relative to the trace in the middle", ColumnKind::Time, "ns"},
      {"kernels", "Kernels", "Collective kernels that other traces have too. Of long traces, only some are compared", ColumnKind::Number},
      {"residual", "Residual", "Median distance between the ends of these kernels and those of the others, after the move",
       ColumnKind::Time, "ns"},
      {"p90", "p90", "For nine of ten kernels, this distance is smaller", ColumnKind::Time, "ns"},
      {"says", "Says", "How the move is known"}};
  columns[6].wraps = true;
  ListTable table(std::move(columns));
  for (const ClockRow& row : clocks.rows) {
    const ClockFit& fit = row.fit;
    const Ns moved = row.manual_offset + fit.offset;
    const auto offset = [](Ns by) { return ListCell{format_clock_offset(by), static_cast<double>(by)}; };
    ListTable::Line line;
    line.cells = {{fit.name}, offset(moved), {}, {}, {}, {}, {fit.text}};
    if (fit.evidence == ClockEvidence::Collectives) {
      line.cells[2] = offset(fit.found);
      line.cells[3] = counted(static_cast<std::uint64_t>(fit.matched));
      line.cells[4] = lasting(fit.residual);
      line.cells[5] = lasting(fit.residual_p90);
    } else {
      line.tone = RowTone::Warning;
    }
    table.add(std::move(line));
  }
  return table;
}

}  // namespace tv
