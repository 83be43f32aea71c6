// Which repeated ranges are the program's iterations: a step, an iteration, a forward pass of an engine. One table, ordered by
// certainty; charts of pace and the numbering of steps use it.
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

/// The name of a step in PyTorch's profiler, before its number.
inline constexpr std::string_view kProfilerStep = "ProfilerStep#";

/// Smaller is more certain.
enum class IterationMark : std::uint8_t { ProfilerStep, Step, Range, Part, None /* not a range */ };
IterationMark iteration_mark(std::string_view category, std::string_view name);

/// Whether the letters and digits of a name, in lower case and without a trailing number, are a word for steps: "globalstep".
bool is_step_word(std::string_view letters);

/// The name under which an inference engine's steps are counted, whatever they contain: "step[...]" for "step[DECODE bs=32]", or
/// "".
std::string_view engine_steps(std::string_view category, std::string_view name);

/// The common name of all repetitions: without a trailing number ("ProfilerStep#" for "ProfilerStep#6", "iteration" for "iteration
/// 12"), and without sizes that engines write into the name. The name itself otherwise.
std::string_view repeated_name(std::string_view name);

}  // namespace tv
