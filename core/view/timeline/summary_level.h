// Chooses the level of stacks that colours a folded lane. The outermost level is often one slice (the program) or its steps, which
// gives a bar of one colour. So we take the first level with more detail.
//
//   row 0   main ────────────────────────────       one slice for nearly all of it: not this
//   row 1   ProfilerStep#1 ──── ProfilerStep#2 ──   steps: not this
//   row 2   forward ─ backward ─ forward ─ backw     this
//
// A level is skipped if its longest slice is at least a sixteenth of it or a step, and the next level covers at least half of the
// outermost one. Lanes with packed slots have no levels: 0. Cost: a few nodes per row; nothing is cached.
#pragma once

#include <cstdint>

#include "core/index/trace_index.h"

namespace tv {

std::uint32_t summary_level(const Trace& trace, const TraceIndex& index, LaneId lane);

}  // namespace tv
