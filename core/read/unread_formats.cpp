// Formats that are recognised by name and content but have no reader in this version: they are listed with that reason
// instead of being called unknown. Each moves to a file of its own when its reader comes.
// Sources: verl.md section 4, formats.md sections 4 and 5.
#include <regex>

#include "core/read/reader.h"

namespace tv {
namespace {

constexpr int kSure = 90, kLikely = 60;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

int probe_verl_console(const Probe& probe) {
  const std::size_t step = probe.head.find("step:");
  if (step == std::string_view::npos) return 0;
  const bool metrics = contains(probe.head, "timing_s/") || contains(probe.head, "timing/") ||
                       contains(probe.head, "critic/") || contains(probe.head, "actor/") || contains(probe.head, "perf/");
  return metrics && contains(probe.head.substr(step), " - ") ? kSure : 0;
}

int probe_megatron(const Probe& probe) {
  static const std::regex line(R"(iteration[ =]\s*\d+\s*/\s*\d+\s*\|)");
  // std::regex is slow: it looks only where the word is.
  constexpr std::size_t kLongest = 100;
  for (std::size_t at = probe.head.find("iteration"); at != probe.head.npos; at = probe.head.find("iteration", at + 1)) {
    const std::string_view part = probe.head.substr(at, kLongest);
    if (std::regex_search(part.begin(), part.end(), line, std::regex_constants::match_continuous)) return kSure;
  }
  return 0;
}

int probe_nsys_sqlite(const Probe& probe) {
  return probe.head.starts_with(std::string_view("SQLite format 3\0", 16)) ? kLikely : 0;
}

int probe_nsys_report(const Probe& probe) { return probe.head.starts_with("NVIDIA Tegra Profiler Report") ? 100 : 0; }

std::optional<std::size_t> no_records(std::string_view) { return std::nullopt; }
Result<ArgTree> no_decode(std::string_view) { return Error{"this format has no records yet", {}, {}, {}}; }

}  // namespace

extern const Reader kVerlConsole{"verl_console", "verl console log", probe_verl_console, nullptr, no_records, no_decode};
extern const Reader kMegatronLog{"megatron_log", "Megatron-LM console log", probe_megatron, nullptr, no_records, no_decode};
extern const Reader kNsysSqlite{"nsys_sqlite", "Nsight Systems SQLite export", probe_nsys_sqlite, nullptr, no_records,
                                no_decode};
extern const Reader kNsysReport{"nsys_report", "Nsight Systems report", probe_nsys_report, nullptr, no_records, no_decode};

}  // namespace tv
