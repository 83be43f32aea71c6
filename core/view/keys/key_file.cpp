#include "core/view/keys/key_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text/nearest_word.h"
#include "core/base/text/toml_library.h"

namespace tv {
namespace {

// A word for a key, and the name that plain_word() returns instead.
struct KeyAlias {
  std::string_view word, name;
};
constexpr KeyAlias kAliases[] = {{"control", "ctrl"}, {"cmd", "ctrl"}, {"escape", "esc"},  {"return", "enter"},
                                 {"del", "delete"},   {"ins", "insert"}, {"pgup", "pageup"}, {"pgdn", "pagedown"}};

KeyChoice& live_choice() {
  static KeyChoice choice;
  return choice;
}

// The form in which key names are compared: in lower case, without spaces and aliases.
std::string plain_word(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c != ' ') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const KeyAlias& alias : kAliases) {
    if (out == alias.word) return std::string(alias.name);
  }
  return out;
}

std::uint8_t modifier_named(std::string_view word) {
  return word == "ctrl" ? kCtrl : word == "shift" ? kShift : word == "alt" ? kAlt : kNoModifier;
}

Key key_named(std::string_view word) {
  for (std::size_t k = 1; k < static_cast<std::size_t>(Key::kCount); ++k) {
    const auto key = static_cast<Key>(k);
    if (key >= Key::Ctrl) continue;  // modifiers are not keys by themselves
    if (plain_word(name(key)) == word) return key;
  }
  return Key::None;
}

bool is_letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? std::string() : fmt::format(": did you mean {}?", near);
}

// ": did you mean Page Up?" for a plain word that is no key; empty if no name of a key is similar.
std::string did_you_mean_key(const std::string& word) {
  std::vector<std::string> names = {"Ctrl", "Shift", "Alt"}, plain;
  for (std::size_t k = 1; k < static_cast<std::size_t>(Key::Ctrl); ++k) names.emplace_back(name(static_cast<Key>(k)));
  for (const std::string& each : names) plain.push_back(plain_word(each));
  const std::string nearest = nearest_word(word, plain);
  const auto at = std::ranges::find(plain, nearest);
  return nearest.empty() ? nearest : fmt::format(": did you mean {}?", names[static_cast<std::size_t>(at - plain.begin())]);
}

std::vector<std::string> action_ids() {
  std::vector<std::string> ids;
  for (const Binding& each : bindings()) ids.emplace_back(each.id);
  return ids;
}

// A line of the table [keys].
struct KeyLine {
  std::size_t line = 0;
  std::string id;  // of the action
  const toml::node* value = nullptr;
};

// TOML reads the dots in action ids as nested tables. `prefix`: the id so far.
void collect_lines(const toml::table& table, const std::string& prefix, std::vector<KeyLine>& out) {
  for (auto&& [key, node] : table) {
    std::string id = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    if (const toml::table* const inner = node.as_table()) {
      collect_lines(*inner, id, out);
    } else {
      out.push_back({static_cast<std::size_t>(node.source().begin.line), std::move(id), &node});
    }
  }
}

class KeyFileReading {
 public:
  explicit KeyFileReading(KeyFile& out) : out_(out) {}

  void read(const toml::table& root) {
    std::vector<KeyLine> lines;
    for (auto&& [key, node] : root) {
      const auto line = static_cast<std::size_t>(node.source().begin.line);
      if (key.str() == "mouse") {
        read_mouse(node, line);
      } else if (key.str() == "keys" && node.is_table()) {
        collect_lines(*node.as_table(), {}, lines);
      } else {
        complain(line, key.str() == "keys" ? "keys must be a table: [keys]"
                                           : fmt::format("there is no setting {}{}", key.str(), did_you_mean(key.str(), {"mouse", "keys"})));
      }
    }
    std::ranges::stable_sort(lines, {}, &KeyLine::line);
    for (const KeyLine& each : lines) read_keys(each);
    report_lost_defaults();
  }

 private:
  void complain(std::size_t line, std::string text) { out_.problems.push_back({line, std::move(text)}); }

  void read_mouse(const toml::node& node, std::size_t line) {
    const std::string word = node.value_or(std::string());
    if (const auto preset = mouse_preset(word)) {
      out_.choice.mouse = *preset;
    } else {
      complain(line, "mouse must be perfetto, tracy or chrome" + (word.empty() ? "" : ", not " + word));
    }
  }

