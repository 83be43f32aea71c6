#include "core/session/persistence/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "core/base/text/ascii.h"
#include "core/base/text/json_text.h"
#include "core/base/text/nearest_word.h"

namespace tv {
namespace {

using SettingWords = std::vector<std::string>;

// A line of the table: the key of a setting, and how it is written and set. `take` returns why it refuses the value, or an empty
// text.
struct SettingKind {
  std::string_view key, comment;
  std::string (*write)(const Settings&);
  std::string (*take)(Settings&, const std::string& value);
};

// TOML's basic strings use the same escapes as JSON.
std::string quoted_word(std::string_view text) { return json_quoted(text); }

std::string setting_number(double value) {
  std::string text = fmt::format("{:.4g}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string not_one_of(const std::string& value, const SettingWords& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "\"" : ", \"") + word + "\"";
  const std::string meant = nearest_word(value, words);
  return "is not one of " + all + (meant.empty() ? std::string() : "; did you mean \"" + meant + "\"?");
}

template <class Choice>
std::string take_word(Choice& out, const std::string& value, const SettingWords& words) {
  const auto found = std::ranges::find(words, value);
  if (found == words.end()) return not_one_of(value, words);
  out = static_cast<Choice>(found - words.begin());
  return {};
}

std::string take_number(float& out, const std::string& value, float least, float most) {
  const auto number = whole_decimal(value);
  const auto as_float = static_cast<float>(number.value_or(NAN));  // 0.6f is more than 0.6
  if (!(as_float >= least && as_float <= most)) return fmt::format("is not a number from {:g} to {:g}", least, most);
  out = as_float;
  return {};
}

std::string take_flag(bool& out, const std::string& value) {
  if (value != "true" && value != "false") return "is neither true nor false";
  out = value == "true";
  return {};
}

std::string take_bytes(std::uint64_t& out, const std::string& value) {
  out = 0;
  if (value.empty()) return {};
  constexpr std::string_view kUnits = "KMGT";
  const bool unit = kUnits.find(value.back()) != std::string_view::npos;
  const char* const last = value.data() + value.size() - (unit ? 1 : 0);
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), last, number);
  const std::size_t shift = unit ? 10 * (kUnits.find(value.back()) + 1) : 0;
  if (code != std::errc() || end != last || number > (UINT64_MAX >> shift)) return "is not a size such as 4G or 800M";
  out = number << shift;
  return {};
}

std::string setting_bytes(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "KMGT";
  if (bytes == 0) return {};
  std::size_t unit = 0;
  while (unit < kUnits.size() && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + (unit > 0 ? std::string(1, kUnits[unit - 1]) : std::string());
}

const SettingWords& theme_words() {
  static const SettingWords words = {"system", "dark", "light"};
  return words;
}
const SettingWords& palette_words() {
  static const SettingWords words = {"usual", "colour-blind"};
  return words;
}
const SettingWords& reopen_words() {
  static const SettingWords words = {"offer", "always", "never"};
  return words;
}
const SettingWords& times_words() {
  static const SettingWords words = [] {
    SettingWords all;
    for (int i = 0; i < static_cast<int>(TimeFormat::kCount); ++i) all.emplace_back(name(static_cast<TimeFormat>(i)));
    return all;
  }();
  return words;
}
template <class Choice>
std::string setting_word(Choice choice, const SettingWords& words) {
  return quoted_word(words[static_cast<std::size_t>(choice)]);
}

constexpr SettingKind kSettings[] = {
    {"theme", "Theme: \"system\" (that of the desktop), \"dark\" or \"light\".",
     [](const Settings& s) { return setting_word(s.theme, theme_words()); },
     [](Settings& s, const std::string& v) { return take_word(s.theme, v, theme_words()); }},
    {"text_size", "Factor for the size of text and everything else, in addition to the screen's scale: 0.6 to 3, usually 1.",
     [](const Settings& s) { return setting_number(static_cast<double>(s.text_size)); },
     [](Settings& s, const std::string& v) { return take_number(s.text_size, v, kLeastTextSize, kMostTextSize); }},
    {"times", "How times are written: \"since begin\", \"wall clock\", \"since step\" or \"seconds\".",
     [](const Settings& s) { return setting_word(s.times, times_words()); },
     [](Settings& s, const std::string& v) { return take_word(s.times, v, times_words()); }},
    {"palette", "Colours of slices: \"usual\", or \"colour-blind\": ten that people with any kind of colour blindness can tell apart.",
     [](const Settings& s) { return setting_word(s.palette, palette_words()); },
     [](Settings& s, const std::string& v) { return take_word(s.palette, v, palette_words()); }},
    {"reduced_motion", "Whether zooming and scrolling jump instead of gliding: true or false.",
     [](const Settings& s) { return std::string(s.reduced_motion ? "true" : "false"); },
     [](Settings& s, const std::string& v) { return take_flag(s.reduced_motion, v); }},
    {"names_width", "Width of the names of lanes, in pixels at text size 1: 60 to 700.",
     [](const Settings& s) { return setting_number(static_cast<double>(s.names_width)); },
     [](Settings& s, const std::string& v) { return take_number(s.names_width, v, kLeastNamesWidth, kMostNamesWidth); }},
    {"reopen", "What a start without files does with the last session: \"offer\" it, open it \"always\", or \"never\" (it is then not saved).",
     [](const Settings& s) { return setting_word(s.reopen, reopen_words()); },
     [](Settings& s, const std::string& v) { return take_word(s.reopen, v, reopen_words()); }},
    {"memory_limit", "Loading stops with advice if it needs more memory than this, such as \"4G\"; \"\": nine tenths of the available memory.",
     [](const Settings& s) { return quoted_word(setting_bytes(s.memory_limit)); },
     [](Settings& s, const std::string& v) { return take_bytes(s.memory_limit, v); }},
    {"nsys", "Path of the nsys that exports .nsys-rep files; \"\": the one on the PATH.",
     [](const Settings& s) { return quoted_word(s.nsys); },
     [](Settings& s, const std::string& v) {
       s.nsys = v;
       return std::string();
     }},
    {"cache", "Whether loaded traces are kept in the index cache, so that they open faster the next time: true or false.",
     [](const Settings& s) { return std::string(s.cache ? "true" : "false"); },
     [](Settings& s, const std::string& v) { return take_flag(s.cache, v); }},
};

}  // namespace

std::vector<SettingLine> setting_lines(const Settings& settings) {
  std::vector<SettingLine> lines;
  for (const SettingKind& setting : kSettings) lines.push_back({setting.key, setting.comment, setting.write(settings)});
  return lines;
}

std::string setting_variable(std::string_view key) {
  std::string variable = "TRACEVIEW_";
  for (const char c : key) variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

std::string take_setting(Settings& settings, std::string_view key, const std::string& value) {
  const auto found = std::ranges::find(kSettings, key, &SettingKind::key);
  if (found != std::end(kSettings)) {
    Settings taken = settings;
    std::string complaint = found->take(taken, value);
    if (complaint.empty()) settings = std::move(taken);
    return complaint;
  }
  SettingWords known;
  for (const SettingKind& setting : kSettings) known.emplace_back(setting.key);
  const std::string meant = nearest_word(key, known);
  return "is not a setting" + (meant.empty() ? std::string() : "; did you mean \"" + meant + "\"?");
}

}  // namespace tv
