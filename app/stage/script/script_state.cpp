#include "app/stage/script/script_state.h"

#include <algorithm>

#include "app/verbs/statistics_json.h"
#include "core/analysis/clocks/clock_table.h"
#include "core/analysis/rollout/step_overview.h"
#include "core/base/text/distinct_texts.h"
#include "core/base/text/json_text.h"
#include "core/query/range_stats.h"
#include "core/session/desk/window_title.h"
#include "core/view/charts/training/charts_training.h"
#include "core/view/lanes/shown_lanes.h"
#include "imgui_internal.h"
#include "ui/panels/tables/hits_panel.h"
#include "ui/panels/tables/statistics_panel.h"
#include "ui/panels/tables/text_panel.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

Json text(std::string_view any) { return Json::parse(json_quoted(any)); }

const char* size_name(RowSize size) {
  return size == RowSize::Compact ? "compact" : size == RowSize::Tall ? "tall" : "normal";
}

Json slice_state(const Trace& trace, const std::optional<SliceDetails>& details, const WaitDetails& waits) {
  if (!details) return {{"name", ""}};
  Json out = {{"name", text(details->name)},
              {"category", text(details->category)},
              {"begin_ns", details->begin},
              {"duration_ns", details->duration},
              {"self_ns", details->self},
              {"children", details->children},
              {"incoming", details->incoming_count},
              {"outgoing", details->outgoing_count},
              {"lane", text(trace.lane(trace.row(trace.row_of(details->slice)).lane).name)}};
  std::string path;
  for (const std::string& part : trace.path_of(trace.row(trace.row_of(details->slice)).lane))
    path += (path.empty() ? "" : "/") + part;
  out["path"] = text(path);
  if (details->parent) out["parent"] = text(details->parent->name);
  if (!waits.text.empty()) {
    out["collective"] = text(waits.text);
    out["waits"] = waits.arrows.size();
  }
  return out;
}

Json args_state(Workspace& workspace) {
  if (!workspace.state().selection.has_slice()) return Json::object();
  const auto args = workspace.session().args(workspace.snapshot(), workspace.state().selection.slice);
  if (!args.tree) return {{"ready", false}};
  Json out = {{"ready", true}, {"ok", args.tree->ok()}};
  if (!args.tree->ok()) return out;
  const ArgTree& tree = args.tree->value();
  for (std::size_t i = 1; i < tree.nodes.size(); i = tree.nodes[i].subtree_end) {
    if (!tree.nodes[i].value.empty()) out[tree.nodes[i].key] = text(tree.nodes[i].value);
  }
  return out;
}

Json clocks_state(const BarrierClocks& clocks) {
  Json out = {{"verdict", verdict(clocks)}, {"applied", clocks.applied()}, {"proposed", clocks.proposed()}};
  out["applied_ns"] = Json::array();
  out["offset_ns"] = Json::array();
  for (const BarrierClock& clock : clocks.workers) {
    out["applied_ns"].push_back(clock.applied);
    out["offset_ns"].push_back(clock.offset);
  }
  return out;
}

Json run_state(const Workspace& workspace) {
  const RunState& state = workspace.run();
  const Rollout* const rollout = state.rollout();
  if (!rollout) return {{"steps", 0}};
  const ChartQuestion& question = state.question();
  Json out = {{"steps", rollout->steps.size()},   {"workers", rollout->workers.size()}, {"requests", rollout->size()},
              {"selected", question.requests.size()}, {"chips", state.chips().size()},      {"brush", state.brush()},
              {"lost_s", state.ledger().lost},
              {"clocks", clocks_state(state.clocks())}};
  out["shown"] = text(state.shown());
  if (question.step) out["step"] = rollout->steps[*question.step].step;
  if (question.worker) out["worker"] = rollout->workers[*question.worker];
  if (question.request) {
    out["request"] = {{"id", text(rollout->id(*question.request))}, {"seconds", rollout->seconds[*question.request]}};
  }
  const StepOverview overview = step_overview(*rollout);
  out["outliers"] = 0;
  for (std::size_t s = 0; s < overview.steps.size(); ++s) {
    if (!overview.steps[s].slow_rollout) continue;
    out["outliers"] = out["outliers"].get<int>() + 1;
    out["outlier"] = {{"step", rollout->steps[s].step}, {"factor", overview.steps[s].slow_rollout->factor}};
  }
  if (!state.ledger().entries.empty()) {
    const Blame& worst = state.ledger().entries.front();
    out["worst"] = {{"step", rollout->steps[worst.step].step},
                    {"worker", rollout->workers[worst.worker]},
                    {"request", text(rollout->id(worst.request))},
                    {"lost_s", worst.lost}};
  }
  return out;
}

