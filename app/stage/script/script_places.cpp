#include "app/stage/script/script_places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/text/decimal_ns.h"
#include "core/view/charts/training/charts_training.h"
#include "core/view/timeline/minimap.h"

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
    return marked == source->steps.end() ? std::nullopt
                                         : strip.place_of(static_cast<std::uint32_t>(marked - source->steps.begin()));
  }
  if (rollout || !state.training()) return std::nullopt;
  const auto step = run_in_question(*state.training(), state.question().settings).index_of(number);
  return step ? strip.place_of(*step) : std::nullopt;
}

std::optional<ImVec2> place_of_edge(HeadlessStage& stage, const std::string& which, float y) {
  const Workspace& workspace = stage.workspace();
  const auto& range = workspace.state().selection.range;
  if (!range || (which != "begin" && which != "end")) return std::nullopt;
  const Area lanes = stage.interface().lanes_area(stage.half());
  const Ns t = which == "begin" ? range->begin : range->end;
  const double part = (static_cast<double>(t) - workspace.state().view(stage.half()).begin) / workspace.state().view().span;
  if (part < 0 || part > 1) return std::nullopt;
  return ImVec2{lanes.x + static_cast<float>(part) * lanes.width, y};
}

std::optional<ImVec2> place_below_lanes(HeadlessStage& stage) {
  constexpr float kBelow = 40;  // leaves room for the line that counts lanes
  const Area lanes = stage.interface().lanes_area(stage.half());
  const auto y = static_cast<float>(stage.workspace().state().layout(stage.half()).height() - stage.workspace().state().scroll_y(stage.half())) + kBelow;
  if (y >= lanes.height) return std::nullopt;
  return ImVec2{lanes.x + lanes.width / 2, lanes.y + y};
}

// A place inside the strip (ruler or minimap). `where`: a share of the lanes' width, or an edge of the view on the minimap.
std::optional<ImVec2> place_above_lanes(HeadlessStage& stage, const std::string& strip, const std::string& where) {
  const Area lanes = stage.interface().lanes_area(stage.half());
  const Viewport view = stage.workspace().state().view(stage.half());
  float x = static_cast<float>(std::atof(where.c_str())) * lanes.width;
  if (strip == "minimap" && (where == "begin" || where == "end")) {
    const double t = where == "begin" ? view.begin : view.end();
    x = static_cast<float>(minimap_x(stage.workspace().trace(), t, static_cast<std::uint32_t>(lanes.width)));
  }
  const float up = strip == "ruler" ? 8.0f : 38.0f;
  return ImVec2{lanes.x + x, lanes.y - up * stage.interface().theme().scale};
}

// Some panels have shorter names in scripts.
const SidePanel* panel_named(HeadlessStage& stage, std::string_view word) {
  const std::string_view id = word == "stats" ? "statistics" : word == "found" ? "findings" : word == "files" || word == "problem" ? "problems" : word;
  return stage.interface().panels().others().find(id);
}

// Brings the panel's group into the bar if its tab is not there.
std::optional<ImVec2> place_of_tab(HeadlessStage& stage, const std::string& panel) {
  const PanelPlaces& panels = stage.interface().panels();
  if (const auto place = panels.place_of("tab " + panel)) return place;
  stage.workspace().panels().look_for(panel);
  stage.frames(1);
  return panels.place_of("tab " + panel);
}

}  // namespace

std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& slice_name, const std::string& lane_words) {
  Workspace& workspace = stage.workspace();
  const Trace& trace = workspace.trace();
  const auto on_lane = [&](SliceId slice) {
    if (lane_words.empty()) return true;
    std::string path;
    for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane))
      path += (path.empty() ? "" : "/") + part;
    return path.find(lane_words) != std::string::npos;
  };
  SliceId best = kNone<SliceId>;
  for (const SliceId slice : trace.ids()) {
    if (trace.name_of(slice) != slice_name || !on_lane(slice)) continue;
    if (best == kNone<SliceId> || trace.duration_of(slice) > trace.duration_of(best)) best = slice;
  }
  if (best == kNone<SliceId>) return std::nullopt;
  const LaneId lane = trace.row(trace.row_of(best)).lane;
  if (!workspace.state().layout(stage.half()).shows(lane)) return std::nullopt;
  const Area lanes = stage.interface().lanes_area(stage.half());
  const Viewport view = workspace.state().view(stage.half());
  const auto begin = static_cast<double>(trace.begin_of(best)), end = static_cast<double>(trace.end_of(best));
  if (end < view.begin || begin > view.end()) return std::nullopt;
  const double middle = (std::max(begin, view.begin) + std::min(end, view.end())) / 2;
  const double x = (middle - view.begin) / view.span * static_cast<double>(lanes.width);
  const double y = workspace.state().layout(stage.half()).middle_of(trace, trace.row_of(best)) - std::floor(workspace.state().scroll_y(stage.half()));
  if (y < 0 || y >= static_cast<double>(lanes.height)) return std::nullopt;
  return ImVec2{lanes.x + static_cast<float>(x), lanes.y + static_cast<float>(y)};
}

