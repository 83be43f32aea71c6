// The parts of findings(): each adds the findings from one kind of data. Numbers are rounded in sentences; Finding::numbers has
// all digits. Cost: that of the analyses.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/findings/findings.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"

namespace tv {

void find_in_rollout(const Rollout& rollout, std::vector<Finding>& out);
void find_in_training(const Training& training, std::vector<Finding>& out);
void find_in_pipelines(const std::vector<PipelineSummary>& pipelines, std::vector<Finding>& out);
void find_in_gpus(const RunData& data, std::vector<Finding>& out);
void find_in_clocks(const Trace& trace, std::vector<Finding>& out);

/// "83.02 s".
inline std::string said_seconds(double seconds) { return format_duration(to_ns(seconds)); }
/// A factor for "N times as long": "8.23", "1,590".
inline std::string said_factor(double factor) {
  constexpr double kWhole = 999.5, kMost = 1e15;
  if (factor < kWhole) return fmt::format("{:.3g}", factor);
  return format_count(static_cast<std::uint64_t>(std::llround(std::min(factor, kMost))));
}
/// The shortened name of a slice, without the folders of a Python file: "conv.py(553): forward".
inline std::string said_name(std::string_view name) {
  const std::size_t file = name.find(".py(");
  const std::size_t folders = file == std::string_view::npos ? file : name.rfind('/', file);
  return shortened_utf8(folders == std::string_view::npos ? name : name.substr(folders + 1));
}
/// For the beginning of a sentence: "Rank 4".
inline std::string capitalized(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}
/// The level of a finding by its share of the time. A share at a limit has the higher level.
inline FindingLevel level_of(double share, double notable, double costly) {
  return share >= costly ? FindingLevel::Costly : share >= notable ? FindingLevel::Notable : FindingLevel::Note;
}

}  // namespace tv
