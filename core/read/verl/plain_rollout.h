// Reads lines of plain JSON of a verl rollout log in one pass. Nearly all lines are plain (plain_json.h). Others are left to
// simdjson (rollout_line.h), which finds the same fields in a line that is read here (tests/read/plain_rollout_test.cpp). Source:
// rollout logs.
//
// simdjson alone is slower: lines are short, and simdjson's preparation, even for many lines at once, takes longer than reading
// them. This reader loads a log of 3 GB with a sixth less processor time.
#pragma once

#include "core/read/verl/rollout_line.h"

namespace tv {

/// Reads the line at `at`, in a text that ends at `end` and meets the requirements of plain_json.h. Returns one past the newline,
/// or nullptr if the line is not plain or has no newline; `line` is then partly filled. Call line.clear() before.
const char* read_plain_rollout(const char* at, const char* end, RolloutLine& line);

}  // namespace tv