  void read_keys(const KeyLine& entry) {
    const auto found = std::ranges::find(bindings(), std::string_view(entry.id), &Binding::id);
    if (found == bindings().end()) {
      return complain(entry.line, fmt::format("there is no action {}{}", entry.id, did_you_mean(entry.id, action_ids())));
    }
    std::vector<std::string> words;
    if (const auto* const one = entry.value->as_string()) {
      words.push_back(one->get());
    } else if (const toml::array* const several = entry.value->as_array()) {
      for (const toml::node& each : *several) {
        if (const auto* const word = each.as_string()) words.push_back(word->get());
      }
      if (words.size() < several->size()) return complain(entry.line, "keys must be strings, as in [\"W\", \"Ctrl+W\"]");
    } else {
      return complain(entry.line, "keys must be a string, as in \"Ctrl+W\", or several in [ ]");
    }
    std::vector<Chord> chords;
    for (const std::string& word : words) {
      if (plain_word(word).empty()) continue;
      const auto chord = chord_of(word);
      if (!chord) {
        complain(entry.line, chord.error().message);
      } else if (found->held && chord.value().modifiers != kNoModifier) {
        complain(entry.line, fmt::format("{} acts while its key is held, so the key must be without Ctrl, Shift and Alt", entry.id));
      } else if (!has_chord_already(*found, chord.value(), entry)) {
        chords.push_back(chord.value());
      }
    }
    if (chords.size() > 2) complain(entry.line, fmt::format("{} has more than two keys: the first two count", entry.id));
    if (chords.empty() && std::ranges::any_of(words, [](const std::string& w) { return !plain_word(w).empty(); })) return;
    chords.resize(2);
    out_.choice.changes.push_back({found->action, chords[0], chords[1]});
    lines_.push_back(entry.line);
  }

  // Whether an earlier line has assigned the chord. If so, reports this.
  bool has_chord_already(const Binding& row, Chord chord, const KeyLine& entry) {
    const auto& changes = out_.choice.changes;
    const auto taken = std::ranges::find_if(changes, [&](const KeyChange& change) { return takes(change, row, chord); });
    if (taken == changes.end()) return false;
    const std::size_t line = lines_[static_cast<std::size_t>(taken - changes.begin())];
    complain(entry.line, fmt::format("{} is already the key of {} (line {})", text(chord), binding(taken->action).id, line));
    return true;
  }

  // Whether the change assigns this chord of the row to another action.
  static bool takes(const KeyChange& change, const Binding& row, Chord chord) {
    const Binding& changed = binding(change.action);
    return collide(row, chord, changed, change.chord) || collide(row, chord, changed, change.second);
  }

  // Reports default chords that the file takes from actions without naming these.
  void report_lost_defaults() {
    for (const Binding& row : default_bindings(out_.choice.mouse)) {
      const bool named = std::ranges::any_of(out_.choice.changes, [&](const KeyChange& c) { return c.action == row.action; });
      if (named) continue;
      for (std::size_t c = 0; c < out_.choice.changes.size(); ++c) {
        for (const Chord chord : {row.chord, row.second}) {
          if (!takes(out_.choice.changes[c], row, chord)) continue;
          const Chord other = chord == row.chord ? row.second : row.chord;
          const bool lost = std::ranges::any_of(out_.choice.changes, [&](const KeyChange& change) { return takes(change, row, other); });
          const Chord remaining = lost ? Chord() : other;
          complain(lines_[c], fmt::format("{} is taken from {}; add a line {} = \"{}\" if this is intended", text(chord), row.id,
                                          row.id, text(remaining)));
        }
      }
    }
  }

  KeyFile& out_;
  std::vector<std::size_t> lines_;  // for each change, its line number
};

// Overwrites a line (the first is 1) with spaces, so that other lines keep their numbers. False if the line is missing or empty.
bool blank_line(std::string& text, std::size_t line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string::npos) return false;
    at = newline + 1;
  }
  if (at >= text.size()) return false;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  if (end == at) return false;
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  return true;
}

}  // namespace

std::vector<Binding> key_table(const KeyChoice& choice) {
  std::vector<Binding> table = default_bindings(choice.mouse);
  const auto at = [&](Action action) -> Binding& { return table[static_cast<std::size_t>(action)]; };
  for (const KeyChange& change : choice.changes) at(change.action).chord = at(change.action).second = {};
  for (const KeyChange& change : choice.changes) {
    const Binding changed = at(change.action);
    for (const Chord chord : {change.chord, change.second}) {
      for (Binding& row : table) {
        if (collide(changed, chord, row, row.second)) row.second = {};
        if (collide(changed, chord, row, row.chord)) row.chord = std::exchange(row.second, {});
      }
    }
    at(change.action).chord = change.chord;
    at(change.action).second = change.second;
  }
  return table;
}

