#include "core/read/chrome/trace_event.h"

#include <charconv>
#include <cstring>

#include "core/read/json/json_scan.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;

// The text of a scalar: the content of a string, or else the token without blanks after it. Empty for objects and arrays.
std::string_view scalar_text(ondemand::value value) {
  if (std::string_view text; value.get_string().get(text) == simdjson::SUCCESS) return text;
  std::string_view token = value.raw_json_token();
  while (!token.empty() && is_blank(token.back())) token.remove_suffix(1);
  if (token.empty() || token.front() == '{' || token.front() == '[') return {};
  if (token == "null") return {};
  if (token.front() == '"' && token.size() >= 2) return token.substr(1, token.size() - 2);
  return token;
}

// Whether a bracket or a key stands in place of the value. simdjson does not always report this: in a value that is never read, it
// looks only at brackets, and the result depends on what follows.
bool is_value_missing(ondemand::value value) {
  constexpr std::string_view kBetweenValues = "}],:";
  const std::string_view token = value.raw_json_token();
  if (token.empty() || kBetweenValues.find(token.front()) != std::string_view::npos) return true;
  return token.front() == '"' && token.data()[token.size()] == ':';  // safe to read, because the text is padded
}

bool is_true(ondemand::value value) {
  const std::string_view token = value.raw_json_token();
  return token.starts_with("true");
}

simdjson::error_code read_id2(ondemand::value value, TraceEvent& event) {
  ondemand::object ids;
  if (value.get_object().get(ids) != simdjson::SUCCESS) return simdjson::SUCCESS;
  for (auto field : ids) {
    std::string_view key;
    if (const auto code = field.unescaped_key().get(key)) return code;
    ondemand::value id;
    if (const auto code = field.value().get(id)) return code;
    if (is_value_missing(id)) return simdjson::TAPE_ERROR;
    if (key != "local" && key != "global") continue;
    event.id = scalar_text(id);
    event.has_id = true;
    event.id_is_local = key == "local";
  }
  return simdjson::SUCCESS;
}

// The unescaped text of a string, or else the token; empty for objects and arrays.
simdjson::error_code read_text(ondemand::value value, std::string_view& into) {
  const auto code = value.get_string().get(into);
  if (code != simdjson::INCORRECT_TYPE) return code;
  into = scalar_text(value);
  return simdjson::SUCCESS;
}

char first_letter(ondemand::value value, char otherwise) {
  std::string_view text;
  if (value.get_string().get(text)) text = scalar_text(value);
  return text.empty() ? otherwise : text.front();
}

// Keys are plain words, so comparing the raw text avoids unescaping it, and the first letter avoids most comparisons. `word`
// includes the closing quote; the bytes after the text are readable.
template <std::size_t n>
bool is(ondemand::raw_json_string key, const char (&word)[n]) {
  return std::memcmp(key.raw(), word, n - 1) == 0;
}

simdjson::error_code read_field(ondemand::raw_json_string key, ondemand::value value, TraceEvent& event) {
  switch (key.raw()[0]) {
    case 'a':
      if (is(key, "args\"")) event.args = std::string_view(value.raw_json_token()).data();
      break;
    case 'b':
      if (is(key, "bp\"")) event.bind_point = first_letter(value, '\0');
      if (is(key, "bind_id\"")) event.bind_id = scalar_text(value);
      break;
    case 'c':
      if (is(key, "cat\"")) {
        const auto code = value.get_string().get(event.category);
        if (code && code != simdjson::INCORRECT_TYPE) return code;
      }
      break;
    case 'd':
      if (is(key, "dur\"")) event.dur = scalar_text(value);
      break;
    case 'f':
      if (is(key, "flow_in\"")) event.flow_in = is_true(value);
      if (is(key, "flow_out\"")) event.flow_out = is_true(value);
      break;
    case 'i':
      if (is(key, "id2\"")) return read_id2(value, event);
      if (is(key, "id\"")) {
        event.id = scalar_text(value);
        event.has_id = true;
      }
      break;
    case 'n':
      if (is(key, "name\"")) return read_text(value, event.name);
      break;
    case 'p':
      if (is(key, "ph\"")) event.phase = first_letter(value, '\0');
      if (is(key, "pid\"")) event.pid = scalar_text(value);
      break;
    case 's':
      if (is(key, "s\"")) event.instant_scope = first_letter(value, 't');
      if (is(key, "scope\"")) event.scope = scalar_text(value);
      break;
    case 't':
      if (is(key, "ts\"")) event.ts = scalar_text(value);
      if (is(key, "tid\"")) event.tid = scalar_text(value);
      if (is(key, "traceview\"")) event.mark = scalar_text(value);
      break;
    default: break;
  }
  return simdjson::SUCCESS;
}

}  // namespace

simdjson::error_code read_trace_event(ondemand::object object, TraceEvent& event) {
  for (auto field : object) {
    event.any_field = true;
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    if (is_value_missing(value)) return simdjson::TAPE_ERROR;
    if (const auto code = read_field(key, value, event)) return code;
  }
  return simdjson::SUCCESS;
}

bool contains_event(const TraceEvent& event) {
  const std::size_t first = event.phase == '\0' ? 0 : event.record.find(R"("ph")") + 1;  // npos + 1 is 0
  return event.record.find(R"("ph")", first) != event.record.npos;
}

std::string_view normal_id(std::string_view token, std::string& buffer) {
  const bool negative = token.starts_with('-');
  std::string_view digits = token.substr(negative ? 1 : 0);
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') return token;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (hex) digits.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
  if (code != std::errc()) return token;
  std::string_view rest(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
  // "12.0" and "12.": an integral float. "12.5" and "12a" are names.
  if (rest.starts_with('.') && rest.find_first_not_of('0', 1) == std::string_view::npos) rest = {};
  if (!rest.empty()) return token;
  const bool plain = !hex && end == token.data() + token.size() && (digits.size() == 1 || digits.front() != '0');
  if (plain) return token;
  buffer = (negative ? "-" : "") + std::to_string(number);
  return buffer;
}

std::string_view normal_pid(std::string_view token, std::string_view absent, std::string& buffer) {
  if (token.empty()) return absent;
  const std::size_t digits = token.find_first_not_of("-0123456789");
  const bool fraction = digits != std::string_view::npos && digits > 0 && token[digits] == '.' &&
                        token.find_first_not_of("0123456789", digits + 1) == std::string_view::npos;
  return normal_id(fraction ? token.substr(0, digits) : token, buffer);
}

}  // namespace tv
