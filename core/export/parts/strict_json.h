// Checks that a text is JSON that every parser accepts. Exports copy records verbatim, and other programs must be able to read
// them. So they must not have faults that only our readers tolerate: bare words, raw control characters, invalid UTF-8, numbers
// like 007. Escaped surrogates are faults too, because Perfetto stops at them (source: Trace Event Format). Cost: about 1 GB/s.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace tv {

/// The length of the value at the beginning of the text; 0 if there is no strict value or the text ends within it.
std::size_t strict_json_length(std::string_view text);

/// Calls visit(key, value) for each member of the object at the beginning of the text. Keys and values are as written, with their
/// quotes. Returns false if the object is not strict JSON; the caller must then discard what it was given.
template <class Visit>
bool visit_strict_object(std::string_view text, Visit visit);

namespace strict_json {

/// The position after the blanks, the string with its quotes, or the value at `at`; nullptr if there is no such string or value.
/// `end`: end of the text.
const char* past_blanks(const char* at, const char* end);
const char* past_string(const char* at, const char* end);
const char* past_value(const char* at, const char* end, int depth);

}  // namespace strict_json

template <class Visit>
bool visit_strict_object(std::string_view text, Visit visit) {
  namespace sj = strict_json;
  const char *at = text.data(), *const end = at + text.size();
  if (text.empty() || *at != '{') return false;
  at = sj::past_blanks(at + 1, end);
  if (at < end && *at == '}') return true;
  while (at < end) {
    const char* const key = at;
    if (!(at = sj::past_string(at, end))) return false;
    const std::string_view key_text(key, static_cast<std::size_t>(at - key));
    at = sj::past_blanks(at, end);
    if (at == end || *at != ':') return false;
    const char* const value = at = sj::past_blanks(at + 1, end);
    if (!(at = sj::past_value(at, end, 0))) return false;
    visit(key_text, std::string_view(value, static_cast<std::size_t>(at - value)));
    at = sj::past_blanks(at, end);
    if (at == end) return false;
    if (*at == '}') return true;
    if (*at != ',') return false;
    at = sj::past_blanks(at + 1, end);
  }
  return false;
}

}  // namespace tv
