// Which repeated ranges are the program's iterations: a step, an iteration, a forward of an engine. One
// table, with how sure it is; charts of pace choose by it, and so does code that numbers steps.
//
//   ProfilerStep#6                                torch.profiler marked it itself
//   iteration 12, step[DECODE bs=32]              a step by its name
//   ## forward ##                                 any other range of the program
//   nccl:all_reduce, aten::to                     a part of a step, marked by a library
//
// Cost: a few comparisons per label. Source: iteration_rules.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace tv {

/// Smaller is surer.
enum class IterationMark : std::uint8_t { ProfilerStep, Step, Range, Part, None /* not a range */ };
IterationMark iteration_mark(std::string_view category, std::string_view name);

/// Whether letters and digits of a name, small and without the number at its end, are what programs call a step: "globalstep".
bool is_step_word(std::string_view letters);

/// The name under which an inference engine's steps are counted, whatever is in them: "step[...]" for "step[DECODE bs=32]", or "".
std::string_view engine_steps(std::string_view category, std::string_view name);

/// The common name of all turns of one thing: without a number at the end ("ProfilerStep#" of "ProfilerStep#6",
/// "iteration" of "iteration 12"), and for engines that write sizes into the name without those. Its own name otherwise.
std::string_view repeated_name(std::string_view name);

}  // namespace tv