Result<ImVec2> place_in_window(HeadlessStage& stage, std::span<const std::string> words) {
  const auto number = [&](std::size_t i) { return i < words.size() ? std::atof(words[i].c_str()) : 0.0; };
  if (words.size() < 2) return Error{"the place is missing or incomplete", {}, {}, {}};
  std::optional<ImVec2> place;
  if (words[0] == "slice") {
    place = place_of_slice(stage, words[1], words.size() > 2 ? words[2] : std::string());
  } else if (words[0] == "tab") {
    place = place_of_tab(stage, words[1]);
  } else if (words[0] == "panel") {
    std::string what = words[1];
    for (std::size_t w = 2; w < words.size(); ++w) what += " " + words[w];
    place = stage.interface().panels().place_of(what);
  } else if (words[0] == "dialog") {
    place = stage.interface().open_dialog().place_of(words[1]);
  } else if (words[0] == "drop") {
    const OpenHow how = words[1] == "add" ? OpenHow::Add : words[1] == "new_tab" ? OpenHow::NewTab : OpenHow::Replace;
    place = stage.interface().drop_panel().place_of(how);
  } else if (words[0] == "view_tab") {
    place = stage.interface().tab_bar().place_of(static_cast<std::size_t>(number(1)), words.size() > 2 && words[2] == "x");
  } else if (words[0] == "name") {
    place = stage.interface().timeline(stage.half()).place_of_name(stage.workspace(), words[1]);
  } else if (words[0] == "split") {
    std::string what = words[1];
    for (std::size_t w = 2; w < words.size(); ++w) what += " " + words[w];
    place = stage.interface().split_header().place_of(what);
  } else if (words[0] == "header") {
    place = stage.interface().timeline(stage.half()).place_of_name(stage.workspace(), words[1]);
    if (place) place->x = stage.interface().lanes_area(stage.half()).x + stage.interface().lanes_area(stage.half()).width * 0.7f;
  } else if (words[0] == "menu") {
    place = stage.interface().menus().place_of(words[1]);
  } else if (words[0] == "command") {
    place = stage.interface().command_box().place_of(words[1]);
  } else if (words[0] == "chip" || words[0] == "chip_x") {
    place = stage.interface().place_of_chip(static_cast<std::size_t>(std::atoi(words[1].c_str())), words[0] == "chip_x");
  } else if (words[0] == "item") {
    place = stage.interface().timeline(stage.half()).place_of_item(words[1]);
  } else if (words[0] == "box" && words.size() > 1) {
    place = stage.interface().timeline(stage.half()).place_of_area_box(stage.workspace(), words[1]);
  } else if (words[0] == "export") {
    place = stage.interface().export_dialog().place_of(words[1]);
  } else if (words[0] == "manual") {
    std::string what = words[1];
    for (std::size_t w = 2; w < words.size(); ++w) what += " " + words[w];
    place = stage.interface().manual().place_of(what);
  } else if (words[0] == "missing") {
    place = stage.interface().missing().place_of(words[1]);
  } else if (words[0] == "start") {
    place = stage.interface().start_page().place_of(words[1]);
  } else if (const SidePanel* const panel = panel_named(stage, words[0])) {
    place = panel->place_of(words[1]);
  } else if (words[0] == "note") {
    place = stage.interface().timeline(stage.half()).place_of_note(stage.workspace(), words[1]);
  } else if (words[0] == "step") {
    place = place_of_step(stage, std::atoi(words[1].c_str()));
  } else if (words[0] == "chart") {
    place = stage.interface().charts().place_of(static_cast<std::size_t>(number(1)), number(2), number(3));
  } else if (words[0] == "ruler" || words[0] == "minimap") {
    place = place_above_lanes(stage, words[0], words[1]);
  } else if (words[0] == "edge") {
    const Area lanes = stage.interface().lanes_area(stage.half());
    place = place_of_edge(
        stage, words[1],
        words.size() > 2 ? lanes.y + static_cast<float>(number(2)) * lanes.height : ImGui::GetIO().MousePos.y);
  } else if (words[0] == "empty") {
    place = place_below_lanes(stage);
  } else if (words[0] == "time") {
    const auto t = decimal_time(words[1]);
    const Area lanes = stage.interface().lanes_area(stage.half());
    const Viewport view = stage.workspace().state().view(stage.half());
    if (!t) return Error{"not a time: " + words[1], {}, {}, {}};
    place = ImVec2{lanes.x + static_cast<float>((static_cast<double>(*t) - view.begin) / view.span) * lanes.width,
                   words.size() > 2 ? lanes.y + static_cast<float>(number(2)) * lanes.height : ImGui::GetIO().MousePos.y};
  } else {
    const Area lanes = stage.interface().lanes_area(stage.half());
    place = ImVec2{lanes.x + static_cast<float>(number(0)) * lanes.width, lanes.y + static_cast<float>(number(1)) * lanes.height};
  }
  if (!place) return Error{"not on the screen: " + words[1], {}, {}, {}};
  return *place;
}

}  // namespace tv
