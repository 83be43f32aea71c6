// The colour of work by its name in a log, as a number of the chart palette: the same on the timeline and in every chart. Known
// work is in one table; other work gets a colour by a hash of its name. Two series of a chart may thus have the same colour;
// tell_apart() then changes one of them. Cost: a few comparisons of text. Sources: rollout logs, verl's scripts, names in
// verl_metrics.cpp and verl_events.cpp; Megatron-LM, megatron/training/training.py and core/pipeline_parallel/schedules.py; Paddle
// for jobs of pipelines.
#pragma once

#include <optional>
#include <string_view>

#include "core/view/chart/chart.h"

namespace tv {

inline constexpr int kWaitingColor = 9;  ///< grey, and hatched where possible

/// Jobs of a pipeline.
inline constexpr int kForwardColor = 2, kBackwardColor = 0, kBackwardInputColor = 4, kBackwardWeightsColor = 7,
                     kTransferColor = 5, kOptimizerColor = 6, kLearningRateColor = 8;

/// The colour of "gen", "async_generate_duration", "forward-compute"; none: the name is not in the table.
std::optional<int> known_phase_color(std::string_view logged);
/// The same; unknown names get a colour too.
int color_of_phase(std::string_view logged);

/// The colour of slices of a category, whatever their name: "engine", "tool", "wait" ... of the verl reader.
std::optional<int> category_color(std::string_view category);

/// A named series with the colour of an earlier named one gets an unused colour; an unnamed series with the colour of the named
/// series before it gets the same one. Numbers with the same palette colour count as equal.
void tell_apart(Chart& chart);

}  // namespace tv
