#include "core/read/chrome/exported_lane.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr char kPartEnd = '\x1f';
// Our own lanes have three or four parts. The limit is for files that pretend to be ours.
constexpr std::size_t kMostParts = 32;
constexpr Ns kMostTolerance = kSecond;

// Removes and returns the text before the separator.
std::string_view take(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

std::optional<LaneKind> lane_kind(std::string_view text) {
  for (const LaneKind kind : {LaneKind::Thread, LaneKind::Stream, LaneKind::Annotation, LaneKind::Async,
                              LaneKind::Phases, LaneKind::Requests, LaneKind::Counter}) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

}  // namespace

std::string exported_lane_text(const LaneSpec& lane) {
  std::string text =
      fmt::format("{} {} {}", name(lane.kind), lane.rule == RowRule::Pack ? "pack" : "nest", lane.nest_tolerance);
  for (const LaneSegment& part : lane.path) text += fmt::format("{}{} {}", kPartEnd, part.sort, part.name);
  return text;
}

std::optional<LaneSpec> parse_exported_lane(std::string_view text, std::string_view source) {
  LaneSpec lane;
  std::string_view head = take(text, kPartEnd);
  const auto kind = lane_kind(take(head, ' '));
  const std::string_view rule = take(head, ' ');
  const auto tolerance = whole_number(head);
  if (!kind || (rule != "pack" && rule != "nest") || !tolerance || text.empty()) return std::nullopt;
  if (*tolerance < 0 || *tolerance > kMostTolerance) return std::nullopt;
  lane.kind = *kind;
  lane.rule = rule == "pack" ? RowRule::Pack : RowRule::Nest;
  lane.nest_tolerance = *tolerance;
  while (!text.empty()) {
    std::string_view part = take(text, kPartEnd);
    const std::string_view order = take(part, ' ');
    const auto sort = whole_number(order);
    if (!sort || lane.path.size() == kMostParts) return std::nullopt;
    const bool is_process = !lane.path.empty() && !text.empty();
    const std::string key = fmt::format("{}#{}", lane.path.empty() ? source : "", order);
    lane.path.push_back({std::string(part), *sort, key, owner_by_name(part, is_process)});
  }
  if (lane.path.size() > 1) {
    LaneSegment& group = lane.path[lane.path.size() - 2];
    note_thread_of_calls(lane.path.back().name, group.name, group.owner);
  }
  if (lane.kind == LaneKind::Counter) lane.path.back().key += " samples";  // so that it is never merged with a lane of slices
  return lane;
}

}  // namespace tv
