#include "core/view/lanes/drop_targets.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tv {
namespace {

constexpr float kGap = 16, kEdge = 40, kHighest = 220, kNarrow = 560;

float distance_to(const DropTarget& target, float x, float y) {
  const float dx = std::max({target.x - x, 0.0f, x - target.x - target.width});
  const float dy = std::max({target.y - y, 0.0f, y - target.y - target.height});
  return dx * dx + dy * dy;
}

}  // namespace

std::vector<DropTarget> drop_targets(float width, float height, float scale, std::string_view open) {
  const float edge = std::min(kEdge * scale, width / 10), gap = kGap * scale;
  const float inner = std::max(1.0f, width - 2 * edge);
  const float most = std::max(1.0f, height - 2 * std::min(kEdge * scale, height / 10));
  if (open.empty()) {
    const float high = std::min(kHighest * scale, most);
    return {{OpenHow::Replace, edge, (height - high) / 2, inner, high, "Open", "traces, logs, folders"}};
  }
  const std::string now(open);
  std::vector<DropTarget> targets = {
      {OpenHow::Replace, 0, 0, 0, 0, "Replace", now + " is closed"},
      {OpenHow::Add, 0, 0, 0, 0, "Add beside", "on one timeline with " + now + " (Shift)"},
      {OpenHow::NewTab, 0, 0, 0, 0, "New tab", now + " stays as it is"},
  };
  const auto count = static_cast<float>(targets.size());
  const bool stacked = width < kNarrow * scale;
  const float wide = stacked ? inner : (inner - gap * (count - 1)) / count;
  const float high = stacked ? (most - gap * (count - 1)) / count : std::min(kHighest * scale, most);
  const float top = stacked ? (height - most) / 2 : (height - high) / 2;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto at = static_cast<float>(i);
    targets[i].x = edge + (stacked ? 0 : at * (wide + gap));
    targets[i].y = top + (stacked ? at * (high + gap) : 0);
    targets[i].width = std::max(1.0f, wide);
    targets[i].height = std::max(1.0f, high);
  }
  return targets;
}

std::size_t drop_target_at(const std::vector<DropTarget>& targets, float x, float y, bool shift) {
  std::size_t best = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (shift && targets[i].how == OpenHow::Add) return i;
    if (const float distance = distance_to(targets[i], x, y); distance < least) {
      best = i;
      least = distance;
    }
  }
  return best;
}

}  // namespace tv
