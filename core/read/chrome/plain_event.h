// Reads records of plain JSON in one pass, which nearly all records of nearly all traces are: ASCII without escapes, a string
// where the format wants one. What is not so is left to simdjson (trace_event.h), which also says what is wrong with it: a
// record that is read here is one that simdjson reads too, and to the same fields (tests/read/plain_event_test.cpp).
//
// Why not simdjson alone: it first lists every bracket, comma and string of the text, and most of them are in args that nobody
// asks for now. A chunk is interpreted 1.2 to 1.3 times as fast (tests/bench/bench_events.cpp), a trace loaded with a fifth less
// processor time.
#pragma once

#include "core/read/chrome/trace_event.h"

namespace tv {

/// Reads the record at `at`, a '{', of a text that ends at `end` as plain_json.h wants it. Returns one past its '}', or nullptr
/// when it is not plain; the event is then half filled. Its `record` is not set.
const char* read_plain_event(const char* at, const char* end, TraceEvent& event);

/// Passes over the comma between two records and the blanks around it, in such a text: the next '{', `end`, or nullptr for
/// all else.
const char* next_plain_record(const char* at, const char* end);

}  // namespace tv
