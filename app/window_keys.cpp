#include "app/window_keys.h"

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
    {GLFW_KEY_LEFT, Key::Left},           {GLFW_KEY_RIGHT, Key::Right},         {GLFW_KEY_UP, Key::Up},
    {GLFW_KEY_DOWN, Key::Down},           {GLFW_KEY_HOME, Key::Home},           {GLFW_KEY_END, Key::End},
    {GLFW_KEY_PAGE_UP, Key::PageUp},      {GLFW_KEY_PAGE_DOWN, Key::PageDown},  {GLFW_KEY_ENTER, Key::Enter},
    {GLFW_KEY_KP_ENTER, Key::Enter},      {GLFW_KEY_ESCAPE, Key::Escape},       {GLFW_KEY_TAB, Key::Tab},
    {GLFW_KEY_SPACE, Key::Space},         {GLFW_KEY_BACKSPACE, Key::Backspace}, {GLFW_KEY_INSERT, Key::Insert},
    {GLFW_KEY_DELETE, Key::Delete},       {GLFW_KEY_MINUS, Key::Minus},         {GLFW_KEY_KP_SUBTRACT, Key::Minus},
    {GLFW_KEY_EQUAL, Key::Equal},         {GLFW_KEY_KP_ADD, Key::Equal},        {GLFW_KEY_LEFT_CONTROL, Key::Ctrl},
    {GLFW_KEY_RIGHT_CONTROL, Key::Ctrl},  {GLFW_KEY_LEFT_SHIFT, Key::Shift},    {GLFW_KEY_RIGHT_SHIFT, Key::Shift},
    {GLFW_KEY_LEFT_ALT, Key::Alt},        {GLFW_KEY_RIGHT_ALT, Key::Alt},       {GLFW_KEY_LEFT_SUPER, Key::Super},
    {GLFW_KEY_RIGHT_SUPER, Key::Super},
};

}  // namespace

std::optional<Key> key_at_position(int glfw_key) {
  if (between(glfw_key, GLFW_KEY_A, GLFW_KEY_Z)) return offset(Key::A, glfw_key - GLFW_KEY_A);
  if (between(glfw_key, GLFW_KEY_0, GLFW_KEY_9)) return offset(Key::Num0, glfw_key - GLFW_KEY_0);
  if (between(glfw_key, GLFW_KEY_KP_0, GLFW_KEY_KP_9)) return offset(Key::Num0, glfw_key - GLFW_KEY_KP_0);
  if (between(glfw_key, GLFW_KEY_F1, GLFW_KEY_F12)) return offset(Key::F1, glfw_key - GLFW_KEY_F1);
  for (const NamedKey& named : kNamed)
    if (named.glfw == glfw_key) return named.key;
  return std::nullopt;
}

Key key_in_layout(int glfw_key, int scancode, Key position) {
  if (between(glfw_key, GLFW_KEY_KP_0, GLFW_KEY_KP_EQUAL)) return position;
  const char* printed = glfwGetKeyName(glfw_key, scancode);
  if (!printed || !printed[0] || printed[1]) return position;
  const int c = printed[0];
  if (between(c, 'a', 'z')) return offset(Key::A, c - 'a');
  if (between(c, 'A', 'Z')) return offset(Key::A, c - 'A');
  if (between(c, '0', '9')) return offset(Key::Num0, c - '0');
  if (c == '-') return Key::Minus;
  if (c == '=' || c == '+') return Key::Equal;
  return position;
}

int glfw_key(Key position) {
  const auto at = static_cast<int>(position);
  if (position <= Key::Z) return GLFW_KEY_A + at;
  if (position <= Key::Num9) return GLFW_KEY_0 + at - static_cast<int>(Key::Num0);
  if (position <= Key::F12) return GLFW_KEY_F1 + at - static_cast<int>(Key::F1);
  for (const NamedKey& named : kNamed)
    if (named.key == position) return named.glfw;
  return GLFW_KEY_UNKNOWN;
}

}  // namespace tv
