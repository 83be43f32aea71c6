#include "core/view/color/phase_colors.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/view/color/chart_palette.h"

namespace tv {
namespace {

struct PhaseColor {
  std::string_view name;
  int color;
};

// Phases that occur in one chart differ; the same work has the same colour whatever program logs it.
constexpr PhaseColor kPhases[] = {
    // verl, timing_s/
    {"gen", 0},
    {"wait for samples", kWaitingColor},
    {"generate_async", 0},
    {"generate_sequences", 4},
    {"reward", 3},
    {"old_log_prob", 1},
    {"ref", 6},
    {"values", 12},
    {"adv", 8},
    {"update_critic", 5},
    {"update_actor", 2},
    {"update_critic_actor", 2},
    {"update_weights", 7},
    {"testing", 10},
    {"save_checkpoint", 11},
    // verl, workers of a rollout
    {"preprocessing_duration", 4},
    {"async_generate_duration", 0},
    {"sorting_duration", 6},
    {"barrier_wait_duration", kWaitingColor},
    {"broadcast_duration", 1},
    {"data_extraction_duration", 3},
    {"padding_duration", 2},
    {"concatenation_duration", 5},
    {"batch_construction_duration", 7},
    {"cache_flush_duration", 8},
    {"final_construction_duration", 10},
    {"total_step_duration", 11},
    // Megatron-LM
    {"forward-backward", 12},
    {"forward", 0},
    {"backward", 2},
    {"forward-compute", 0},
    {"forward-recv", 4},
    {"forward-send", 7},
    {"backward-compute", 2},
    {"backward-recv", 6},
    {"backward-send", 8},
    {"backward-send-forward-recv", 3},
    {"forward-send-backward-recv", 10},
    {"backward-params-all-reduce", 1},
    {"backward-embedding-all-reduce", 5},
    {"all-grads-sync", 1},
    {"layernorm-grads-all-reduce", 11},
    {"embedding-grads-all-reduce", 5},
    {"optimizer", 15},
    {"params-all-gather", 14},
};

constexpr int kUnknownFrom = 16;  // from here on: colours that no phase of the table has

constexpr PhaseColor kCategories[] = {
    {"engine", 0}, {"tool", 1}, {"reward", 3}, {"turn", 4}, {"wait", kWaitingColor},
};

std::optional<int> find(std::span<const PhaseColor> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &PhaseColor::name);
  return found == table.end() ? std::nullopt : std::optional(found->color);
}

int distinct(int color) { return color < 0 ? color : color % kChartColors; }

}  // namespace

std::optional<int> known_phase_color(std::string_view logged) { return find(kPhases, logged); }

int color_of_phase(std::string_view logged) {
  if (const auto known = known_phase_color(logged)) return *known;
  unsigned hash = 7;
  for (const char c : logged) hash = hash * 31 + static_cast<unsigned char>(c);
  return kUnknownFrom + static_cast<int>(hash % (kChartColors - kUnknownFrom));
}

std::optional<int> category_color(std::string_view category) { return find(kCategories, category); }

void tell_apart(Chart& chart) {
  std::array<bool, kChartColors> wanted{}, taken{};
  for (const ChartSeries& series : chart.series) {
    if (series.color >= 0) wanted[static_cast<std::size_t>(distinct(series.color))] = true;
  }
  int was = 0, is = 0;  // wanted and assigned colour of the last named series
  bool moved = false;
  for (ChartSeries& series : chart.series) {
    if (series.color < 0) continue;
    if (series.name.empty()) {
      if (moved && series.color == was) series.color = is;
      continue;
    }
    was = is = series.color;
    const auto at = static_cast<std::size_t>(distinct(series.color));
    moved = taken[at];
    if (moved) {
      std::size_t free = 0;
      while (free < wanted.size() && (wanted[free] || taken[free])) ++free;
      if (free == wanted.size()) continue;  // more series than colours
      series.color = is = static_cast<int>(free);
      taken[free] = true;
    }
    taken[at] = true;
  }
}

}  // namespace tv
