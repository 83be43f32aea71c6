// Reads lines of plain JSON of a verl rollout log in one pass, which nearly all of them are. What is not so is left to simdjson
// (rollout_line.h): a line that is read here is one that simdjson reads too, and to the same fields
// (tests/read/plain_rollout_test.cpp). Source: rollout logs.
//
// Why not simdjson alone: lines are short, and what it prepares for each, or for many of them that were put together, takes
// longer than reading it. A log of 3 GB is loaded with a sixth less processor time.
#pragma once

#include "core/read/verl/rollout_line.h"

namespace tv {

/// Reads the line at `at` of a text that ends at `end` as plain_json.h wants it. Returns one past its newline, or nullptr when it
/// is not plain or has none; `line` is then half filled. It must be clear before.
const char* read_plain_rollout(const char* at, const char* end, RolloutLine& line);

}  // namespace tv
