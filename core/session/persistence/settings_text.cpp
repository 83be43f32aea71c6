// The file format of settings.h: toml++ parses the TOML and gives the position of each value. Changed values are replaced there,
// so that the rest of the file stays as its owner wrote it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "core/base/text/toml_library.h"
#include "core/base/text/utf8.h"
#include "core/session/persistence/settings.h"

namespace tv {
namespace {

constexpr std::string_view kHead =
    "# Settings of traceview. The program reads this file at start and after each change. Values that are changed in the window are\n"
    "# written here; everything else stays. Environment variables (TRACEVIEW_THEME=light) and command line options override the file.\n";

// A value as take_setting() expects it; none for a table, a list or a date.
std::optional<std::string> plain_value(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return std::string(flag->get() ? "true" : "false");
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return std::nullopt;
}

Result<toml::table> parse_settings(std::string_view text) {
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& error = parsed.error();
  return Error{fmt::format("line {}: {}", error.source().begin.line, error.description()), {}, {}, {}};
}

// Converts lines and columns to a byte offset; columns count characters, not bytes.
std::size_t byte_at(std::string_view text, toml::source_position place) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < place.line && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const auto inside = [&](std::size_t i) { return i < text.size() && continues_utf8(text[i]); };
  if (at == 0 && text.starts_with("\xEF\xBB\xBF")) at = 3;
  for (toml::source_index column = 1; column < place.column && at < text.size(); ++column) {
    do ++at;
    while (inside(at));
  }
  return at;
}

// New values go below the comments at the top and above everything else: below a table's header they would belong to the table.
std::size_t place_for_new(std::string_view text) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t top = at;
  while (at < text.size() && text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1) + 1;
  const bool blank_follows = at < text.size() && (text[at] == '\n' || text[at] == '\r');
  return blank_follows ? std::min(text.find('\n', at), text.size() - 1) + 1 : top;
}

std::string line_of_setting(const SettingLine& line) {
  return fmt::format("# {}\n{} = {}\n", line.comment, line.key, line.value);
}

}  // namespace

Result<SettingsRead> read_settings(std::string_view text, const Settings& settings) {
  auto table = parse_settings(text);
  if (!table) return table.error();
  SettingsRead out{settings, {}};
  for (const auto& [key, node] : *table) {
    const auto line = node.source().begin.line;
    const std::string_view name = key;
    const std::optional<std::string> value = plain_value(node);
    Settings untouched;
    std::string complaint = take_setting(value ? out.settings : untouched, name, value.value_or(std::string()));
    if (!value && !complaint.starts_with("is not a setting")) complaint = "is a list or a table, not a single value";
    if (complaint.empty()) continue;
    const bool known = !complaint.starts_with("is not a setting");
    out.complaints.push_back(known && value ? fmt::format("line {}: {} = {}: \"{}\" {}", line, name, *value, *value, complaint)
                                            : fmt::format("line {}: \"{}\" {}", line, name, complaint));
  }
  // toml++ iterates by key; complaints are reported in the file's order.
  const auto line_number = [](const std::string& complaint) { return std::stoul(complaint.substr(5)); };
  std::ranges::stable_sort(out.complaints, {}, line_number);
  return out;
}

Result<std::string> edited_settings(std::string_view text, const Settings& before, const Settings& now) {
  const std::vector<SettingLine> lines = setting_lines(now), old = setting_lines(before);
  std::string out(text);
  if (std::ranges::all_of(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; })) {
    out = kHead;
    for (const SettingLine& line : lines) out += '\n' + line_of_setting(line);
    return out;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].value == old[i].value) continue;
    auto table = parse_settings(out);
    if (!table) return table.error();
    if (const toml::node* const node = table->get(lines[i].key)) {
      const toml::source_region& where = node->source();
      const std::size_t begin = byte_at(out, where.begin), end = byte_at(out, where.end);
      out.replace(begin, end - begin, lines[i].value);
    } else {
      out.insert(place_for_new(out), line_of_setting(lines[i]) + '\n');
    }
    // The library's positions are meant for messages, so the result is checked before it replaces a user's file.
    const auto again = read_settings(out);
    if (!again || setting_lines(again.value().settings)[i].value != lines[i].value)
      return Error{fmt::format("{} could not be put in its place", lines[i].key), {}, {}, "change it in the file"};
  }
  return out;
}

}  // namespace tv
