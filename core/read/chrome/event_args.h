// Parses the args of metadata and counters, which are needed while reading. Args of slices stay text. Values are returned as
// text, strings without quotes. Objects and arrays are skipped.
// Cost: for_each_arg parses the args once; each thread keeps a parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <simdjson.h>

#include "core/base/memory/per_thread.h"
#include "core/read/chrome/trace_event.h"
#include "core/read/json/iterate_json.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/padded_text.h"

namespace tv {

/// Reads a number in the forms that counters use, including ".5", "5.", "+5" and "007". Nothing may follow it.
std::optional<double> counter_number(std::string_view text);

/// The sort index in the text; 0 if it is not a number. Clamped, because a file can have any number here.
std::int64_t sort_index_in(std::string_view text);

/// The text of the args, up to the end of the record if the end of the args is unknown.
inline std::string_view args_of(const TraceEvent& event) {
  if (!event.args) return {};
  const char* const end = event.args_end ? event.args_end : event.record.data() + event.record.size();
  return {event.args, static_cast<std::size_t>(end - event.args)};
}

/// Calls visit(key, text) for each member of the event's args with a scalar value.
template <class Visit>
void for_each_arg(const TraceEvent& event, Visit visit) {
  const std::string_view rest = args_of(event);
  if (rest.empty() || rest.front() != '{') return;
  const std::size_t length = json_value_length(rest);
  if (length == std::string_view::npos) return;
  struct Scratch {
    simdjson::ondemand::parser parser;
    PaddedText padded;
  };
  auto& [parser, padded] = per_thread<Scratch>();
  simdjson::ondemand::document document;
  simdjson::ondemand::object members;
  if (iterate_json(parser, padded.assign(rest.substr(0, length))).get(document) || document.get_object().get(members)) return;
  for (auto member : members) {
    std::string_view name, text;
    simdjson::ondemand::value value;
    if (member.unescaped_key().get(name) || member.value().get(value)) return;
    if (value.get_string().get(text)) {
      text = value.raw_json_token();
      while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
      if (text.empty() || text.front() == '{' || text.front() == '[') continue;
    }
    visit(name, text);
  }
}

}  // namespace tv