Json brushed_state(Workspace& workspace) {
  const auto brushed = workspace.brushed_slices();
  if (!brushed) return {{"slices", 0}};
  return {{"slices", brushed->slices.size()}, {"of", brushed->name_count}, {"words", text(words_of(*brushed))}};
}

Json training_state(const Workspace& workspace) {
  const RunState& state = workspace.run();
  const Training* const training = state.training();
  if (!training) return {{"logs", 0}};
  const TrainingRun& run = run_in_question(*training, state.question().settings);
  const MetricFile& file = training->log().files[run.file];
  Json out = {{"logs", training->runs.size()}, {"log", text(run.name)},          {"steps", run.steps.size()},
              {"metrics", run.metrics.size()}, {"placing", text(file.placing)}, {"repeated", run.repeated}};
  if (state.question().training_step) out["step"] = *state.question().training_step;
  return out;
}

// State of the strip of steps above the timeline.
Json steps_state(HeadlessStage& stage) {
  if (!StepStripPanel::shown(stage.workspace())) return {{"count", 0}};
  const StepStripPanel& panel = stage.interface().step_strip();
  const StepStrip& strip = panel.strip();
  Json out = {{"count", strip.bars.size()}, {"of", text(strip.of)}};
  if (const StepSource* const source = stage.workspace().step_source()) out["unit"] = text(source->unit);
  const std::uint32_t at = panel.looked_at();
  if (at >= strip.bars.size()) return out;
  out["step"] = text(strip.bars[at].number);
  out["text"] = text(strip.bars[at].text);
  return out;
}

// The first rows, as objects by column title. Numbers have all their digits.
Json table_state(const ChartTable& table) {
  constexpr std::size_t kMostRows = 50;
  std::vector<std::string> titles;
  for (const ChartTable::Column& column : table.columns) titles.push_back(column.title);
  titles = distinct_texts(std::move(titles));
  Json out = Json::array();
  for (std::size_t r = 0; r < std::min(table.rows.size(), kMostRows); ++r) {
    Json& row = out.emplace_back(Json::object());
    for (std::size_t c = 0; c < std::min(table.rows[r].size(), table.columns.size()); ++c) {
      const ChartCell& cell = table.rows[r][c];
      const double* const number = std::get_if<double>(&cell.full);
      row[titles[c]] = number ? Json(*number) : text(cell.text);
    }
  }
  return out;
}

// Statistics of the selected area, as in the panel.
Json statistics_state(Workspace& workspace) {
  ThreadPool one_thread(1);
  const Selection& selection = workspace.state().selection;
  StatsQuery query{selection.range, selection.lanes};
  query.busy = true;
  const RangeStats stats = range_stats(workspace.trace(), query, one_thread);
  Json out = {{"slices", stats.count}, {"cut", stats.cut}, {"total_ns", stats.total}, {"self_ns", stats.self},
              {"busy_ns", busy_time(workspace.snapshot(), query, stats)}, {"names", Json::object()}};
  for (const LabelStats& row : stats.labels) {
    out["names"][text(workspace.trace().labels.name(row.label)).get<std::string>()] = figures_json(row, stats);
  }
  return out;
}

// Figures of the charts in the drawer's left panel, by chart id.
Json charts_state(Workspace& workspace) {
  Json out = Json::object();
  const auto kind = std::ranges::find(chart_kinds(), workspace.state().panels.layout().left, &ChartKind::id);
  if (kind == chart_kinds().end()) return out;
  const RunState::Charts made = workspace.run().charts(*kind);
  if (!made.charts) return out;
  for (const Chart& chart : *made.charts) {
    Json& of_chart = out[chart.id] = {{"title", text(chart.title)}, {"empty", text(chart.empty)}};
    for (const auto& [fact, value] : chart.facts) of_chart[fact] = text(value.text);
    if (chart.table) of_chart["rows"] = table_state(*chart.table);
  }
  return out;
}