const KeyChoice& keys_in_use() { return live_choice(); }

void use_keys(const KeyChoice& choice) {
  live_choice() = choice;
  use_bindings(key_table(choice));
  use_mouse({choice.mouse, MouseMode::Select});
}

Result<Chord> chord_of(std::string_view chord) {
  Chord out;
  for (std::size_t at = 0; at <= chord.size();) {
    const bool is_plus = plain_word(chord.substr(at)) == "+";  // the last plus of "Ctrl++" is a key, the same as =
    const std::size_t end = is_plus ? chord.size() : std::min(chord.find('+', at), chord.size());
    const std::string word = is_plus ? "=" : plain_word(chord.substr(at, end - at));
    at = end + 1;
    if (const std::uint8_t modifier = modifier_named(word); modifier != kNoModifier && at <= chord.size()) {
      out.modifiers = static_cast<std::uint8_t>(out.modifiers | modifier);
      continue;
    }
    if (modifier_named(word) != kNoModifier) return Error{fmt::format("{} needs another key after it, as in Ctrl+W", chord), {}, {}, {}};
    const Key key = key_named(word);
    if (key == Key::None || out.key != Key::None) {
      const std::string hint = key == Key::None && !word.empty() ? did_you_mean_key(word) : std::string();
      return Error{fmt::format("there is no key {}{}", chord, hint), {}, {}, {}};
    }
    out.key = key;
  }
  const std::string_view printed = name(out.key);
  if ((out.modifiers & kShift) != 0 && printed.size() == 1 && !is_letter_or_digit(printed[0])) {
    return Error{fmt::format("Shift changes what {} types: write the resulting character", printed), {}, {}, {}};
  }
  return out;
}

KeyFile read_key_file(std::string_view text) {
  KeyFile out;
  std::string rest(text);
  constexpr int kMostBrokenLines = 100;
  for (int i = 0; i < kMostBrokenLines; ++i) {
    const toml::parse_result parsed = toml::parse(rest);
    if (parsed) {
      KeyFileReading(out).read(parsed.table());
      break;
    }
    const auto line = static_cast<std::size_t>(parsed.error().source().begin.line);
    out.problems.push_back({line, "this is not TOML: " + std::string(parsed.error().description())});
    // The parser may report a fault only at the start of the next line, which may be empty.
    if (!blank_line(rest, line) && (line < 2 || !blank_line(rest, line - 1))) break;
  }
  std::ranges::stable_sort(out.problems, {}, &KeyFileProblem::line);
  return out;
}

std::string new_key_file(MousePreset mouse) {
  std::string out = fmt::format(
      "# The keys and the mouse of traceview. The program reads this file at start and whenever the file changes; it reports errors by line.\n"
      "# To change a key, remove the # from its line. \"\" means no key, [\"A\", \"Ctrl+A\"] means two keys.\n"
      "# Keys: A to Z, 0 to 9, F1 to F12, Left Right Up Down Home End \"Page Up\" \"Page Down\", Enter Esc Space Tab\n"
      "# Backspace Delete Insert , . / - = [ ] ? : and each of them after Ctrl+, Shift+ or Alt+.\n"
      "# The movement keys W, S, A and D are found by their position on the keyboard, all others by what is printed on them.\n\n"
      "# What the mouse does: perfetto, tracy or chrome.\nmouse = \"{}\"\n\n[keys]\n",
      name(mouse));
  std::string_view group;
  for (const Binding& row : default_bindings(mouse)) {
    if (row.group != group) out += fmt::format("\n# {}\n", group = row.group);
    const std::string one = text(row.chord), two = text(row.second);
    const std::string keys = two.empty() ? fmt::format("\"{}\"", one) : fmt::format("[\"{}\", \"{}\"]", one, two);
    out += fmt::format("#{} = {:<24} # {}\n", row.id, keys, row.title);
  }
  return out;
}

std::string with_mouse(std::string text, MousePreset mouse) {
  const std::string line = fmt::format("mouse = \"{}\"", name(mouse));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view here = std::string_view(text).substr(at, end - at);
    const std::size_t first = here.find_first_not_of(" \t");
    if (first != std::string_view::npos && here[first] == '[') break;  // the rest belongs to tables
    if (first != std::string_view::npos && here.substr(first).starts_with("mouse") &&
        here.find_first_of("= \t", first) == first + 5) {
      const std::size_t comment = here.find('#');
      text.replace(at, std::min(comment, here.size()), comment == std::string_view::npos ? line : line + "  ");
      return text;
    }
    at = end + 1;
  }
  return line + "\n" + text;
}

}  // namespace tv
