#include "core/analysis/clocks/clock_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "core/store/clock/clock_offset.h"

namespace tv {

ClockTable clock_table(const Trace& trace) {
  ClockTable table;
  std::map<std::pair<bool, std::uint32_t>, std::size_t> row_of_unit;  // the units of zones are numbered separately
  std::set<std::uint32_t> groups;
  for (std::size_t s = 0; s < trace.sources.size(); ++s) {
    const SourceInfo& source = trace.sources[s];
    const ClockEvidence evidence = source.clock_fit.evidence;
    const bool log = source.role == "training" || source.role == "rollout";
    table.zones_matter |=
        source.clock_fit.evidence == ClockEvidence::Zone ? source.clock_fit.offset != 0 : source.wall_clock && !log;
    if (evidence == ClockEvidence::None) continue;
    const bool local = evidence == ClockEvidence::Zone || evidence == ClockEvidence::NoZone;
    std::vector<ClockRow>& rows = local ? table.zones : table.rows;
    const auto [at, first] = row_of_unit.emplace(std::pair(local, source.clock_fit.unit), rows.size());
    if (first) rows.push_back({{}, source.clock_fit, 0});
    ClockRow& row = rows[at->second];
    row.sources.push_back(static_cast<std::uint32_t>(s));
    if (row.manual_offset == 0) row.manual_offset = source.clock_offset;
  }
  for (const ClockRow& row : table.rows) {
    if (row.fit.evidence != ClockEvidence::Collectives) continue;
    ++table.compared;
    groups.insert(row.fit.group);
    table.moved += row.fit.offset != 0 ? 1 : 0;
    table.largest_offset = std::max(table.largest_offset, std::abs(row.fit.offset));
    table.largest_residual_p90 = std::max(table.largest_residual_p90, row.fit.residual_p90);
  }
  table.groups = static_cast<std::uint32_t>(groups.size());
  return table;
}

std::string zone_verdict(const ClockTable& table) {
  std::string text;
  if (!table.zones_matter) return text;
  for (const ClockRow& row : table.zones) {
    if (row.fit.evidence == ClockEvidence::Zone && row.fit.offset == 0) continue;  // as recorded, or as set by the user
    text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", row.fit.name, row.fit.text);
  }
  return text;
}

std::string verdict(const ClockTable& table) {
  if (table.rows.empty()) return {};
  if (table.compared == 0) {
    return fmt::format("Wall clock, uncertainty unknown: {} traces have no collective kernels that match.",
                       table.rows.size());
  }
  const bool all_compared = table.compared == table.rows.size();
  std::string text = fmt::format(
      "The clocks of {}{} traces were compared by collective kernels, which all ranks leave together: ", table.compared,
      all_compared ? "" : fmt::format(" of {}", table.rows.size()));
  if (table.moved == 0) {
    text += "they agree";
  } else {
    text += fmt::format("{} {} moved, by up to {}", table.moved, table.moved == 1 ? "was" : "were",
                        format_duration(table.largest_offset));
  }
  text += fmt::format("; nine in ten kernels end within {}.", format_duration(table.largest_residual_p90));
  if (table.groups > 1) {
    text += fmt::format(" They form {} groups with no kernels in common; between groups only the wall clock is known.",
                        table.groups);
  }
  if (!all_compared) text += " Of the others: wall clock, uncertainty unknown.";
  return text;
}

}  // namespace tv
