#include "core/analysis/scripts/script_json.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/text/json_text.h"

namespace tv {

std::string python_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

void ScriptJson::begin_member(std::string_view key) {
  if (!out_.empty() && out_.back() != '{' && out_.back() != '[') out_ += ", ";
  // Elements of arrays and the outermost object have no key.
  if (!key.empty()) out_ += json_quoted(key) + ": ";
}

ScriptJson& ScriptJson::open(std::string_view key, char bracket) {
  begin_member(key);
  out_ += bracket;
  return *this;
}

ScriptJson& ScriptJson::close(char bracket) {
  out_ += bracket;
  return *this;
}

ScriptJson& ScriptJson::text(std::string_view key, std::string_view value) { return raw(key, json_quoted(value)); }

ScriptJson& ScriptJson::raw(std::string_view key, std::string_view value) {
  begin_member(key);
  out_ += value;
  return *this;
}

}  // namespace tv
