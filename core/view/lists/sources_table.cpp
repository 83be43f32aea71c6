#include "core/view/lists/sources_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

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
        const auto line = is_placed_in_text(source, problem.kind) ? line_of(source, example.byte_offset) : std::nullopt;
        add_row(line ? counted(*line) : ListCell(), source.by_row ? ListCell() : counted(example.byte_offset), example.excerpt);
      }
      if (problem.count > problem.examples.size()) {
        add_row({}, {}, problem.examples.empty() ? std::string() : fmt::format("{} more", problem.count - problem.examples.size()));
      }
    }
  }
  return table;
}

std::vector<ProblemsOfKind> problems_by_kind(std::span<const SourceInfo> sources) {
  struct Found {
    ProblemsOfKind of;
    std::uint64_t most = 0;  // in one file
  };
  std::array<Found, static_cast<std::size_t>(ProblemKind::kCount)> found;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    for (const ProblemCount& problem : sources[s].problems.entries()) {
      auto& [of, most] = found[static_cast<std::size_t>(problem.kind)];
      of.kind = problem.kind;
      of.count += problem.count;
      ++of.files;
      if (problem.count <= most) continue;
      most = problem.count;
      of.most_in = s;
      of.place.reset();
      of.text.clear();
      if (problem.examples.empty()) continue;
      of.text = problem.examples.front().excerpt;
      if (is_placed_in_text(sources[s], problem.kind)) of.place = TextPlace{s, problem.examples.front().byte_offset};
    }
  }
  std::vector<ProblemsOfKind> out;
  for (Found& one : found) {
    if (one.of.files > 0) out.push_back(std::move(one.of));
  }
  const auto weight = [](const ProblemsOfKind& of) { return std::pair(info(of.kind).severity, of.count); };
  std::ranges::stable_sort(out, std::greater<>(), weight);
  return out;
}

ListTable problem_kinds_table(std::span<const ProblemsOfKind> kinds, std::span<const SourceInfo> sources) {
  std::vector<TableColumn> columns = {{"severity", "Severity", {}},
                                      {"what", "What", {}},
                                      {"count", "Times", "How often the problem occurs in all files", ColumnKind::Number},
                                      {"files", "Files", "Number of files with this problem", ColumnKind::Number},
                                      {"place", "First", "A button that shows the first one in the file that has the most"},
                                      {"file", "Most in", "The file in which it occurs most often"},
                                      {"text", "Text", "The text at this place"}};
  columns[1].wraps = true;
  columns[4].button = true;
  ListTable table(std::move(columns));
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const ProblemsOfKind& of = kinds[k];
    const ProblemInfo& kind = info(of.kind);
    ListTable::Line line;
    line.cells = {{std::string(name(kind.severity))}, {std::string(kind.help)}, counted(of.count), counted(of.files), {},
                  {sources[of.most_in].path}, {of.text}};
    if (of.place) line.cells[4].text = fmt::format("byte {}", of.place->byte);
    line.target = {TableTarget::Kind::Other, k, {}};
    line.tone = tone_of(kind.severity);
    table.add(std::move(line));
  }
  return table;
}

}  // namespace tv
