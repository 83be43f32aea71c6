// A field of a CSV file (RFC 4180). Spreadsheets evaluate text that begins with = + - @, a tab or a carriage return as a formula,
// so such text gets an apostrophe in front (OWASP, CSV injection). Numbers stay numbers.
#pragma once

#include <string>
#include <string_view>

namespace tv {

bool looks_like_formula(std::string_view text);
/// Quoted only if necessary.
void append_csv_field(std::string& out, std::string_view text);
std::string csv_field(std::string_view text);

}  // namespace tv
