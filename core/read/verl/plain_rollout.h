// Reads lines of plain JSON of a verl rollout log in one pass. Nearly all lines are plain. Others are left to simdjson
// (rollout_line.h). A line that is read here gives the same fields as with simdjson
// (tests/read/plain_rollout_test.cpp). Source: rollout logs.
//
// Why not simdjson alone: lines are short, and its preparation, even for many lines at once, takes longer than reading them. This
// reader loads a log of 3 GB with a sixth less processor time.
#pragma once

#include "core/read/verl/rollout_line.h"

namespace tv {

/// Reads the line at `at` of a text that ends at `end` and meets the requirements of plain_json.h. Returns one past its newline,
/// or nullptr if it is not plain or has no newline; `line` is then half filled. `line` must be cleared before.
const char* read_plain_rollout(const char* at, const char* end, RolloutLine& line);

}  // namespace tv
