#include "app/script_places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/decimal_ns.h"
#include "core/view/charts_training.h"

namespace tv {
namespace {

std::optional<ImVec2> place_of_step(HeadlessStage& stage, int number) {
  const RunState& state = stage.workspace().run();
  const StepStripPanel& strip = stage.interface().step_strip();
  const Rollout* const rollout = state.rollout();
  for (std::uint32_t s = 0; rollout && s < rollout->steps.size(); ++s) {
    if (rollout->steps[s].step == number) return strip.place_of(s);
  }
  if (const StepSource* const source = stage.workspace().step_source()) {
    const auto marked = std::ranges::find(source->steps, number, &StepRange::number);
    return marked == source->steps.end() ? std::nullopt : strip.place_of(static_cast<std::uint32_t>(marked - source->steps.begin()));
  }
  if (rollout || !state.training()) return std::nullopt;
  const auto step = run_in_question(*state.training(), state.question().settings).index_of(number);
  return step ? strip.place_of(*step) : std::nullopt;
}

}  // namespace

std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& slice_name) {
  Workspace& workspace = stage.workspace();
  const Trace& trace = workspace.trace();
  SliceId best = kNone<SliceId>;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (trace.labels.name(trace.slices.label[i]) != slice_name) continue;
    if (best == kNone<SliceId> || trace.slices.duration[i] > trace.slices.duration[idx(best)]) best = id_at<SliceId>(i);
  }
  if (best == kNone<SliceId>) return std::nullopt;
  const LaneId lane = trace.row(trace.row_of(best)).lane;
  if (!workspace.layout().shows(lane)) return std::nullopt;
  const Area lanes = stage.interface().lanes_area();
  const Viewport& view = workspace.view();
  const auto x_of = [&](Ns t) {
    return std::clamp((static_cast<double>(t) - view.begin) / view.span, 0.0, 1.0) * static_cast<double>(lanes.width);
  };
  const Ns begin = trace.slices.begin[idx(best)], end = begin + trace.slices.duration[idx(best)];
  const double x = (x_of(begin) + x_of(end)) / 2;
  const double y = workspace.layout().middle_of(trace, trace.row_of(best)) - std::floor(workspace.scroll_y());
  if (y < 0 || y >= static_cast<double>(lanes.height)) return std::nullopt;
  return ImVec2{lanes.x + static_cast<float>(x), lanes.y + static_cast<float>(y)};
}

Result<ImVec2> place_in_window(HeadlessStage& stage, std::span<const std::string> words) {
  const auto number = [&](std::size_t i) { return i < words.size() ? std::atof(words[i].c_str()) : 0.0; };
  if (words.size() < 2) return Error{"where to?", {}, {}, {}};
  std::optional<ImVec2> place;
  if (words[0] == "slice") {
    place = place_of_slice(stage, words[1]);
  } else if (words[0] == "tab") {
    place = stage.interface().place_of_tab(words[1]);
  } else if (words[0] == "name") {
    place = stage.interface().timeline().place_of_name(stage.workspace(), words[1]);
  } else if (words[0] == "item") {
    place = stage.interface().timeline().place_of_item(words[1]);
  } else if (words[0] == "box" && words.size() > 1) {
    place = stage.interface().timeline().place_of_area_box(stage.workspace(), words[1]);
  } else if (words[0] == "clocks") {
    place = stage.interface().clocks().place_of(words[1]);
  } else if (words[0] == "step") {
    place = place_of_step(stage, std::atoi(words[1].c_str()));
  } else if (words[0] == "chart") {
    place = stage.interface().charts().place_of(static_cast<std::size_t>(number(1)), number(2), number(3));
  } else if (words[0] == "ruler" || words[0] == "minimap") {
    // Part of the lanes' width; a third of the way up into the strip above them.
    const Area lanes = stage.interface().lanes_area();
    const float up = words[0] == "ruler" ? 8.0f : 38.0f;
    place = ImVec2{lanes.x + static_cast<float>(number(1)) * lanes.width, lanes.y - up * stage.interface().theme().scale};
  } else if (words[0] == "time") {
    const auto t = decimal_time(words[1]);
    const Area lanes = stage.interface().lanes_area();
    const Viewport& view = stage.workspace().view();
    if (!t) return Error{"not a time: " + words[1], {}, {}, {}};
    place = ImVec2{lanes.x + static_cast<float>((static_cast<double>(*t) - view.begin) / view.span) * lanes.width,
                   words.size() > 2 ? lanes.y + static_cast<float>(number(2)) * lanes.height : ImGui::GetIO().MousePos.y};
  } else {
    const Area lanes = stage.interface().lanes_area();
    place = ImVec2{lanes.x + static_cast<float>(number(0)) * lanes.width, lanes.y + static_cast<float>(number(1)) * lanes.height};
  }
  if (!place) return Error{"not on the screen: " + words[1], {}, {}, {}};
  return *place;
}

}  // namespace tv
