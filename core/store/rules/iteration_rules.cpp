#include "core/store/rules/iteration_rules.h"

#include <algorithm>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/wildcard.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

struct NamedStep {
  std::string_view pattern, name, steps;
};
// The steps of engines that write the contents of a step into its name. Source: sglang scheduler_profiler_mixin, "step[DECODE
// bs=32 ...]"; vllm v1/worker/gpu_worker.py, "execute_32_context_0(...)_generation_32(...)".
constexpr NamedStep kNamedSteps[] = {
    {"step[EXTEND*", "step[EXTEND]", "step[...]"},
    {"step[DECODE*", "step[DECODE]", "step[...]"},
    {"step[*", "step", "step[...]"},
    {"execute_*_context_*", "execute_context_generation", "execute_context_generation"},
    {"execute_context_*", "execute_context_generation", "execute_context_generation"},
};

// Names of steps in programs, in lower case without a trailing number. Source: verl, Megatron-LM, Lightning, mmcv, DeepSpeed,
// NVIDIA's DeepLearningExamples, Paddle's profiler ("ProfileStep") and its tool.
constexpr std::string_view kStepWords[] = {"step",        "globalstep", "trainstep",      "trainingstep",
                                           "profilestep", "iteration",  "trainiteration", "iter",
                                           "batch",       "trainbatch", "runbatch"};

// Ranges that libraries mark: parts of a step, some of which come several times per step. (Optimizer.step comes once.) Source:
// torch.optim.Optimizer, torch.utils.data.dataloader, torch.nn.parallel.distributed, torch._inductor,
// torch.autograd.profiler.emit_nvtx (operators).
constexpr std::string_view kParts[] = {"Optimizer.zero*",
                                       "enumerate(DataLoader)*",
                                       "DistributedDataParallel.*",
                                       "## Call Compiled*",
                                       "aten::*",
                                       "autograd::*",
                                       "torch::*",
                                       "torch.*",
                                       "detectron2::*",
                                       "prim::*",
                                       "cuda*",
                                       "Torch-Compiled Region*"};

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    const char lower = to_lower(c);
    if ((lower >= 'a' && lower <= 'z') || is_digit(c)) letters += lower;
  }
  return letters;
}

const NamedStep* named_step(std::string_view name) {
  if (name.empty() || (name.front() != 's' && name.front() != 'e')) return nullptr;
  const auto* step =
      std::ranges::find_if(kNamedSteps, [name](const NamedStep& s) { return matches_wildcard(s.pattern, name); });
  return step == std::end(kNamedSteps) ? nullptr : step;
}

}  // namespace

IterationMark iteration_mark(std::string_view category, std::string_view name) {
  const CategoryKind kind = category_kind(category);
  const bool range = kind == CategoryKind::Ranges || kind == CategoryKind::Projected;
  // Kineto of 2021 used the category "Operator" for profiler steps.
  if (name.starts_with(kProfilerStep) && (range || kind == CategoryKind::Other || kind == CategoryKind::Host)) return IterationMark::ProfilerStep;
  if (!range) return IterationMark::None;
  if (named_step(name)) return IterationMark::Step;
  if (is_step_word(letters_of(repeated_name(name)))) return IterationMark::Step;
  const auto is_part = [name](std::string_view part) { return matches_wildcard(part, name); };
  if (std::ranges::any_of(kParts, is_part) || !cpu_communication(category, name).empty()) return IterationMark::Part;
  return IterationMark::Range;
}

bool is_step_word(std::string_view letters) {
  return std::ranges::find(kStepWords, letters) != std::end(kStepWords);
}

std::string_view engine_steps(std::string_view category, std::string_view name) {
  const CategoryKind kind = category_kind(category);
  if (kind != CategoryKind::Ranges && kind != CategoryKind::Projected) return {};
  const NamedStep* const step = named_step(name);
  return step ? step->steps : std::string_view();
}

std::string_view repeated_name(std::string_view name) {
  if (const NamedStep* step = named_step(name)) return step->name;
  std::size_t size = name.size();
  while (size > 0 && is_digit(name[size - 1])) --size;
  if (size == name.size()) return name;
  constexpr std::string_view kJoints = " _-:=";
  while (size > 0 && kJoints.find(name[size - 1]) != std::string_view::npos) --size;
  return size == 0 ? name : name.substr(0, size);
}

}  // namespace tv
