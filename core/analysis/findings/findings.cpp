#include "core/analysis/findings/findings.h"

#include <algorithm>
#include <array>

#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/findings/findings_parts.h"

namespace tv {

std::string_view name(FindingLevel level) {
  constexpr std::array<std::string_view, 3> kNames = {"note", "notable", "costly"};
  return kNames[static_cast<std::size_t>(level)];
}

void find_in_clocks(const Trace& trace, std::vector<Finding>& out) {
  const ClockTable table = clock_table(trace);
  std::string sentence = verdict(table);
  if (const std::string zones = zone_verdict(table); !zones.empty()) sentence += (sentence.empty() ? "" : " ") + zones;
  if (sentence.empty()) return;
  Finding found;
  found.id = "clocks";
  found.sentence = std::move(sentence);
  found.level = !table.rows.empty() && table.compared < table.rows.size() ? FindingLevel::Notable : FindingLevel::Note;
  found.numbers = {{"traces", static_cast<double>(table.rows.size()), {}},
                   {"compared", static_cast<double>(table.compared), {}},
                   {"moved", static_cast<double>(table.moved), {}},
                   {"most", to_seconds(table.largest_offset), "s"},
                   {"nine in ten within", to_seconds(table.largest_residual_p90), "s"}};
  out.push_back(std::move(found));
}

std::optional<TimeRange> view_of(const Finding& one) {
  if (!one.range || one.range->length() < 0) return std::nullopt;
  constexpr Ns kLeastLength = 1000;
  const Ns room = std::max(one.range->length(), kLeastLength) / 10;
  return TimeRange{one.range->begin - room, one.range->end + room};
}

std::optional<TimeRange> marked_place(std::span<const Finding> found, Ns view_length) {
  constexpr double kNearlyAll = 0.9;
  if (found.empty() || found.front().level == FindingLevel::Note) return std::nullopt;
  const std::optional<TimeRange> place = found.front().range;
  if (!place || place->empty()) return std::nullopt;
  if (static_cast<double>(place->length()) > kNearlyAll * static_cast<double>(view_length)) return std::nullopt;
  return place;
}

std::vector<Finding> findings(const RunData& data, const Trace& trace) {
  std::vector<Finding> out;
  if (data.rollout) find_in_rollout(*data.rollout, out);
  if (data.training) find_in_training(*data.training, out);
  if (data.pipelines) find_in_pipelines(*data.pipelines, out);
  if (data.gpu) find_in_gpus(data, out);
  find_in_clocks(trace, out);
  std::ranges::stable_sort(out, [](const Finding& a, const Finding& b) {
    return a.level != b.level ? a.level > b.level : a.share > b.share;
  });
  return out;
}

}  // namespace tv
