// Writes JSON as Python's json.dumps does. Members are in the order of the calls.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tv {

/// A double as Python's repr prints it: the fewest digits that round-trip, always with a point or an exponent; null if it is not
/// finite.
std::string python_number(double value);

class ScriptJson {
 public:
  ScriptJson& begin_object(std::string_view key = {}) { return open(key, '{'); }
  ScriptJson& begin_array(std::string_view key = {}) { return open(key, '['); }
  ScriptJson& end_object() { return close('}'); }
  ScriptJson& end_array() { return close(']'); }

  ScriptJson& value(std::string_view key, double number) { return raw(key, python_number(number)); }
  template <std::integral T>
  ScriptJson& value(std::string_view key, T number) { return raw(key, std::to_string(number)); }
  ScriptJson& text(std::string_view key, std::string_view value);
  ScriptJson& null(std::string_view key = {}) { return raw(key, "null"); }

  const std::string& result() const { return out_; }

 private:
  ScriptJson& open(std::string_view key, char bracket);
  ScriptJson& close(char bracket);
  ScriptJson& raw(std::string_view key, std::string_view value);
  void begin_member(std::string_view key);

  std::string out_;
};

}  // namespace tv
