// One record of the Trace Event Format: fields extracted from the JSON but not yet interpreted.
// Source: Trace Event Format.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

namespace tv {

/// Views into the parsed text (or the parser's string buffer): valid until the parser goes on to the next document.
struct TraceEvent {
  char phase = '\0';       ///< first character of "ph"
  char instant_scope = 't';
  char bind_point = '\0';  ///< first character of "bp"
  bool any_field = false;
  bool flow_in = false, flow_out = false, id_is_local = false;
  std::string_view name, category;
  std::string_view ts, dur;   ///< number text without quotes; empty if absent
  std::string_view pid, tid;  ///< any text, also an empty one; data() is null if the field is missing
  bool has_id = false;
  std::string_view id, bind_id, scope;
  std::string_view mark;       ///< for a slice that traceview wrote (exported_lane.h)
  const char* args = nullptr;  ///< begin of the args' value in the text
  const char* args_end = nullptr;  ///< its end, if known
  std::string_view record;     ///< the whole record, from its '{' to its '}', or to the blanks behind it
};

/// Reads the fields of one object. Errors are those of the JSON; odd values are left to the interpreter.
simdjson::error_code read_trace_event(simdjson::ondemand::object object, TraceEvent& event);

/// Whether a key is missing that almost all events have.
inline bool lacks_key(const TraceEvent& event) { return event.phase == '\0' || !event.pid.data() || event.ts.empty(); }
/// Whether its text contains another event: one that was cut off can seem to contain the next.
bool contains_event(const TraceEvent& event);

/// A flow or async id in one spelling: numeric strings, hex and integral floats as decimal numbers, anything else unchanged.
/// `buffer` holds the result if it had to be built.
std::string_view normal_id(std::string_view token, std::string& buffer);

/// The same for a process or thread id: a missing one is `absent`, a fraction is cut off.
std::string_view normal_pid(std::string_view token, std::string_view absent, std::string& buffer);

}  // namespace tv
