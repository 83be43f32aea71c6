// Several slices, and the area: what is selected, and what is said of it.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/text/utf8.h"
#include "core/query/neighbours.h"
#include "core/session/workspace/workspace.h"
#include "core/view/lanes/area_lanes.h"
#include "core/view/table/statistics_table.h"
#include "core/view/table/table_files.h"
#include "core/view/timeline/minimap.h"

namespace tv {

std::optional<TimeRange> Workspace::selected_time() const {
  if (selection_.range) return selection_.range;
  if (selected_.gap) return selected_.gap->gap.time;
  if (!selection_.has_slice()) return std::nullopt;
  const auto time = [&](SliceId s) {
    return trace().range_of(s);
  };
  TimeRange all = time(selection_.slice);
  for (const SliceId other : selection_.also) all.include(time(other).begin, time(other).end);
  if (selection_.stretch) {
    for (const SliceId end : {selection_.stretch->first, selection_.stretch->last})
      all.include(time(end).begin, time(end).end);
  }
  return all;
}

// What was dragged last: a slice is selected beside an area, and the area is what one means.
void Workspace::copy_selection() {
  if (selection_.range) return copy_area();
  if (std::string text = selection_text(); !text.empty()) requests_.copies.push_back(std::move(text));
}

std::string Workspace::selection_text() const {
  if (selected_.gap) return selected_.gap->text(times_.words());
  if (selected_.details) {
    std::string text = selected_.details->text();
    for (const std::string& difference : differences()) text += difference + "\n";
    return text;
  }
  return {};
}

// Details has asked for it when the slice was selected; of a compressed file it may still be on its way.
void Workspace::on(const command::CopyRecord&) {
  if (!selection_.has_slice()) return;
  const Session::Args args = session_.args(*snapshot_, selection_.slice);
  if (!args.tree) return say("its record is being read");
  if (!args.tree->ok()) return say(args.tree->error().text());
  requests_.copies.push_back(args.tree->value().text);
}

// Its time, and the statistics of what is in it, as a table with tabs between its cells.
void Workspace::copy_area() {
  const TimeRange range = *selection_.range;
  const std::string title = fmt::format("area {} .. {} ({})", time_text(times_.words(), range.begin, 1),
                                        time_text(times_.words(), range.end, 1), format_exact(range.length()));
  count_first("counting what is copied", [this, of = snapshot_, query = StatsQuery{range, selection_.lanes}, title](
                                             ThreadPool& pool, std::stop_token stop) {
    const auto made = std::make_shared<const Statistics>(make_statistics(*of, query, pool, std::move(stop)));
    std::vector<std::uint32_t> rows(made->stats.labels.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const std::string table = table_as_text(StatisticsModel(of->trace, made), rows, statistics_state(), TableFormat::Tsv);
    std::string text = fmt::format("{}\n{}\n{}", title, statistics_headline(*made, query), table);
    return [this, text = std::move(text)] { requests_.copies.push_back(text); };
  });
}

// ---- several slices

void Workspace::on(const command::AddSlice& c) {
  if (c.slice == kNone<SliceId> || idx(c.slice) >= trace().items()) return;
  selected_.gap.reset();
  selection_.gap.reset();
  selection_.add(*snapshot_, c.slice);
  tell_differences();
}

// None of them is selected yet, and none comes twice.
void Workspace::add_slices(const std::vector<SliceId>& slices) {
  if (slices.empty()) return;
  selected_.gap.reset();
  selection_.gap.reset();
  selection_.add_others(*snapshot_, slices);
  tell_differences();
}

void Workspace::tell_differences() {
  selected_.details.reset();
  selected_.differences.clear();
  if (!selection_.has_slice()) return;
  selected_.details = slice_details(trace(), selection_.slice);
  const auto name = [&](SliceId s) { return shortened_utf8(trace().name_of(s)); };
  const auto begin = [&](SliceId s) { return trace().begin_of(s); };
  const auto end = [&](SliceId s) { return begin(s) + trace().duration_of(s); };
  SliceId from = selection_.slice;
  for (const SliceId to : selection_.also) {
    const Ns begins = begin(to) - begin(from), between = begin(to) - end(from);
    selected_.differences.push_back(fmt::format(
        "{} begins {} {} {} begins, {}", name(to), format_exact(std::abs(begins)), begins < 0 ? "before" : "after",
        name(from),
        between >= 0 ? format_exact(between) + " after its end" : format_exact(-between) + " before its end"));
    from = to;
  }
  if (selection_.also.size() > 1) {
    const TimeRange all = *selected_time();
    selected_.differences.push_back(fmt::format("all {}: {} from the first begin to the last end", selection_.also.size() + 1,
                                       format_exact(all.length())));
  }
}

// With nothing selected it begins there.
void Workspace::on(const command::SelectThrough& c) {
  if (c.slice == kNone<SliceId> || idx(c.slice) >= trace().items()) return;
  if (!selection_.has_slice()) return select(c.slice, false);
  const auto stretch = stretch_between(trace(), selection_.slice, c.slice);
  if (!stretch) {
    notice_ = "Shift+click selects from one slice to another of the same lane; Ctrl+click adds one of any lane";
    return;
  }
  selected_.differences.clear();
  selection_.select_stretch(*stretch);
}

// ---- the area

// What the user has hidden is not meant.
void Workspace::on(const command::SelectRange& asked) {
  selection_.range = asked.range;
  selection_.lanes = asked.lanes;
  const bool thinned = !arranged_.state.filter.empty() || !arranged_.state.hidden.empty() || !arranged_.state.only.empty() ||
                       (halves_.split && !halves_.split->lanes[ix(pointer_.half)].empty());
  if (asked.lanes.empty() && asked.chart.empty() && thinned) selection_.lanes = lanes_of_boxes(of(pointer_.half).layout);
  selection_.made_in = asked.chart;
  selection_.origin_ns = trace().origin_ns;
  selection_.generation = snapshot_->generation;
}

void Workspace::on(const command::ToggleAreaLane& c) {
  if (!selection_.range || idx(c.lane) >= trace().lanes.size()) return;
  auto lanes = toggled_area(trace(), selection_.lanes, c.lane);
  if (!lanes) {
    notice_ = "an area has at least one lane; Esc removes it";
    return;
  }
  selection_.lanes = std::move(*lanes);
}

void Workspace::on(const command::SelectEverything&) { on(command::SelectRange{shown_extent(trace()), {}}); }
void Workspace::on(const command::CopyText& c) { c.text.empty() ? copy_selection() : requests_.copies.push_back(c.text); }

void Workspace::on(const command::SelectSlice& c) {
  select(c.slice, c.reveal);
  if (!c.reveal) panels_.selected(true);  // clicked in the lanes
}

void Workspace::on(const command::RangeOfSelection&) {
  if (const auto time = selection_.has_slice() || selected_.gap ? selected_time() : std::nullopt) on(command::SelectRange{*time, {}});
}

void Workspace::on(const command::NextSlice&) {
  if (selection_.has_slice()) step_selection(next_in_lane(trace(), selection_.slice));
}

void Workspace::on(const command::PreviousSlice&) {
  if (selection_.has_slice()) step_selection(previous_in_lane(trace(), selection_.slice));
}

void Workspace::on(const command::ParentSlice&) {
  if (selection_.has_slice()) step_selection(parent_of(trace(), selection_.slice));
}

void Workspace::on(const command::ChildSlice&) {
  if (selection_.has_slice()) step_selection(children_of(trace(), selection_.slice).first);
}

}  // namespace tv
