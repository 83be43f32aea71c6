#include "core/store/clock/clock_offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include "core/base/text/decimal_ns.h"
#include "core/base/text/path_parts.h"
#include "core/base/text/wildcard.h"

namespace tv {

bool matches_path_end(std::string_view pattern, std::string_view path) {
  for (std::size_t from = 0; from != std::string_view::npos;) {
    if (matches_wildcard(pattern, path.substr(from))) return true;
    const std::size_t slash = path.find('/', from);
    from = slash == std::string_view::npos ? slash : slash + 1;
  }
  return false;
}

Ns clock_offset_of(const ClockOffsets& offsets, std::string_view path) {
  for (const ClockOffset& offset : offsets) {
    if (matches_path_end(offset.pattern, path)) return std::clamp(offset.offset, -kLongestClockOffset, kLongestClockOffset);
  }
  return 0;
}

ClockOffsets within_bounds(ClockOffsets offsets) {
  for (ClockOffset& each : offsets) each.offset = std::clamp(each.offset, -kLongestClockOffset, kLongestClockOffset);
  return offsets;
}

// Returns one pattern that matches the worker's files in all steps.
static std::string pattern_of_steps(const std::string& path) {
  const std::string_view folder = folder_of(path), step = last_part(folder);
  if (!step.starts_with("step_")) return path;
  return fmt::format("{}step_*{}", folder.substr(0, folder.size() - step.size()), path.substr(folder.size()));
}

ClockOffsets with_clocks(const std::vector<FileClock>& files, const ClockOffsets& now) {
  ClockOffsets all;
  std::map<std::string, Ns, std::less<>> offset_of;
  bool alike = true;  // all files of a pattern have the same offset
  for (const bool file_by_file : {false, true}) {
    if (file_by_file && alike) break;
    all.clear();
    offset_of.clear();
    for (const FileClock& file : files) {
      const Ns offset = std::clamp(file.offset, -kLongestClockOffset, kLongestClockOffset);
      const auto [known, is_new] = offset_of.try_emplace(file_by_file ? file.path : pattern_of_steps(file.path), offset);
      if (is_new) all.push_back({known->first, offset});
      alike &= known->second == offset;
    }
  }
  // The new patterns come first, because the first match decides.
  for (const ClockOffset& earlier : now) {
    if (!offset_of.contains(earlier.pattern)) all.push_back(earlier);
  }
  return all;
}

Result<ClockOffset> parse_clock_offset(const std::string& text) {
  const Error error{
      "not a clock offset: " + text, {}, {}, "write it as 'worker_3.jsonl=+1.5s', 'hostB/*=-250ms' or 'rollout/*=-9h'"};
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return error;
  const std::optional<Ns> offset = decimal_time(std::string_view(text).substr(equals + 1));
  if (!offset || std::abs(*offset) > kLongestClockOffset) return error;
  return ClockOffset{text.substr(0, equals), *offset};
}

std::string format_clock_offset(Ns offset) {
  struct Unit {
    Ns ns;
    int digits;
    const char* name;
  };
  if (offset != 0 && offset % kZoneStep == 0 && std::abs(offset) < 24LL * 4 * kZoneStep) {
    const Ns minutes = std::abs(offset) / (60 * kSecond);
    std::string text(1, offset < 0 ? '-' : '+');
    if (minutes >= 60) text += fmt::format("{}h", minutes / 60);
    return minutes % 60 == 0 ? text : text + fmt::format("{}m", minutes % 60);
  }
  constexpr Unit kUnits[] = {{kSecond, 9, "s"}, {kMillisecond, 6, "ms"}, {kMicrosecond, 3, "µs"}, {1, 0, "ns"}};
  const Ns magnitude = std::abs(offset);
  const Unit* unit = kUnits;
  while (magnitude != 0 && magnitude < unit->ns) ++unit;
  std::string text = fmt::format("{}{}", offset < 0 ? '-' : '+', magnitude / unit->ns);
  if (Ns rest = magnitude % unit->ns; rest != 0) {
    std::string digits = fmt::format("{:0{}}", rest, unit->digits);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text + unit->name;
}

std::string format_clock_offset(const ClockOffset& offset) {
  return offset.pattern + "=" + format_clock_offset(offset.offset);
}

}  // namespace tv
