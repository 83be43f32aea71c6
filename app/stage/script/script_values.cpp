#include "app/stage/script/script_values.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>

namespace tv {

std::optional<std::string> ScriptValues::text_of(const std::string& text) const {
  if (text.find('$') == std::string::npos) return text;
  if (const auto whole = values_.find(text.substr(1)); text[0] == '$' && whole != values_.end()) {
    return whole->second.is_string() ? whole->second.get<std::string>() : whole->second.dump();
  }
  const auto result = sum(text);
  return result ? std::optional(fmt::format("{:.17g}", *result)) : std::nullopt;
}

std::optional<double> ScriptValues::sum(const std::string& text) const {
  double result = 0;
  char op = '+';
  for (std::size_t at = 0;;) {
    double term = 0;
    if (at < text.size() && text[at] == '$') {
      const std::size_t begin = ++at;
      while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
      const auto value = values_.find(text.substr(begin, at - begin));
      if (value == values_.end() || !value->second.is_number()) return std::nullopt;
      term = value->second.get<double>();
    } else {
      char* end = nullptr;
      term = std::strtod(text.c_str() + at, &end);
      const auto after = static_cast<std::size_t>(end - text.c_str());
      if (after == at) return std::nullopt;
      at = after;
    }
    result = op == '+' ? result + term : op == '-' ? result - term : op == '*' ? result * term : result / term;
    if (at == text.size()) return result;
    op = text[at++];
    if (op != '+' && op != '-' && op != '*' && op != '/') return std::nullopt;
  }
}

}  // namespace tv
