// A record of the Trace Event Format. Its fields are extracted from the JSON, but not yet interpreted.
// Source: Trace Event Format.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

namespace tv {

/// The texts are views into the parsed text or the parser's string buffer. They are valid until the parser begins another document.
struct TraceEvent {
  char phase = '\0';       ///< first character of "ph"
  char instant_scope = 't';
  char bind_point = '\0';  ///< first character of "bp"
  bool any_field = false;  ///< the object is not empty
  bool flow_in = false, flow_out = false, id_is_local = false;
  std::string_view name, category;
  std::string_view ts, dur;   ///< number text without quotes; empty if absent
  std::string_view pid, tid;  ///< any text, even an empty one; data() is null if it is missing, null, an object or an array
  bool has_id = false;
  std::string_view id, bind_id, scope;
  std::string_view mark;           ///< the mark that traceview's export gives a slice, such as "unfinished" (exported_lane.h)
  const char* args = nullptr;      ///< where the value of "args" begins in the text
  const char* args_end = nullptr;  ///< where it ends, if known
  std::string_view record;         ///< the whole record, from '{' to '}'; blanks may follow
};

/// Reads the fields of one object. Fails only if the JSON is wrong; the interpreter checks the values.
simdjson::error_code read_trace_event(simdjson::ondemand::object object, TraceEvent& event);

/// Whether the event lacks a key that almost all events have.
inline bool lacks_key(const TraceEvent& event) { return event.phase == '\0' || !event.pid.data() || event.ts.empty(); }
/// Whether the record's text contains another event. If a record was cut off, the next one can seem to be part of it.
bool contains_event(const TraceEvent& event);

/// Normalises a flow or async id: numeric strings, hex and integral floats become decimal numbers, anything else is unchanged.
/// `buffer` stores the result if it is not `token` itself.
std::string_view normal_id(std::string_view token, std::string& buffer);

/// Normalises a process or thread id in the same way, without its fraction. If the id is missing or empty, returns `absent`.
std::string_view normal_pid(std::string_view token, std::string_view absent, std::string& buffer);

}  // namespace tv
