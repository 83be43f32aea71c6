// Decides which repeated ranges are the iterations of a program: steps, iterations, forward passes of an engine. Charts of pace
// and the numbering of steps use it. The kinds of ranges, the most certain first:
//
//   ProfilerStep#6                                a step that torch.profiler marked
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

/// The kinds of ranges. A smaller value is more certain.
enum class IterationMark : std::uint8_t { ProfilerStep, Step, Range, Part, None /* not a range */ };
IterationMark iteration_mark(std::string_view category, std::string_view name);

/// Whether a text is a word for steps: "globalstep". It must be in lower case, with only letters and digits and no number at the
/// end.
bool is_step_word(std::string_view letters);

/// One name for all steps of an inference engine, whatever they contain: "step[...]" for "step[DECODE bs=32]". Empty for other
/// names.
std::string_view engine_steps(std::string_view category, std::string_view name);

/// The name that all repetitions have in common: without a number at the end ("ProfilerStep#" for "ProfilerStep#6", "iteration"
/// for "iteration 12"), and without the sizes that engines write into names. Other names are returned unchanged.
std::string_view repeated_name(std::string_view name);

}  // namespace tv
