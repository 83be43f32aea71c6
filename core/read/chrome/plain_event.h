// Reads records of plain JSON in one pass: ASCII without escapes, a string where the format wants one. Nearly all records of nearly
// all traces are plain. Others are left to simdjson (trace_event.h), which also says what is wrong with them. A
// record that is read here is one that simdjson reads too, and to the same fields (tests/read/plain_event_test.cpp).
//
// Why not simdjson alone: it first lists every bracket, comma and string of the text, and most of them are in args that are not
// needed now. This interprets a chunk 1.2 to 1.3 times as fast (tests/bench/bench_events.cpp), and loads a trace with a fifth less
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
