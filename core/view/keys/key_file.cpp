#include "core/view/keys/key_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text/nearest_word.h"
#include "core/base/text/toml_library.h"

namespace tv {
namespace {

struct KeyAlias {
  std::string_view word, name;
};
constexpr KeyAlias kAliases[] = {{"control", "ctrl"}, {"cmd", "ctrl"}, {"escape", "esc"},  {"return", "enter"},
                                 {"del", "delete"},   {"ins", "insert"}, {"pgup", "pageup"}, {"pgdn", "pagedown"}};

KeyChoice& live_choice() {
  static KeyChoice choice;
  return choice;
}

// Normalised as for comparing key names: lower case, no spaces.
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
    if (key >= Key::Ctrl) continue;  // modifiers only occur with other keys
    if (plain_word(name(key)) == word) return key;
  }
  return Key::None;
}

bool is_letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? std::string() : fmt::format(": did you mean {}?", near);
}

// Suggests a key name: found in any spelling, written as in the help.
std::string near_key(const std::string& word) {
  std::vector<std::string> written = {"Ctrl", "Shift", "Alt"}, plain;
  for (std::size_t k = 1; k < static_cast<std::size_t>(Key::Ctrl); ++k) written.emplace_back(name(static_cast<Key>(k)));
  for (const std::string& each : written) plain.push_back(plain_word(each));
  const std::string near = nearest_word(word, plain);
  const auto at = std::ranges::find(plain, near);
  return near.empty() ? near : fmt::format(": did you mean {}?", written[static_cast<std::size_t>(at - plain.begin())]);
}

std::vector<std::string> action_ids() {
  std::vector<std::string> ids;
  for (const Binding& each : bindings()) ids.emplace_back(each.id);
  return ids;
}

// A value of the file, and its position.
struct KeyLine {
  std::size_t line = 0;
  std::string id;
  const toml::node* value = nullptr;
};

void collect_lines(const toml::table& table, const std::string& before, std::vector<KeyLine>& out) {
  for (auto&& [key, node] : table) {
    std::string id = before.empty() ? std::string(key.str()) : before + "." + std::string(key.str());
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
        complain(line, fmt::format("there is no {}{}", key.str(), did_you_mean(key.str(), {"mouse", "keys"})));
      }
    }
    std::ranges::stable_sort(lines, {}, &KeyLine::line);
    for (const KeyLine& each : lines) read_keys(each);
    say_what_is_taken();
  }

 private:
  void complain(std::size_t line, std::string text) { out_.problems.push_back({line, std::move(text)}); }

  void read_mouse(const toml::node& node, std::size_t line) {
    const std::string word = node.value_or(std::string());
    if (const auto preset = mouse_preset(word)) {
      out_.choice.mouse = *preset;
    } else {
      complain(line, fmt::format("mouse is perfetto, tracy or chrome, not {}", word.empty() ? "this" : word));
    }
  }

  void read_keys(const KeyLine& given) {
    const auto found = std::ranges::find(bindings(), std::string_view(given.id), &Binding::id);
    if (found == bindings().end()) {
      return complain(given.line, fmt::format("there is no action {}{}", given.id, did_you_mean(given.id, action_ids())));
    }
    std::vector<std::string> words;
    if (const auto* const one = given.value->as_string()) {
      words.push_back(one->get());
    } else if (const toml::array* const several = given.value->as_array()) {
      for (const toml::node& each : *several) {
        if (const auto* const word = each.as_string()) words.push_back(word->get());
      }
      if (words.size() < several->size()) return complain(given.line, "keys must be strings, as in [\"W\", \"Ctrl+W\"]");
    } else {
      return complain(given.line, "keys must be a string, as in \"Ctrl+W\", or several in [ ]");
    }
    std::vector<Chord> chords;
    for (const std::string& word : words) {
      if (plain_word(word).empty()) continue;
      const auto chord = chord_of(word);
      if (!chord) {
        complain(given.line, chord.error().message);
      } else if (found->held && chord.value().modifiers != kNoModifier) {
        complain(given.line, fmt::format("{} acts while its key is held, so it takes none with Ctrl, Shift or Alt", given.id));
      } else if (!is_taken(*found, chord.value(), given)) {
        chords.push_back(chord.value());
      }
    }
    if (chords.size() > 2) complain(given.line, fmt::format("{} has more than two keys: the first two count", given.id));
    if (chords.empty() && std::ranges::any_of(words, [](const std::string& w) { return !plain_word(w).empty(); })) return;
    chords.resize(2);
    out_.choice.changes.push_back({found->action, chords[0], chords[1]});
    lines_.push_back(given.line);
  }

  // Whether an earlier line has assigned the chord; reports it.
  bool is_taken(const Binding& own, Chord chord, const KeyLine& given) {
    for (std::size_t c = 0; c < out_.choice.changes.size(); ++c) {
      const KeyChange& other = out_.choice.changes[c];
      const Binding& row = binding(other.action);
      if (collide(own, chord, row, other.chord) || collide(own, chord, row, other.second)) {
        complain(given.line, fmt::format("{} is already {} (line {})", text(chord), row.id, lines_[c]));
        return true;
      }
    }
    return false;
  }

  // Reports chords taken from actions that the file does not name.
  void say_what_is_taken() {
    for (const Binding& row : default_bindings(out_.choice.mouse)) {
      const bool named = std::ranges::any_of(out_.choice.changes, [&](const KeyChange& c) { return c.action == row.action; });
      if (named) continue;
      for (std::size_t c = 0; c < out_.choice.changes.size(); ++c) {
        const KeyChange& change = out_.choice.changes[c];
        const Binding& own = binding(change.action);
        for (const Chord chord : {row.chord, row.second}) {
          if (!collide(row, chord, own, change.chord) && !collide(row, chord, own, change.second)) continue;
          complain(lines_[c], fmt::format("{} is taken from {}; add a line {} = \"\" if this is intended", text(chord), row.id,
                                          row.id));
        }
      }
    }
  }

  KeyFile& out_;
  std::vector<std::size_t> lines_;  // line numbers of the changes
};

