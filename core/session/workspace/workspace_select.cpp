// Selecting several slices or an area, and texts about the selection.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/query/neighbours.h"
#include "core/session/workspace/workspace.h"
#include "core/view/keys/keymap.h"
#include "core/view/lanes/area_lanes.h"
#include "core/view/lists/statistics_table.h"
#include "core/view/table/markdown_table.h"
#include "core/view/timeline/minimap.h"

namespace tv {

std::optional<TimeRange> Workspace::selected_time() const {
  if (state_.selection.range) return state_.selection.range;
  if (state_.selected.gap) return state_.selected.gap->gap.time;
  return state_.selection.has_slice() ? std::optional(time_of_slices()) : std::nullopt;
}

// Precondition: a slice is selected.
TimeRange Workspace::time_of_slices() const {
  const auto time = [&](SliceId s) { return trace().range_of(s); };
  TimeRange all = time(state_.selection.slice);
  for (const SliceId other : state_.selection.also) all.include(time(other).begin, time(other).end);
  if (state_.selection.stretch) {
    for (const SliceId end : {state_.selection.stretch->first, state_.selection.stretch->last})
      all.include(time(end).begin, time(end).end);
  }
  return all;
}

// Copies the area if there is one, even if a slice is also selected.
void Workspace::copy_selection(TableFormat format) {
  if (state_.selection.range) return copy_area(format);
  std::string text = selection_text();
  if (text.empty()) return;
  requests_.copies.push_back(format == TableFormat::Markdown ? lines_as_markdown(text) : std::move(text));
}

std::string Workspace::selection_text() const {
  if (state_.selected.gap) return state_.selected.gap->text(state_.times.style());
  if (state_.selected.details) {
    std::string text = state_.selected.details->text();
    for (const std::string& difference : differences()) text += difference + "\n";
    return text;
  }
  return {};
}

// The details panel requested the record when the slice was selected. Reading from a compressed file may take some time.
void Workspace::on(const command::CopyRecord&) {
  if (!state_.selection.has_slice()) return;
  const Session::Args args = session_.args(*snapshot_, state_.selection.slice);
  if (!args.tree) return say("the record of this slice is still being read");
  if (!args.tree->ok()) return say(args.tree->error().text());
  requests_.copies.push_back(args.tree->value().text);
}

// Copies the area's time and the statistics within the area, as a table.
void Workspace::copy_area(TableFormat format) {
  const TimeRange range = *state_.selection.range;
  const std::string title = fmt::format("area {} .. {} ({})", time_text(state_.times.style(), range.begin, 1),
                                        time_text(state_.times.style(), range.end, 1), format_exact(range.length()));
  StatsQuery query{range, state_.selection.lanes};
  query.unions = true;
  count_first("counting what is copied", [this, asked = snapshot_, query, title, format](ThreadPool& pool, std::stop_token stop) {
    const auto made = std::make_shared<const Statistics>(make_statistics(*asked, query, pool, std::move(stop)));
    const std::string table = table_as_text(StatisticsModel(asked->trace, made), statistics_state(), format);
    const std::string headline = statistics_headline(*made, query);
    std::string text = format == TableFormat::Markdown
                           ? fmt::format("{}\n\n{}\n\n{}", markdown_text(title), markdown_text(headline), table)
                           : fmt::format("{}\n{}\n{}", title, headline, table);
    return [this, text = std::move(text)] { requests_.copies.push_back(text); };
  });
}

// ---- several slices

void Workspace::on(const command::AddSlice& c) {
  if (c.slice == kNone<SliceId> || idx(c.slice) >= trace().items()) return;
  state_.selected.gap.reset();
  state_.selection.gap.reset();
  state_.selection.add(*snapshot_, c.slice);
  update_differences();
}

// Precondition: the slices are distinct, and none of them is selected yet.
void Workspace::add_slices(const std::vector<SliceId>& slices) {
  if (slices.empty()) return;
  state_.selected.gap.reset();
  state_.selection.gap.reset();
  state_.selection.add_others(*snapshot_, slices);
  update_differences();
}

void Workspace::update_differences() {
  state_.selected.details.reset();
  state_.selected.differences.clear();
  if (!state_.selection.has_slice()) return;
  state_.selected.details = slice_details(trace(), state_.selection.slice);
  const auto name = [&](SliceId s) { return shortened_utf8(trace().name_of(s)); };
  const auto begin = [&](SliceId s) { return trace().begin_of(s); };
  const auto end = [&](SliceId s) { return begin(s) + trace().duration_of(s); };
  SliceId from = state_.selection.slice;
  for (const SliceId to : state_.selection.also) {
    const Ns begins = begin(to) - begin(from), between = begin(to) - end(from);
    state_.selected.differences.push_back(fmt::format(
        "{} begins {} {} {} begins, {}", name(to), format_exact(std::abs(begins)), begins < 0 ? "before" : "after",
        name(from),
        between >= 0 ? format_exact(between) + " after its end" : format_exact(-between) + " before its end"));
    from = to;
  }
  if (state_.selection.also.size() > 1) {
    state_.selected.differences.push_back(fmt::format("all {}: {} from the first begin to the last end", state_.selection.also.size() + 1,
                                                      format_exact(time_of_slices().length())));
  }
}

// Without a selection, selects only this slice.
void Workspace::on(const command::SelectThrough& c) {
  if (c.slice == kNone<SliceId> || idx(c.slice) >= trace().items()) return;
  if (!state_.selection.has_slice()) return select(c.slice, false);
  const auto stretch = stretch_between(trace(), state_.selection.slice, c.slice);
  if (!stretch) {
    notice_ = "Shift+click selects from one slice to another of the same lane; Ctrl+click adds one of any lane";
    return;
  }
  state_.selected.differences.clear();
  state_.selection.select_stretch(*stretch);
}

// ---- the area

// Unless lanes or a chart are given, lanes that the user has hidden are left out.
void Workspace::on(const command::SelectRange& asked) {
  state_.selection.range = asked.range;
  state_.selection.lanes = asked.lanes;
  const bool some_hidden = !state_.lanes.state.filter.empty() || !state_.lanes.state.hidden.empty() || !state_.lanes.state.only.empty() ||
                           (state_.halves.split && !state_.halves.split->lanes[ix(state_.pointer.half)].empty());
  if (asked.lanes.empty() && asked.chart.empty() && some_hidden) state_.selection.lanes = lanes_of_boxes(of(state_.pointer.half).layout);
  state_.selection.made_in = asked.chart;
  state_.selection.origin_ns = trace().origin_ns;
  state_.selection.generation = snapshot_->generation;
}

void Workspace::on(const command::ToggleAreaLane& c) {
  if (!state_.selection.range || idx(c.lane) >= trace().lanes.size()) return;
  auto lanes = toggled_area(trace(), state_.selection.lanes, c.lane);
  if (!lanes) {
    notice_ = "an area has at least one lane" + around_key(Action::ClearSelection, "; ", " removes it");
    return;
  }
  state_.selection.lanes = std::move(*lanes);
}

void Workspace::on(const command::SelectEverything&) { on(command::SelectRange{shown_extent(trace()), {}}); }
void Workspace::on(const command::CopyText& c) {
  c.text.empty() ? copy_selection(TableFormat::Tsv) : requests_.copies.push_back(c.text);
}

void Workspace::on(const command::CopyMarkdown&) { copy_selection(TableFormat::Markdown); }

void Workspace::on(const command::SelectSlice& c) {
  select(c.slice, c.reveal);
  if (!c.reveal) state_.panels.selected(true);  // clicked in the lanes
}

void Workspace::on(const command::RangeOfSelection&) {
  if (const auto time = state_.selection.has_slice() || state_.selected.gap ? selected_time() : std::nullopt) on(command::SelectRange{*time, {}});
}

void Workspace::on(const command::NextSlice&) {
  if (state_.selection.has_slice()) step_selection(next_in_lane(trace(), state_.selection.slice));
}

void Workspace::on(const command::PreviousSlice&) {
  if (state_.selection.has_slice()) step_selection(previous_in_lane(trace(), state_.selection.slice));
}

void Workspace::on(const command::ParentSlice&) {
  if (state_.selection.has_slice()) step_selection(parent_of(trace(), state_.selection.slice));
}

void Workspace::on(const command::ChildSlice&) {
  if (state_.selection.has_slice()) step_selection(children_of(trace(), state_.selection.slice).first);
}

}  // namespace tv
