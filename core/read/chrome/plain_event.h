// Reads records of plain JSON in one pass. Plain means ASCII without escapes, with strings where the format wants strings. Nearly
// all records of nearly all traces are plain. Others are left to simdjson (trace_event.h), which also reports what is wrong with
// them. simdjson accepts every record that this reader reads, and finds the same fields (tests/read/plain_event_test.cpp).
//
// simdjson alone is slower: it first lists every bracket, comma and string of the text, most of which are in args that are not
// needed yet. This reader interprets a chunk 1.2 to 1.3 times as fast (tests/bench/bench_events.cpp), and loads a trace with a
// fifth less processor time.
#pragma once

#include "core/read/chrome/trace_event.h"

namespace tv {

/// Reads the record whose '{' is at `at`, in a text that ends at `end` and meets the requirements of plain_json.h. Returns one
/// past the record's '}', or nullptr if the record is not plain; the event is then partly filled. Does not set
/// TraceEvent::record.
const char* read_plain_event(const char* at, const char* end, TraceEvent& event);

/// Skips the comma between two records and the blanks around it, in such a text. Returns the position of the next '{', or `end`
/// if the text ends, or nullptr if anything else follows.
const char* next_plain_record(const char* at, const char* end);

}  // namespace tv
