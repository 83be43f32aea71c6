#include "core/view/manual/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/view/keys/help_lines.h"
#include "core/view/keys/keymap.h"
#include "embedded_manual.h"

namespace tv {
namespace {

struct EmbeddedPage {
  std::string_view topic, markdown;
};
constexpr EmbeddedPage kEmbeddedPages[] = {
    {"getting-started", embedded::k_getting_started_md},
    {"formats", embedded::k_formats_md},
    {"rollouts", embedded::k_rollouts_md},
    {"training-logs", embedded::k_training_logs_md},
    {"pipelines", embedded::k_pipelines_md},
    {"nsight", embedded::k_nsight_md},
    {"gpus", embedded::k_gpus_md},
    {"window", embedded::k_window_md},
    {"keys", embedded::k_keys_md},
    {"command-line", embedded::k_command_line_md},
    {"export", embedded::k_export_md},
    {"clocks", embedded::k_clocks_md},
    {"clusters", embedded::k_clusters_md},
    {"limits", embedded::k_limits_md},
    {"troubleshooting", embedded::k_troubleshooting_md},
};

// Escapes bars, because a bar ends a table cell.
std::string in_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

// Puts keys between backquotes: "`0`, `Home`", "`1` ... `9`". Gestures stay as they are.
std::string keys_in_cell(std::string_view keys, const std::set<std::string>& chords) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(keys.find("  ", at), keys.find(" ... ", at));
    const std::string_view key = keys.substr(at, end - at);
    const bool is_chord = chords.contains(std::string(key));
    out += is_chord ? "`" + in_cell(key) + "`" : in_cell(key);
    if (end == std::string_view::npos) return out;
    const bool alternative = keys.substr(end, 2) == "  ";
    out += alternative ? ", " : " ... ";
    at = end + (alternative ? 2 : 5);
  }
}

}  // namespace

std::span<const ManualPage> manual_pages() {
  static const std::vector<ManualPage> pages = [] {
    std::vector<ManualPage> out;
    for (const EmbeddedPage& each : kEmbeddedPages) out.push_back(parse_manual_page(each.topic, each.markdown));
    return out;
  }();
  return pages;
}

const ManualPage* find_manual_page(std::string_view topic) {
  const std::span<const ManualPage> pages = manual_pages();
  const auto found = std::ranges::find(pages, topic, &ManualPage::topic);
  return found == pages.end() ? nullptr : &*found;
}

std::string keys_as_markdown() {
  std::set<std::string> chords;
  for (const Binding& each : bindings()) chords.insert({text(each.chord), text(each.second)});
  std::string out;
  for (const HelpLine& line : help_lines()) {
    if (line.heading()) {
      out += fmt::format("\n## {}\n\n| keys | what they do |\n|---|---|\n", line.keys);
    } else {
      out += fmt::format("| {} | {} |\n", keys_in_cell(line.keys, chords), in_cell(line.what));
    }
  }
  return out;
}

}  // namespace tv