// Which panel is where: "left: cdf, right: details, own: statistics".
std::string panels_text(const PanelState& panels) {
  const ShownPanels& shown = panels.shown();
  std::string out;
  const auto add = [&](std::string_view place, const std::string& id) {
    if (!id.empty()) out += (out.empty() ? "" : ", ") + std::string(place) + ": " + id;
  };
  add("left", shown.left);
  add("right", shown.right);
  add("side", shown.side);
  for (const OwnPanel& own : shown.own) add("own", own.id);
  return out;
}

// State of both timelines. Without a split it is only {"on": false}.
Json split_state(HeadlessStage& stage) {
  const Workspace& workspace = stage.workspace();
  const Split* const split = workspace.state().split();
  Json out = {{"on", split != nullptr}};
  if (!split) return out;
  out["by"] = name(split->by);
  out["difference_ns"] = split->difference();
  out["share"] = split->share;
  for (const SplitHalf half : kHalves) {
    const Area lanes = stage.interface().lanes_area(half);
    Json names = Json::array();
    for (const LaneBox& box : workspace.state().layout(half).boxes()) {
      const bool in_sight = box.bottom() > workspace.state().scroll_y(half) && box.y < workspace.state().scroll_y(half) + static_cast<double>(lanes.height);
      if (box.pinned || in_sight) names.push_back(text(workspace.state().layout(half).title(workspace.trace(), box)));
    }
    out[half == SplitHalf::Upper ? "upper" : "lower"] = {{"title", text(workspace.state().halves.titles[ix(half)].text())},
                                                         {"at_ns", split->at[ix(half)]},
                                                         {"begin_ns", workspace.state().view(half).begin},
                                                         {"span_ns", workspace.state().view(half).span},
                                                         {"scroll", workspace.state().scroll_y(half)},
                                                         {"lanes", workspace.state().layout(half).boxes().size()},
                                                         {"height", lanes.height},
                                                         {"in_sight", std::move(names)}};
  }
  return out;
}

}  // namespace

