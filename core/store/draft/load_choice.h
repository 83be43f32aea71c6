// Which part of the opened files is loaded: some ranks, steps, devices or roles, a time range. The other parts take no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace tv {

/// Consecutive ranks, steps or devices.
struct RankSpan {
  std::int64_t first = 0, last = 0;  ///< both included
  bool operator==(const RankSpan&) const = default;
};

/// Consecutive devices of a pipeline, on one machine or on all.
struct DeviceSpan {
  std::string machine;  ///< empty: any machine
  RankSpan numbers;
  bool operator==(const DeviceSpan&) const = default;
};

struct LoadChoice {
  enum class Clock : std::uint8_t {
    FromBegin,  ///< since the beginning of all chosen files
    Absolute,   ///< since the epoch, if the files have such times
  };

  std::vector<RankSpan> ranks;      ///< empty: all; files without a rank (or worker) are always loaded
  std::optional<TimeRange> window;  ///< only items that touch it are loaded; none: all
  Clock clock = Clock::FromBegin;   ///< the clock of `window`
  std::vector<RankSpan> steps = {}; ///< empty: all; files without a step are always loaded

  std::vector<DeviceSpan> devices = {};  ///< empty: all; files without a device are always loaded
  std::vector<std::string> roles = {};   ///< empty: all; files without a role, and training logs, are always loaded

  bool everything() const { return ranks.empty() && steps.empty() && devices.empty() && roles.empty() && !window; }
  /// "ranks 0..3,5; steps 60..70; 1.5 s .. 2 s": readable, and different for different choices.
  std::string text() const;
  bool operator==(const LoadChoice&) const = default;
};

/// Whether the number is in one of the spans. Also true if there are no spans, or no number.
bool chosen(const std::vector<RankSpan>& spans, std::optional<std::int64_t> number);
/// The same for a device and its machine.
bool chosen(const std::vector<DeviceSpan>& devices, std::string_view machine, std::optional<std::int64_t> number);

/// Whether a file's role ("rollout, actor", "actor_update") contains one of the roles. Also true if there are no roles, or the
/// file has none.
bool chosen(const std::vector<std::string>& roles, std::string_view role);

/// Parses "actor,critic". The roles are in lower case, each once.
Result<std::vector<std::string>> parse_roles(const std::string& text);
/// Parses "0", "0..3" or "0..3,5".
Result<std::vector<RankSpan>> parse_ranks(const std::string& text);
std::string ranks_text(const std::vector<RankSpan>& ranks);
/// Parses "0", "0..3,5" or "machine1/0,machine2/0..3".
Result<std::vector<DeviceSpan>> parse_devices(const std::string& text);
std::string devices_text(const std::vector<DeviceSpan>& devices);

}  // namespace tv
