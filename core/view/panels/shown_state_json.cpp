// Writes a shown state as JSON.
#include <nlohmann/json.hpp>

#include "core/view/panels/shown_state.h"
#include "core/view/table/table_json.h"

namespace tv {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(TimeRange time) { return {{"begin_ns", time.begin}, {"end_ns", time.end}}; }

std::string_view word_of(RowSize size) {
  switch (size) {
    case RowSize::Compact: return "compact";
    case RowSize::Normal: return "normal";
    case RowSize::Tall: return "tall";
    case RowSize::Auto: break;
  }
  return "auto";
}

template <class Strings>
void put_list(OrderedJson& out, const char* key, const Strings& texts) {
  if (texts.empty()) return;
  OrderedJson list = OrderedJson::array();
  for (const std::string& each : texts) list.push_back(each);
  out[key] = std::move(list);
}

OrderedJson json_of_lanes(const LanesLook& chosen) {
  const LaneState& lanes = chosen.state;
  OrderedJson out = OrderedJson::object();
  out["overview"] = chosen.overview;
  for (const OverviewLane& lane : lanes.overview) {
    OrderedJson each = {{"lane", lane.key}, {"folded", lane.collapsed}};
    if (lane.row > 0) each["row_px"] = lane.row;
    if (lane.levels > 0) each["levels"] = lane.levels;
    if (lane.first_slot > 0) each["first_slot"] = lane.first_slot;
    if (lane.thin > 0) each["thin"] = lane.thin;
    out["overview_lanes"].push_back(std::move(each));
  }
  if (lanes.overview_scale != 1) out["overview_scale"] = lanes.overview_scale;
  if (lanes.growth != 1) out["row_growth"] = lanes.growth;
  if (chosen.row_steps != 0) out["row_steps"] = chosen.row_steps;
  if (!lanes.filter.empty()) out["filter"] = lanes.filter;
  if (chosen.sort) out["sort"] = name(*chosen.sort);
  if (chosen.order) out["order"] = word_of(*chosen.order);
  for (const auto& [lane, folded] : lanes.collapsed) out["folded"][lane] = folded;
  for (const auto& [lane, size] : lanes.row_sizes) out["row_sizes"][lane] = word_of(size);
  for (const auto& [lane, levels] : lanes.depth_limits) out["depth_limits"][lane] = levels;
  put_list(out, "hidden", lanes.hidden);
  put_list(out, "only", lanes.only);
  put_list(out, "pinned", lanes.pinned);
  for (const auto& [group, order] : lanes.dragged) out["dragged"][group] = order;
  return out;
}

OrderedJson json_of(const PanelLayout& panels) {
  const PanelLayout defaults;
  OrderedJson out = {{"open", panels.drawer}, {"panel", panels.left}};
  if (!panels.right.empty()) out["right"] = panels.right;
  if (!panels.side.empty()) out["side"] = panels.side;
  if (panels.beside != defaults.beside) out["beside"] = panels.beside;
  if (panels.right_in_front) out["right_in_front"] = true;
  if (panels.drawer_share != defaults.drawer_share) out["drawer_share"] = panels.drawer_share;
  if (panels.left_share != defaults.left_share) out["left_share"] = panels.left_share;
  if (panels.side_share != defaults.side_share) out["side_share"] = panels.side_share;
  for (const OwnPanel& own : panels.own) {
    out["own"].push_back({{"panel", own.id}, {"x", own.x}, {"y", own.y}, {"width", own.width}, {"height", own.height}});
  }
  return out;
}

OrderedJson json_of(const SplitLook& look) {
  const Split& split = look.split;
  OrderedJson out = {{"by", name(split.by)}};
  if (split.share != Split().share) out["share"] = split.share;
  for (const SplitHalf half : kHalves) {
    OrderedJson& each = out[half == SplitHalf::Upper ? "upper" : "lower"];
    each["at_ns"] = split.at[ix(half)];
    put_list(each, "lanes", split.lanes[ix(half)]);
  }
  if (!look.top_lane.empty()) out["top"] = {{"lane", look.top_lane}, {"px", look.top_px}};
  return out;
}

OrderedJson json_of(const ShownLook& look) {
  OrderedJson out = OrderedJson::object();
  if (!look.everything) out["view"] = {{"begin_ns", look.view.begin}, {"span_ns", look.view.span}};
  if (!look.top_lane.empty()) out["top"] = {{"lane", look.top_lane}, {"px", look.top_px}};
  if (look.split) out["split"] = json_of(*look.split);
  if (look.arranged) out["lanes"] = json_of_lanes(look.lanes);
  put_list(out, "filters", look.filters);
  out["colour"] = name(look.color);
  out["times"] = name(look.times);
  out["drawer"] = json_of(look.panels);
  return out;
}

OrderedJson json_of(const SliceRef& slice) {
  OrderedJson out = {{"lane", slice.lane}, {"row", slice.row}, {"begin_ns", slice.begin}, {"duration_ns", slice.duration},
                     {"name", slice.name}};
  if (slice.nth > 0) out["nth"] = slice.nth;
  return out;
}

OrderedJson json_of(const SavedSelection& selected) {
  OrderedJson out = OrderedJson::object();
  if (selected.slice) out["slice"] = json_of(*selected.slice);
  for (const SliceRef& slice : selected.also) out["also"].push_back(json_of(slice));
  if (selected.through) out["through"] = json_of(*selected.through);
  if (const auto& gap = selected.gap) {
    out["gap"] = {{"lane", gap->lane}, {"before", json_of(gap->before)}, {"after", json_of(gap->after)}};
    if (gap->row) out["gap"]["row"] = *gap->row;
  }
  if (!selected.same_name.empty()) out["same_name"] = selected.same_name;
  if (selected.area) {
    out["area"] = json_of(*selected.area);
    put_list(out["area"], "lanes", selected.area_lanes);
    if (!selected.area_chart.empty()) out["area"]["chart"] = selected.area_chart;
  }
  return out;
}

OrderedJson json_of(const std::vector<RankSpan>& spans) {
  OrderedJson out = OrderedJson::array();
  for (const RankSpan& span : spans) out.push_back({span.first, span.last});
  return out;
}

OrderedJson json_of(const ReadSettings& read) {
  OrderedJson out = OrderedJson::object();
  for (const ClockOffset& offset : read.clocks)
    out["clocks"].push_back({{"files", offset.pattern}, {"offset_ns", offset.offset}});
  out["clocks_by"] = read.place_by == PlaceBy::Recorded ? "recorded" : "collectives";
  put_list(out, "closed", read.closed);
  out["align"] = read.align ? name(*read.align) : std::string_view("auto");
  if (read.choice.everything()) return out;
  OrderedJson& part = out["part"];
  if (!read.choice.ranks.empty()) part["ranks"] = json_of(read.choice.ranks);
  if (!read.choice.steps.empty()) part["steps"] = json_of(read.choice.steps);
  put_list(part, "roles", read.choice.roles);
  for (const DeviceSpan& device : read.choice.devices)
    part["devices"].push_back({{"machine", device.machine}, {"first", device.numbers.first}, {"last", device.numbers.last}});
  if (read.choice.window) {
    part["window"] = json_of(*read.choice.window);
    part["window"]["absolute"] = read.choice.clock == LoadChoice::Clock::Absolute;
  }
  return out;
}

OrderedJson json_of(const Note& note) {
  OrderedJson out = OrderedJson::object();
  out["begin_ns"] = note.time.begin;
  if (note.is_span()) out["end_ns"] = note.time.end;
  if (!note.name.empty()) out["name"] = note.name;
  if (note.color != NoteColor::Plain) out["colour"] = name(note.color);
  return out;
}

OrderedJson json_of(const SavedBrush& brush) {
  OrderedJson out = {{"chart", brush.chart}};
  if (!brush.requests.empty()) out["requests"] = brush.requests;
  if (brush.requests.empty()) out["slices"] = {{"name", brush.name}, {"least_ns", brush.least}, {"most_ns", brush.most}};
  return out;
}

}  // namespace

std::string to_json(const ShownState& state) {
  OrderedJson out = {{"traceview_view", 1}, {"origin_ns", state.origin_ns}};
  out["read"] = json_of(state.read);
  out["look"] = json_of(state.look);
  if (OrderedJson selected = json_of(state.selected); !selected.empty()) out["selected"] = std::move(selected);
  if (!state.brush.requests.empty() || !state.brush.name.empty()) out["brush"] = json_of(state.brush);
  for (const auto& [setting, value] : state.charts) out["charts"][setting] = value;
  if (state.as_script) out["as_script"] = true;
  if (state.step) out["step"] = {{"run", state.run}, {"number", *state.step}};
  if (state.training_step) out["training_step"] = *state.training_step;
  for (const Note& note : state.notes) out["notes"].push_back(json_of(note));
  for (const auto& [table, choices] : state.tables) out["tables"][table] = json_of(choices);
  for (std::size_t v = 0; v < state.stored.size(); ++v) {
    if (state.stored[v]) out["stored"][std::to_string(v + 1)] = json_of(*state.stored[v]);
  }
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace tv
