#include "core/view/lists/sources_table.h"

#include <fmt/format.h>

#include "core/base/text/count_text.h"
#include "core/store/clock/clock_offset.h"

namespace tv {
namespace {

RowTone tone_of(const SourceInfo& source) {
  if (source.state == SourceState::Rejected || source.state == SourceState::Part || source.problems.lost() > 0) return RowTone::Loss;
  return source.state == SourceState::Ready ? RowTone::Plain : RowTone::Quiet;
}

RowTone tone_of(Severity severity) {
  switch (severity) {
    case Severity::DataLoss: return RowTone::Loss;
    case Severity::Warning: return RowTone::Warning;
    case Severity::Info: break;
  }
  return RowTone::Quiet;
}

ListCell optional_cell(const std::optional<std::int64_t>& number) {
  return number ? ListCell{std::to_string(*number), static_cast<double>(*number)} : ListCell();
}

std::uint64_t problem_total(const SourceInfo& source) {
  std::uint64_t total = 0;
  for (const ProblemCount& problem : source.problems.entries()) total += problem.count;
  return total;
}

}  // namespace

ListTable sources_table(const Trace& trace) {
  ListTable table({{"file", "File", {}},
                   {"state", "State", {}},
                   {"slices", "Slices", {}, ColumnKind::Number},
                   {"instants", "Instants", {}, ColumnKind::Number, {}, {}, true},
                   {"samples", "Samples", "Values of counters", ColumnKind::Number, {}, {}, true},
                   {"arrows", "Arrows", {}, ColumnKind::Number, {}, {}, true},
                   {"lost", "Lost", "Records of the file that are not shown", ColumnKind::Number},
                   {"problems", "Problems", "Includes what was repaired or guessed", ColumnKind::Number},
                   {"rank", "Rank", {}, ColumnKind::Number},
                   {"step", "Step", {}, ColumnKind::Number},
                   {"moved", "Moved by", "How far the file's clock was moved", ColumnKind::Time, "ns"},
                   {"bytes", "Bytes", "On disk", ColumnKind::Number, "bytes", {}, true},
                   {"format", "Format", {}, ColumnKind::Text, {}, {}, true},
                   {"host", "Host", {}, ColumnKind::Text, {}, {}, true},
                   {"says", "Says", "Why all or part of the file is not shown, and how its clock was found"}});
  for (std::size_t s = 0; s < trace.sources.size(); ++s) {
    const SourceInfo& source = trace.sources[s];
    const Ns moved = source.clock_offset + source.clock_fit.offset;
    std::string remarks = source.reason;
    for (const std::string& remark : {source.clock_fit.text, std::string(trace.metrics.placing_of(s))}) {
      if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
    }
    ListTable::Line line;
    line.cells = {{source.path},
                  {std::string(name(source.state))},
                  counted(source.slices),
                  counted(source.instants),
                  counted(source.samples),
                  counted(source.flows),
                  counted(source.problems.lost()),
                  counted(problem_total(source)),
                  optional_cell(source.rank),
                  optional_cell(source.step),
                  moved == 0 ? ListCell() : ListCell{format_clock_offset(moved), static_cast<double>(moved)},
                  counted(source.bytes),
                  {source.format},
                  {source.host},
                  {std::move(remarks)}};
    line.target = {TableTarget::Kind::Other, static_cast<std::uint32_t>(s), source.work};
    line.tone = tone_of(source);
    table.add(std::move(line));
  }
  return table;
}

ListTable problems_table(const Trace& trace, const LineOfByte& line_of) {
  std::vector<TableColumn> columns = {{"severity", "Severity", {}},
                                      {"what", "What", {}},
                                      {"count", "Times", "How often the problem occurs in this file", ColumnKind::Number},
                                      {"file", "File", {}},
                                      {"line", "Line", "Counted from 1, as in editors", ColumnKind::Number},
                                      {"byte", "Byte", {}, ColumnKind::Number, {}, {}, true},
                                      {"text", "Text", "The text at this place"}};
  columns[1].wraps = true;
  ListTable table(std::move(columns));
  for (std::size_t s = 0; s < trace.sources.size(); ++s) {
    const SourceInfo& source = trace.sources[s];
    for (const ProblemCount& problem : source.problems.entries()) {
      const ProblemInfo& kind = info(problem.kind);
      const auto add_row = [&](ListCell line_number, ListCell byte, std::string text) {
        ListTable::Line line;
        line.cells = {{std::string(name(kind.severity))}, {std::string(kind.help)}, counted(problem.count), {source.path},
                      std::move(line_number), std::move(byte), {std::move(text)}};
        line.target = {TableTarget::Kind::Other, static_cast<std::uint32_t>(s), {}};
        line.tone = tone_of(kind.severity);
        table.add(std::move(line));
      };
      for (const ProblemExample& example : problem.examples) {
        const auto line = source.by_row ? std::nullopt : line_of(source, example.byte_offset);
        add_row(line ? counted(*line) : ListCell(), source.by_row ? ListCell() : counted(example.byte_offset), example.excerpt);
      }
      if (problem.count > problem.examples.size()) {
        add_row({}, {}, problem.examples.empty() ? std::string() : fmt::format("{} more", problem.count - problem.examples.size()));
      }
    }
  }
  return table;
}

}  // namespace tv
