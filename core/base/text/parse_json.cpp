#include "core/base/text/parse_json.h"

namespace tv {
namespace {

// In text that is no JSON the result has no meaning, because such text is refused anyway.
bool nests_too_deep(std::string_view text) {
  int open = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') ++open;
    if (c == '}' || c == ']') --open;
    if (open > kDeepestJson) return true;
  }
  return false;
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  if (nests_too_deep(text)) return nlohmann::json(nlohmann::json::value_t::discarded);
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace tv