// Blanks a line of the text; numbers start at 1.
bool blank_line(std::string& text, std::size_t line) {
  std::size_t at = 0;
  for (; line > 1 && at != std::string::npos; --line) at = text.find('\n', at) == std::string::npos ? std::string::npos : text.find('\n', at) + 1;
  if (at == std::string::npos || at >= text.size()) return false;
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
    const Binding own = at(change.action);
    for (const Chord chord : {change.chord, change.second}) {
      for (Binding& other : table) {
        if (collide(own, chord, other, other.second)) other.second = {};
        if (collide(own, chord, other, other.chord)) other.chord = std::exchange(other.second, {});
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

Result<Chord> chord_of(std::string_view given) {
  Chord out;
  for (std::size_t at = 0; at <= given.size();) {
    // A plus may be the key itself: "Ctrl++" is Ctrl+=.
    const std::size_t end = std::min(given.find('+', at), given.size());
    const std::string word = plain_word(given.substr(at, end - at));
    at = end + 1;
    if (const std::uint8_t modifier = modifier_named(word); modifier != kNoModifier && at <= given.size()) {
      out.modifiers = static_cast<std::uint8_t>(out.modifiers | modifier);
      continue;
    }
    if (modifier_named(word) != kNoModifier) return Error{fmt::format("{} is held with another key", given), {}, {}, {}};
    const Key key = key_named(word);
    if (key == Key::None || out.key != Key::None) {
      const std::string near = key == Key::None ? near_key(word) : std::string();
      return Error{fmt::format("there is no key {}{}", given, near), {}, {}, {}};
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
    out.problems.push_back({line, "not understood: " + std::string(parsed.error().description())});
    // An error at the start of a line may belong to the previous one.
    if (!blank_line(rest, line) && (line < 2 || !blank_line(rest, line - 1))) break;
  }
  std::ranges::stable_sort(out.problems, {}, &KeyFileProblem::line);
  return out;
}

std::string new_key_file(MousePreset mouse) {
  std::string out = fmt::format(
      "# Keys and mouse of traceview. Read when it starts; whatever is wrong here is said then, with its line.\n"
      "# To change a key take the # away from its line. \"\" is no key, [\"A\", \"Ctrl+A\"] are two.\n"
      "# Keys: A to Z, 0 to 9, F1 to F12, Left Right Up Down Home End \"Page Up\" \"Page Down\", Enter Esc Space Tab\n"
      "# Backspace Delete Insert , . / - = [ ] ? : with Ctrl+ Shift+ Alt+ before them.\n"
      "# Movement keys (W S A D) go by their position on the keyboard, all others by what is printed on them.\n\n"
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
    if (first != std::string_view::npos && here[first] == '[') break;  // the rest belongs to a table
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