Json script_state(HeadlessStage& stage) {
  Workspace& workspace = stage.workspace();
  const Trace& trace = workspace.trace();
  std::size_t shown = 0, collapsed = 0;
  Json workers = Json::array(), names = Json::array(), pinned = Json::array();  // from top to bottom
  Json heights = Json::array(), sizes = Json::array(), cut = Json::array();     // one entry per name
  for (const LaneBox& box : workspace.state().layout().boxes()) {
    ++shown;
    collapsed += box.collapsed ? 1 : 0;
    LaneId worker = box.lane;
    while (worker != kNone<LaneId> && !trace.lane(worker).owner.worker) worker = trace.lane(worker).parent;
    const Json worker_name = worker == kNone<LaneId> ? Json() : text(trace.lane(worker).name);
    if (worker != kNone<LaneId> && std::find(workers.begin(), workers.end(), worker_name) == workers.end())
      workers.push_back(worker_name);
    const bool in_sight =
        box.pinned || (box.bottom() > workspace.state().scroll_y() &&
                       box.y < workspace.state().scroll_y() + static_cast<double>(stage.interface().lanes_area().height));
    if (in_sight) {
      names.push_back(text(workspace.state().layout().title(trace, box)));
      heights.push_back(box.height);
      sizes.push_back(size_name(box.row_size));
      cut.push_back(box.hidden_lines);
    }
    if (box.pinned) pinned.push_back(text(workspace.state().layout().title(trace, box)));
  }
  const Selection& selection = workspace.state().selection;
  Json out = Json::object();
  out["trace"] = {{"slices", trace.slice_count}, {"instants", trace.instant_count}, {"flows", trace.flows.size()},
                  {"lost", trace.lost()},        {"sources", trace.sources.size()}, {"complete", workspace.snapshot().complete},
                  {"generation", workspace.snapshot().generation}, {"align", name(trace.align)},
                  {"segments", std::max<std::size_t>(trace.parts.size(), 1)}};
  out["follow"] = {{"on", workspace.session().following()}, {"text", text(workspace.session().follow_text())}};
  out["view"] = {{"begin_ns", workspace.state().view().begin},
                 {"span_ns", workspace.state().view().span},
                 {"end_ns", workspace.state().view().end()},
                 {"scroll", workspace.state().scroll_y() - workspace.state().layout().pinned_height()}};
  out["split"] = split_state(stage);
  out["lanes"] = {{"shown", shown},
                  {"collapsed", collapsed},
                  {"height", workspace.state().layout().height()},
                  {"workers", std::move(workers)}};
  out["lanes"]["in_sight"] = std::move(names);  // lanes that are at least partly visible at the present scroll position
  out["lanes"]["heights"] = std::move(heights);
  out["lanes"]["sizes"] = std::move(sizes);
  out["lanes"]["cut"] = std::move(cut);
  out["lanes"]["pinned"] = std::move(pinned);
  out["lanes"]["text"] = workspace.state().halves.upper.lanes_text;
  out["lanes"]["overview"] = overview_is_shown(workspace.state().lanes.state);
  out["selected"] = slice_state(trace, workspace.state().selected.details, workspace.state().selected.waits);
  out["args"] = args_state(workspace);
  const OwnPanels& others = stage.interface().panels().others();
  const StatisticsPanel& statistics = others.get<StatisticsPanel>();
  const std::vector<TableSort>& sort = statistics.table()->state().sort;
  out["statistics"] = {{"order", sort.empty() ? std::string() : sort[0].column},
                       {"falling", !sort.empty() && sort[0].falling},
                       {"then", sort.size() < 2 ? std::string() : sort[1].column},
                       {"by", text_of(statistics.grouping())},
                       {"rows", statistics.row_count()},
                       {"selected", statistics.table()->selection().count()},
                       {"complaint", statistics.table()->rows().complaint()},
                       {"where", workspace.slice_filter().expression()},
                       {"where_complaint", workspace.slice_filter().complaint()},
                       {"first", text(statistics.first_name())}};
  out["range"] = {{"begin_ns", selection.range ? selection.range->begin : 0},
                  {"length_ns", selection.range ? selection.range->length() : 0}, {"lanes", selection.lanes.size()}};
  out["range"]["names"] = Json::array();
  for (const LaneId lane : selection.lanes) {
    std::string path;
    for (const std::string& part : trace.path_of(lane)) path += "/" + part;
    out["range"]["names"].push_back(text(path));
  }
  out["hovered"] = {{"name", selection.hovered == kNone<SliceId>
                                 ? Json("")
                                 : text(trace.name_of(selection.hovered))}};
  const auto& gap = workspace.state().selected.gap;
  out["gap"] = {{"length_ns", gap ? gap->gap.time.length() : 0}};
  if (gap) {
    out["gap"]["begin_ns"] = gap->gap.time.begin;
    out["gap"]["lane"] = text(gap->lane_path.back());
    out["gap"]["before"] = text(gap->before.name);
    out["gap"]["after"] = text(gap->after.name);
    out["gap"]["place"] = text(gap->place);
    std::string why;
    for (const std::string& reason : gap->reasons) why += (why.empty() ? "" : "; ") + reason;
    out["gap"]["why"] = text(why);
  }
  std::string differences;
  for (const std::string& difference : workspace.differences()) differences += (differences.empty() ? "" : "; ") + difference;
  out["several"] = {{"slices", selection.also.size() + (selection.has_slice() ? 1 : 0)},
                    {"differences", text(differences)},
                    {"same_name", text(workspace.same_name())}};
  const SliceColors* const colors = workspace.coloring().colors();
  out["colour"] = {{"by", name(colors ? colors->rule() : ColorRule::Name)}, {"legend", Json::array()}, {"offered", Json::array()}};
  for (const ColorRule rule : workspace.coloring().offered()) out["colour"]["offered"].push_back(name(rule));
  if (colors) {
    for (const ColorClass& each : colors->legend()) out["colour"]["legend"].push_back(text(each.name));
  }
  out["spans"] = {{"count", workspace.state().notes.spans().size()}};
  if (!workspace.state().notes.spans().empty()) out["spans"]["last_ns"] = workspace.state().notes.spans().back().length();
  const TimeStyle& style = workspace.state().time_style();
  out["times"] = {{"format", name(style.format)}, {"of", text(style.of)},
                  {"begin", text(time_text(style, static_cast<Ns>(workspace.state().view().begin), kSecond))}};
  out["go_to"] = {{"open", workspace.state().boxes.go_to}, {"complaint", text(workspace.state().boxes.go_to_complaint)}};
  if (const auto step = workspace.marked_step()) out["marked_step"] = text(workspace.step_source()->steps[*step].name);
  out["marks"] = {{"count", workspace.state().notes.marks().size()}, {"ns", workspace.state().notes.marks()}};
  out["notes"] = {{"count", workspace.state().notes.all().size()}, {"unsaved", workspace.state().notes.unsaved()}, {"naming", workspace.state().notes.naming.has_value()},
                  {"names", ""}, {"colour", ""}, {"file", text(workspace.state().views.file)}, {"missing", workspace.state().views.missing.size()}};
  std::string note_names;
  for (const Note& note : workspace.state().notes.all()) note_names += (note_names.empty() ? "" : "; ") + std::string(title(note));
  out["notes"]["names"] = text(note_names);
  if (!workspace.state().notes.empty()) out["notes"]["colour"] = name(workspace.state().notes.all().front().color);
  out["search"] = {{"open", workspace.state().boxes.search},
                   {"in_records", workspace.search().asked().in_records},
                   {"text", text(workspace.search().asked().text)},
                   {"hits", workspace.search().hits().spread().hits},
                   {"said", text(workspace.search().said())},
                   {"place", workspace.search().place().value_or(0)},
                   {"match_case", workspace.search().asked().match_case},
                   {"regex", workspace.search().asked().regex},
                   {"in_area", workspace.search().asked().in_area},
                   {"complaint", text(workspace.search().complaint())}};
  const HitList* const list = others.get<HitsPanel>().list();
  out["search"]["listed"] = list ? list->slices.size() : 0;
  out["search"]["first_listed_ns"] = list && !list->slices.empty() ? trace.begin_of(list->slices.front()) : -1;
  const auto table_state = [](const Table& table) {
    const TableState& now = table.state();
    return Json{{"order", now.sort.empty() ? std::string() : now.sort.front().column},
                {"falling", !now.sort.empty() && now.sort.front().falling},
                {"filter", text(now.filter)},
                {"rows", table.rows().shown().size()},
                {"selected", table.selection().count()},
                {"keyboard", table.has_keyboard()},
                {"cursor", table.selection().cursor() ? static_cast<std::int64_t>(*table.selection().cursor()) : -1}};
  };
  for (const auto& [word, panel] : {std::pair{"hits", "hits"}, {"notes", "notes"}, {"findings", "findings"}, {"files", "problems"},
                                    {"statistics", "statistics"}, {"problem_kinds", "problem_kinds"}}) {
    out["tables"][word] = table_state(*others.find(panel)->table());
  }
  out["search"]["lanes"] = list ? list->lanes.size() : 0;
  const auto& any_hit = workspace.search().hits().spread().any;
  out["search"]["places"] = std::count(any_hit.begin(), any_hit.end(), true);
  out["rollout"] = run_state(workspace);
  out["text"] = {{"lines", others.get<TextPanel>().line_count()}, {"lit", text(others.get<TextPanel>().lit())}};
  out["brushed"] = brushed_state(workspace);
  out["training"] = training_state(workspace);
  out["steps"] = steps_state(stage);
  const ClockTable traces = clock_table(trace);
  const ClockOffsets& by_hand = workspace.session().read().clocks;
  out["clocks"] = {{"traces", traces.rows.size()},
                   {"known", traces.compared},
                   {"moved", traces.moved},
                   {"by_hand", by_hand.size()},
                   {"by_hand_ns", by_hand.empty() ? 0 : by_hand.front().offset},
                   {"verdict", text(verdict(traces))}};
  out["charts"] = charts_state(workspace);
  if (const auto pointed = stage.interface().charts().pointed()) out["charts"]["pointed"] = *pointed;
  out["charts"]["read"] = text(stage.interface().charts().read_text());
  if (workspace.state().panels.layout().left == "statistics") out["statistics"].update(statistics_state(workspace));
  const auto& box = workspace.state().command_use.box;
  const std::vector<std::string>& recent = workspace.state().desk.recent_commands;
  out["commands"] = {{"box", !box ? "closed" : *box == command::OpenCommandBox::Of::Lanes ? "lanes" : "commands"},
                     {"rows", stage.interface().command_box().row_count()},
                     {"chosen", text(stage.interface().command_box().chosen_text())},
                     {"chosen_id", text(stage.interface().command_box().chosen_id())},
                     {"done", text(stage.view().last_command())},
                     {"last", recent.empty() ? Json("") : text(recent.front())},
                     {"menu", stage.interface().menus().open_menu_name()},
                     {"menu_line", stage.interface().menus().chosen_title()},
                     {"mouse", name(mouse_habit().preset)}};
  out["tabs"] = {{"count", stage.desk().size()}, {"current", stage.desk().current_index()}, {"titles", ""}};
  std::string titles;
  for (const TabLabel& tab : stage.desk().tabs()) titles += (titles.empty() ? "" : "|") + tab.title;
  out["tabs"]["titles"] = text(titles);
  const FileBrowser& files = stage.interface().open_dialog().browser();
  const bool has_line = workspace.state().boxes.dialog && files.size() > 0;
  out["dialog"] = {{"folder", text(files.folder())},       {"line", has_line ? text(files.entry(files.line()).name) : Json("")},
                   {"first", has_line ? text(files.entry(0).name) : Json("")}, {"lines", files.size()},
                   {"chosen", files.chosen_paths().size()}, {"left_out", files.left_out()},
                   {"complaint", text(stage.interface().open_dialog().complaint())}};
  const DropPanel& drop = stage.interface().drop_panel();
  constexpr const char* kHow[] = {"replace", "add", "new_tab"};
  out["drop"] = {{"target", drop.target() ? kHow[static_cast<std::size_t>(*drop.target())] : ""}, {"asks", drop.asks()}};
  out["window"] = {{"help", workspace.state().boxes.help},
                   {"dialog", workspace.state().boxes.dialog},
                   {"export", stage.interface().export_dialog().open()},
                   {"about", stage.interface().about_open()},
                   {"manual", stage.interface().manual().topic()},
                   {"manual_hits", stage.interface().manual().hits()},
                   {"manual_scroll", stage.interface().manual().scroll()},
                   {"palette", workspace.settings().palette == PaletteKind::ColorBlind ? "colour-blind" : "usual"},
                   {"reduced_motion", workspace.settings().reduced_motion},
                   {"dialog_adds", workspace.state().boxes.dialog_asks.add},
                   {"scale", workspace.settings().text_size},
                   {"lanes_width", stage.interface().lanes_area().width},
                   {"lanes_height", stage.interface().lanes_area().height},
                   {"drawer", workspace.state().panels.layout().drawer},
                   {"panel", workspace.state().panels.layout().left},
                   {"panels", panels_text(workspace.state().panels)},
                   {"group", name(workspace.state().panels.group())},
                   {"notice", text(stage.interface().last_notice())},
                   {"title", text(window_title(workspace))},
                   {"boxes", boxes_drawn(*ImGui::GetDrawData())},
                   {"menus", ImGui::GetCurrentContext()->OpenPopupStack.Size},  // including open lists of choices
                   {"theme", workspace.settings().shown_theme() == ThemeKind::Dark ? "dark" : "light"}};
  const StartPage& start = stage.user_state().start_page();
  out["start"] = {{"shown", !workspace.session().anything_open()},
                  {"session", text(start.session ? start.session->detail : "")},
                  {"crashed", start.session && start.session->crashed},
                  {"focus", text(stage.interface().start_page().focus())},
                  {"recent", start.recent.size()},
                  {"first", text(start.recent.empty() ? "" : start.recent.front().name)},
                  {"pinned", std::ranges::count_if(start.recent, [](const StartPage::Entry& e) { return e.file.pinned; })},
                  {"missing", std::ranges::count_if(start.recent, [](const StartPage::Entry& e) { return e.missing; })}};
  const AskedOfWindow& asked = stage.asked();
  out["asked"] = {{"quit", asked.quit}, {"full_screen", asked.full_screen}, {"edit_keys", asked.edit_keys},
                  {"screenshots", asked.screenshots},
                  {"shot_of", asked.last_shot.of}, {"shot_scale", asked.last_shot.scale}, {"shot_copied", asked.last_shot.copy},
                  {"copied", text(asked.copied)}, {"files", asked.files.size()},
                  {"file", asked.files.empty() ? "" : text(asked.files.back().name)}};
  if (stage.interface().export_dialog().open()) out["window"]["export_command"] = text(stage.interface().export_dialog().command_line(workspace));
  const FrameStats& stats = stage.interface().stats();
  out["frame"] = {{"rects", stats.rects}, {"strips", stats.strips}, {"texts", stats.texts}, {"nodes", stats.nodes_visited}};
  return out;
}

}  // namespace tv
