// A field of a CSV file (RFC 4180). Spreadsheets take text that begins with one of = + - @ for a formula and calculate it; text from
// a trace is only text, so an apostrophe goes before it (OWASP, CSV injection). Numbers stay numbers.
#pragma once

#include <string>
#include <string_view>

namespace tv {

bool looks_like_formula(std::string_view text);
/// Quoted where it must be.
void append_csv_field(std::string& out, std::string_view text);
std::string csv_field(std::string_view text);

}  // namespace tv
