#include "core/base/text/csv_text.h"

#include "core/base/text/ascii.h"

namespace tv {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return whole_decimal(text).has_value();
}

}  // namespace

bool looks_like_formula(std::string_view text) {
  constexpr std::string_view kBegins = "=+-@\t\r";
  return !text.empty() && kBegins.find(text.front()) != std::string_view::npos && !is_number(text);
}

void append_csv_field(std::string& out, std::string_view text) {
  const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (quoted) out += '"';
  if (looks_like_formula(text)) out += '\'';
  if (!quoted) {
    out += text;
    return;
  }
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string csv_field(std::string_view text) {
  std::string out;
  append_csv_field(out, text);
  return out;
}

}  // namespace tv
