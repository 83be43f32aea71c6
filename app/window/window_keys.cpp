#include "app/window/window_keys.h"

#include <GLFW/glfw3.h>

namespace tv {

namespace {

Key offset(Key first, int by) { return static_cast<Key>(static_cast<int>(first) + by); }
bool between(int key, int first, int last) { return key >= first && key <= last; }

struct NamedKey {
  int glfw;
  Key key;
};
constexpr NamedKey kNamed[] = {
    {GLFW_KEY_LEFT, Key::Left},
    {GLFW_KEY_RIGHT, Key::Right},
    {GLFW_KEY_UP, Key::Up},
    {GLFW_KEY_DOWN, Key::Down},
    {GLFW_KEY_HOME, Key::Home},
    {GLFW_KEY_END, Key::End},
    {GLFW_KEY_PAGE_UP, Key::PageUp},
    {GLFW_KEY_PAGE_DOWN, Key::PageDown},
    {GLFW_KEY_ENTER, Key::Enter},
    {GLFW_KEY_KP_ENTER, Key::Enter},
    {GLFW_KEY_ESCAPE, Key::Escape},
    {GLFW_KEY_TAB, Key::Tab},
    {GLFW_KEY_SPACE, Key::Space},
    {GLFW_KEY_BACKSPACE, Key::Backspace},
    {GLFW_KEY_INSERT, Key::Insert},
    {GLFW_KEY_DELETE, Key::Delete},
    {GLFW_KEY_MINUS, Key::Minus},
    {GLFW_KEY_KP_SUBTRACT, Key::Minus},
    {GLFW_KEY_EQUAL, Key::Equal},
    {GLFW_KEY_KP_ADD, Key::Equal},
    {GLFW_KEY_LEFT_CONTROL, Key::Ctrl},
    {GLFW_KEY_RIGHT_CONTROL, Key::Ctrl},
    {GLFW_KEY_LEFT_SHIFT, Key::Shift},
    {GLFW_KEY_RIGHT_SHIFT, Key::Shift},
    {GLFW_KEY_LEFT_ALT, Key::Alt},
    {GLFW_KEY_RIGHT_ALT, Key::Alt},
    {GLFW_KEY_LEFT_SUPER, Key::Super},
    {GLFW_KEY_RIGHT_SUPER, Key::Super},
    {GLFW_KEY_COMMA, Key::Comma},
    {GLFW_KEY_PERIOD, Key::Period},
    {GLFW_KEY_KP_DECIMAL, Key::Period},
    {GLFW_KEY_SLASH, Key::Slash},
    {GLFW_KEY_KP_DIVIDE, Key::Slash},
    {GLFW_KEY_LEFT_BRACKET, Key::LeftBracket},
    {GLFW_KEY_RIGHT_BRACKET, Key::RightBracket},
};

int glfw_key_at(Key place) {
  const auto from = [place](Key first) { return static_cast<int>(place) - static_cast<int>(first); };
  if (place >= Key::A && place <= Key::Z) return GLFW_KEY_A + from(Key::A);
  if (place >= Key::Digit0 && place <= Key::Digit9) return GLFW_KEY_0 + from(Key::Digit0);
  if (place >= Key::F1 && place <= Key::F12) return GLFW_KEY_F1 + from(Key::F1);
  for (const NamedKey& named : kNamed)
    if (named.key == place) return named.glfw;
  return GLFW_KEY_UNKNOWN;
}

}  // namespace

Key key_at_position(int glfw_key) {
  if (between(glfw_key, GLFW_KEY_A, GLFW_KEY_Z)) return offset(Key::A, glfw_key - GLFW_KEY_A);
  if (between(glfw_key, GLFW_KEY_0, GLFW_KEY_9)) return offset(Key::Digit0, glfw_key - GLFW_KEY_0);
  if (between(glfw_key, GLFW_KEY_KP_0, GLFW_KEY_KP_9)) return offset(Key::Digit0, glfw_key - GLFW_KEY_KP_0);
  if (between(glfw_key, GLFW_KEY_F1, GLFW_KEY_F12)) return offset(Key::F1, glfw_key - GLFW_KEY_F1);
  for (const NamedKey& named : kNamed)
    if (named.glfw == glfw_key) return named.key;
  return Key::None;
}

Key keypad_navigation_key(int glfw_key) {
  constexpr Key kMoves[] = {Key::Insert, Key::End,   Key::Down, Key::PageDown, Key::Left,
                            Key::None,   Key::Right, Key::Home, Key::Up,       Key::PageUp};
  if (glfw_key == GLFW_KEY_KP_DECIMAL) return Key::Delete;
  return between(glfw_key, GLFW_KEY_KP_0, GLFW_KEY_KP_9) ? kMoves[glfw_key - GLFW_KEY_KP_0] : Key::None;
}

Key printed_key(int glfw_key, int scancode) {
  const Key place = key_at_position(glfw_key);
  if (between(glfw_key, GLFW_KEY_KP_0, GLFW_KEY_KP_EQUAL)) return place;
  const char* printed = glfwGetKeyName(glfw_key, scancode);
  if (!printed || !printed[0] || printed[1]) return place;
  const int c = printed[0];
  if (between(c, 'a', 'z')) return offset(Key::A, c - 'a');
  if (between(c, 'A', 'Z')) return offset(Key::A, c - 'A');
  if (between(c, '0', '9')) return offset(Key::Digit0, c - '0');
  if (c == '+') return Key::Equal;  // Ctrl++ and Ctrl+= are the same
  for (const Key key :
       {Key::Comma, Key::Period, Key::Slash, Key::Minus, Key::Equal, Key::LeftBracket, Key::RightBracket})
    if (character_of(key) == static_cast<char32_t>(c)) return key;
  return place;
}

std::string key_cap(Key key) {
  // Only letters and digits may have other positions than on a US keyboard.
  if (key < Key::A || key > Key::Digit9) return std::string(name(key));
  for (Key place = Key::A; place <= Key::Digit9; place = offset(place, 1)) {
    const Key print = printed_key(glfw_key_at(place), 0);
    if (plain_key(place, print) == key) return std::string(name(print));
  }
  return std::string(name(key));
}

}  // namespace tv
