// By which level of its stacks a folded lane is coloured. The outermost is often one slice, the program or its steps, and a bar of
// one colour: the level is the first on which more can be told apart.
//
//   row 0   main ────────────────────────────       one slice for nearly all of it: not this
//   row 1   ProfilerStep#1 ──── ProfilerStep#2 ──   steps: not this
//   row 2   forward ─ backward ─ forward ─ backw     this
//
// A level is passed over while one slice is a good part of it, or it is steps, and the next one covers most of it.
// Lanes whose slots are packed have no levels: 0. Cost: a few nodes per row; nothing is kept.
#pragma once

#include <cstdint>

#include "core/index/trace_index.h"

namespace tv {

std::uint32_t summary_level(const Trace& trace, const TraceIndex& index, LaneId lane);

}  // namespace tv
