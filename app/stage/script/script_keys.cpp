#include "app/stage/script/script_keys.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "ui/widgets/input/keys.h"

namespace tv {

std::uint8_t modifier_of(Key key) {
  return key == Key::Ctrl ? kCtrl : key == Key::Shift ? kShift : key == Key::Alt ? kAlt : kNoModifier;
}

std::optional<Chords> chords_of(const std::string& text) {
  Chords out;
  std::size_t from = 0;
  for (std::size_t plus = text.find('+', 1); from < text.size(); plus = text.find('+', from + 1)) {
    const std::string part = text.substr(from, plus == std::string::npos ? std::string::npos : plus - from);
    from = plus == std::string::npos ? text.size() : plus + 1;
    bool known = false;
    for (std::size_t k = 1; k < static_cast<std::size_t>(Key::kCount); ++k) {
      const Key key = static_cast<Key>(k);
      const std::string_view key_name = name(key);
      const bool same = key_name.size() == part.size() &&
                        std::equal(part.begin(), part.end(), key_name.begin(), [](unsigned char a, unsigned char b) {
                          return std::tolower(a) == std::tolower(b);
                        });
      if (!same || known) continue;
      known = true;
      out.chord.modifiers = static_cast<std::uint8_t>(out.chord.modifiers | modifier_of(key));
      if (modifier_of(key) == kNoModifier) out.chord.key = key;
      if (character_of(key) != 0 && out.keys.empty()) {
        out.typed = part;
      } else {
        out.keys.push_back(key);
      }
    }
    if (!known) return std::nullopt;
  }
  return out;
}

}  // namespace tv
