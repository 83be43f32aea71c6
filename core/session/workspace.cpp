#include "core/session/workspace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/path_parts.h"
#include "core/io/given_path.h"
#include "core/query/carry_time.h"
#include "core/query/neighbours.h"
#include "core/store/unread_sources.h"
#include "core/view/charts_pipeline.h"
#include "core/view/charts_training.h"
#include "core/view/lane_order.h"
#include "core/view/minimap.h"

namespace tv {
namespace {

constexpr double kScrollHalf_s = 0.06;   // the time constant of scrolling, as for the view
constexpr double kSliceMargin = 1.0;     // around a fitted slice, in its own lengths
constexpr double kStepMargin = 0.03;
constexpr double kMarkGrip_px = 3;       // how near to a mark the mouse is on it
constexpr double kLaneMargin_px = 40;    // above a lane that is scrolled to
constexpr float kSmallestInterface = 0.6f, kLargestInterface = 3.0f;
constexpr float kLowestRows = 0.4f, kHighestRows = 4.0f;

}  // namespace

Workspace::Workspace(ThreadPool& pool, std::function<void()> wake, LoadOptions options)
    : pool_(pool),
      session_(pool, wake, options),
      run_(pool, std::move(wake)),
      snapshot_(session_.snapshot()),
      align_what_opens_(options.align_by_barriers) {
  adopt(snapshot_);
}

TimeRange Workspace::limits() const { return reachable_extent(trace()); }

void Workspace::begin_frame(double dt_s, double now_s, const TimelineGeometry& geometry) {
  now_s_ = now_s;
  const bool resized = geometry != geometry_;
  geometry_ = geometry;
  const bool running = session_.status().running();  // asked first: what it has published by then is the newest
  auto newest = session_.snapshot();
  if (before_ && gives_up_nothing(*newest, running)) newest = session_.snapshot();
  if (newest != snapshot_ && !(before_ && newest->trace->lanes.empty())) adopt(std::move(newest));
  if (resized) relayout();
  if (const auto found = session_.record_hits()) hits_ = found->spread;
  run_.follow(snapshot_, selection_);
  look_for_waits();
  if (aligning_) align_clocks();
  const Rollout* const rollout = run_.rollout();
  const bool orderable = lane_order_ && rollout && rollout->trace == snapshot_->trace;
  if (orderable && ordered_for_ != run_.question().step) order_lanes();
  view_.step(dt_s, geometry_.width_px);
  scroll_target_ = clamped_scroll(scroll_target_);
  const double rest = scroll_target_ - scroll_y_;
  scroll_y_ = std::abs(rest) < 0.5 ? scroll_target_ : scroll_y_ + rest * (1 - std::exp(-dt_s / kScrollHalf_s));
}

DropWords Workspace::drop_words(bool add) const {
  if (!anything_open()) return {"Drop: open", {}};
  std::string_view first = session_.paths().front();
  while (first.size() > 1 && first.back() == '/') first.remove_suffix(1);
  const std::string now(last_part(first));
  const std::string what = session_.paths().size() > 1 ? now + " and the others" : now;
  return add ? DropWords{"Drop: open beside " + what, "without Shift: in its place"}
             : DropWords{"Drop: open in place of " + what, "with Shift: beside it"};
}

// What is not there is said, and nothing that is open is given up for it; the dialog stays, so that it can be corrected.
void Workspace::open(const std::vector<std::string>& given, bool add) {
  std::vector<std::string> paths;
  bool any = false;
  for (const std::string& path : given) {
    const auto found = given_path(path);
    any |= found.ok();
    paths.push_back(found ? found.value() : path);  // the import report names what was not found
    if (!found) notice_ += (notice_.empty() ? "" : "; ") + found.error().text();
  }
  if (!any) return;
  dialog_open_ = false;
  if (!add && !before_ && !trace().lanes.empty()) before_ = session_.opened();
  if (add || !before_) begin_anew();
  if (!add && !before_) run_.select_everything();
  session_.open(std::move(paths), add);
  aligning_ = align_what_opens_;
}

// The view is that of what comes next.
void Workspace::begin_anew() {
  fit_next_ = true;
  history_.clear();
}

// Whether what was opened in the place of something is nothing: then all is as it was. When it is something, what was before
// is let go.
bool Workspace::gives_up_nothing(const Snapshot& newest, bool running) {
  const bool published = &newest != before_->snapshot.get();
  if (published && !newest.trace->lanes.empty()) {
    before_.reset();
    begin_anew();
    run_.select_everything();
    return false;
  }
  if (published ? !newest.complete : running) return false;
  if (published) {
    const auto too_large = session_.too_large();
    const std::string why = nothing_read(newest.trace->sources, session_.paths());
    notice_ = too_large ? "this " + too_large->text() : why.empty() ? "there is nothing to show in it" : why;
  }
  session_.go_back_to(std::move(*before_));
  before_.reset();
  aligning_ = false;
  return true;
}

// A snapshot replaces the one before: what is selected and shown stays, as far as it is still there.
void Workspace::adopt(std::shared_ptr<const Snapshot> snapshot) {
  const std::shared_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  selection_.carry_over(*before, *snapshot_);
  const Ns moved = before->trace->origin_ns - trace().origin_ns;
  const bool realigned = before->trace->align != trace().align;
  for (Ns& mark : marks_) mark = carried_time(*before->trace, trace(), mark);
  std::ranges::sort(marks_);
  runs_in_view_ = tv::runs_in_view(trace());
  palette_ = Palette(trace().labels, theme_);
  lanes_.weight.clear();  // of other lanes
  ordered_for_.reset();
  relayout();
  details_.reset();
  if (selection_.has_slice()) details_ = slice_details(trace(), selection_.slice);
  if (!search_text_.empty()) search(search_text_, search_in_records_);
  // Files that gave nothing at all, or more than there is memory for: the report says why.
  const bool nothing = trace().lanes.empty() && !trace().sources.empty();
  if (snapshot_->complete && (nothing || session_.too_large())) {
    drawer_open_ = true;
    drawer_panel_ = "problems";
  }
  if (fit_next_ || fitted_ || realigned) {
    view_.jump(fit(shown_extent(trace()), limits()));
    fitted_ = true;
    fit_next_ = trace().slice_count == 0;
    if (history_.can_go_back()) return;
    history_.clear();
    visit();
    return;
  }
  const auto shifted = [&](Viewport view) {
    view.begin += static_cast<double>(moved);
    return clamp(view, limits());
  };
  view_.current = shifted(view_.current);
  view_.target = shifted(view_.target);
}

// Waits until all of it is there: offsets of a part would be worth less, and each time all is read again.
void Workspace::align_clocks() {
  const LoadStatus status = session_.status();
  if (status.running() || session_.snapshot() != snapshot_ || run_.pending()) return;
  aligning_ = false;
  if (status.stage == LoadStatus::Stage::Cancelled || !run_.rollout()) return;
  session_.set_clocks(aligned(trace(), run_.clocks(), session_.clocks()));
}

void Workspace::relayout() {
  layout_ = LaneLayout(trace(), lanes_, geometry_.metrics);
  ++layout_version_;
}

// By the step that is looked at: another step, another order.
void Workspace::order_lanes() {
  const Rollout* const rollout = run_.rollout();
  const bool known = lane_order_ && rollout && rollout->trace == snapshot_->trace && run_.question().step;
  ordered_for_ = known ? run_.question().step : std::nullopt;
  lanes_.weight = known ? worker_lane_weights(*rollout, *lane_order_, *ordered_for_) : std::vector<double>();
  relayout();
}

void Workspace::go(const Viewport& target) {
  return_to(target);
  visit();
}

void Workspace::return_to(const std::optional<Visit>& visit) {
  if (!visit) return;
  return_to(visit->view);
  run_.set_chips(visit->filters);
}

void Workspace::return_to(const Viewport& target) {
  view_.target = clamp(target, limits());
  const TimeRange shown = shown_extent(trace());
  fitted_ = view_.target.begin <= static_cast<double>(shown.begin) && view_.target.end() >= static_cast<double>(shown.end);
}

void Workspace::navigate(const HeldKeys& keys, double dt_s, double anchor01) {
  const Viewport next = navigation_.step(view_.target, keys, dt_s, anchor01, geometry_.width_px, limits());
  if (!(next == view_.target)) go(next);
}

void Workspace::set_mouse(std::optional<double> t, SliceId hovered) {
  mouse_t_ = t;
  selection_.hovered = hovered;
}

void Workspace::set_theme(ThemeKind kind) {
  theme_ = kind;
  palette_ = Palette(trace().labels, theme_);
}

double Workspace::clamped_scroll(double y) const {
  return std::clamp(y, 0.0, std::max(0.0, layout_.height() - static_cast<double>(geometry_.height_px)));
}

void Workspace::scroll_to(double y) { scroll_target_ = clamped_scroll(y); }

void Workspace::select(SliceId slice, bool reveal_it) {
  if (slice == kNone<SliceId> || idx(slice) >= trace().slices.size()) return;
  selection_.select(*snapshot_, slice);
  details_ = slice_details(trace(), slice);
  if (reveal_it) reveal(slice);
}

// Brings a slice on the screen: expands what hides it, scrolls to its row, pans (never zooms in) to its time.
void Workspace::reveal(SliceId slice) {
  const RowId row = trace().row_of(slice);
  reveal_lane(trace(), trace().row(row).lane, lanes_);
  relayout();
  const double y = layout_.middle_of(trace(), row), margin = 40;
  if (y < scroll_target_ + margin || y > scroll_target_ + static_cast<double>(geometry_.height_px) - margin) {
    scroll_to(y - static_cast<double>(geometry_.height_px) / 2);
  }
  const auto begin = static_cast<double>(trace().slices.begin[idx(slice)]);
  const auto length = static_cast<double>(trace().slices.duration[idx(slice)]);
  const Viewport& view = view_.target;
  const bool visible = begin + length > view.begin && begin < view.end();
  if (length > view.span) {
    go(fit({static_cast<Ns>(begin), static_cast<Ns>(begin + length)}, limits()));
  } else if (!visible || begin < view.begin || begin + length > view.end()) {
    go(center_on(view, begin + length / 2, limits()));
  }
}

void Workspace::step_selection(std::optional<SliceId> next) {
  if (next) select(*next, true);
}

void Workspace::fit_slice(SliceId slice) {
  const Ns begin = trace().slices.begin[idx(slice)], length = std::max<Ns>(trace().slices.duration[idx(slice)], 1);
  reveal(slice);
  go(fit({begin, begin + length}, limits(), kSliceMargin));
}

void Workspace::select_request(RequestIx request, bool fit_it) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || rollout->trace != snapshot_->trace || request >= rollout->size()) return;
  run_.look_at_request(request);
  const SliceId slice = rollout->slice[request];
  if (slice == kNone<SliceId>) return;
  select(slice, true);
  if (fit_it) fit_slice(slice);
}

void Workspace::go_to_step(std::uint32_t step) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || step >= rollout->steps.size()) return;
  run_.look_at_step(step);
  if (run_.training()) run_.look_at_training_step(rollout->steps[step].step);
  go(fit(rollout->steps[step].extent, limits(), kStepMargin));
}

// Where the rollout of the step is open too, and the two were joined, both are looked at.
void Workspace::go_to_training_step(std::uint32_t line) {
  const Training* const training = run_.training();
  if (!training || line >= training->log().steps.size()) return;
  const MetricStep& step = training->log().steps[line];
  run_.look_at_training_step(step.step);
  if (const Rollout* const rollout = run_.rollout()) {
    const auto same = std::ranges::find_if(rollout->steps, [&](const RolloutStep& other) {
      return other.step == step.step && other.extent.begin < step.begin + step.duration && step.begin < other.extent.end;
    });
    if (same != rollout->steps.end()) run_.look_at_step(static_cast<std::uint32_t>(same - rollout->steps.begin()));
  }
  if (step.duration > 0) go(fit({step.begin, step.begin + step.duration}, limits(), kStepMargin));
}

const StepSource* Workspace::step_source() const {
  const RunData& data = run_.data();
  if (data.rollout || data.training || !data.steps) return nullptr;
  if (selection_.has_slice()) {
    LaneId process = trace().row(trace().row_of(selection_.slice)).lane;
    while (trace().lane(process).parent != kNone<LaneId>) process = trace().lane(process).parent;
    const auto own = std::ranges::find_if(*data.steps, [&](const StepSource& s) {
      return s.kind == StepsOf::Marked && s.of == trace().lane(process).name && s.steps.size() > 1;
    });
    if (own != data.steps->end()) return &*own;
  }
  const auto several = std::ranges::find_if(*data.steps, [](const StepSource& s) { return s.steps.size() > 1; });
  return several == data.steps->end() ? &data.steps->front() : &*several;
}

std::optional<std::uint32_t> Workspace::marked_step() const {
  const StepSource* const source = step_source();
  if (!source || fitted_) return std::nullopt;
  const double middle = view_.target.begin + view_.target.span / 2;
  const auto after = std::ranges::partition_point(
      source->steps, [&](const StepRange& s) { return static_cast<double>(s.range.begin) <= middle; });
  if (after == source->steps.begin()) return std::nullopt;
  return static_cast<std::uint32_t>(after - source->steps.begin() - 1);
}

void Workspace::go_to_marked_step(std::uint32_t step) {
  const StepSource* const source = step_source();
  if (!source || step >= source->steps.size()) return;
  const StepRange& wanted = source->steps[step];
  if (source->kind == StepsOf::Pipeline) run_.set_chart(std::string(kPipelineStep), std::to_string(wanted.number));
  go(fit(wanted.range, limits(), kStepMargin));
}

// From the one that is looked at; without one, or with everything in sight, from before the first or after the last.
void Workspace::next_step(bool forward) {
  const auto step_from = [&](std::optional<std::uint32_t> at, std::size_t count) -> std::optional<std::uint32_t> {
    if (!at) return forward ? 0u : static_cast<std::uint32_t>(count - 1);
    if (forward ? *at + 1 >= count : *at == 0) return std::nullopt;
    return forward ? *at + 1 : *at - 1;
  };
  if (run_.rollout()) {
    const std::optional<std::uint32_t> step = run_.question().step;
    if (!step) return;
    if (const auto next = step_from(step, run_.rollout()->steps.size())) go_to_step(*next);
  } else if (const Training* const training = run_.training()) {
    const TrainingRun& run = run_in_question(*training, run_.question().settings);
    const auto& number = run_.question().training_step;
    // Those that took no time (a validation before the first step) have no place on the timeline.
    const auto takes_time = [&](std::uint32_t s) { return training->log().steps[run.records[s]].duration > 0; };
    auto next = step_from(number ? run.index_of(*number) : std::nullopt, run.steps.size());
    while (next && !takes_time(*next)) next = step_from(next, run.steps.size());
    if (next) go_to_training_step(run.records[*next]);
  } else if (const StepSource* const source = step_source()) {
    if (const auto next = step_from(marked_step(), source->steps.size())) go_to_marked_step(*next);
  }
}

// The step of a pipeline whose stages are shown is the one on the timeline.
void Workspace::set_chart(const std::string& setting, const std::string& value) {
  run_.set_chart(setting, value);
  if (setting != kPipelineStep || !run_.data().pipelines) return;
  const auto number = static_cast<std::int64_t>(run_.question().settings.number(kPipelineStep, -1));
  for (const PipelineSummary& run : *run_.data().pipelines) {
    const auto step = std::ranges::find(run.steps, number, &PipelineStepSummary::number);
    if (step != run.steps.end()) return go(fit(step->span, limits(), kStepMargin));
  }
}

void Workspace::go_to_worker_step(std::uint32_t worker_step) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || worker_step >= rollout->worker_steps.size()) return;
  const WorkerStep& part = rollout->worker_steps[worker_step];
  go_to_step(part.step);
  run_.look_at_worker_step(worker_step);
  if (part.first == part.end || rollout->trace != snapshot_->trace) return;
  // The lane itself, from its top: a request in the middle of hundreds would not tell where one is.
  const SliceId slice = rollout->slice[part.first];
  if (slice != kNone<SliceId>) {
    const LaneId lane = trace().row(trace().row_of(slice)).lane;
    reveal_lane(trace(), lane, lanes_);
    relayout();
    scroll_to(layout_.box_of(lane).y - kLaneMargin_px);
  }
}

void Workspace::search(const std::string& text, bool in_records) {
  search_text_ = text;
  search_in_records_ = in_records;
  search_labels_ = in_records ? LabelSet() : find_labels(trace().labels, text);
  hits_ = hit_spread(trace(), search_labels_, pool_);
  session_.search_records(*snapshot_, in_records ? text : std::string());
}

// From the selection, else from the left edge of the view; after the last comes the first.
void Workspace::next_hit(bool forward) {
  const bool from_selection = selection_.has_slice();
  const Ns t = range_of(view_.target).begin;
  if (const auto hits = session_.record_hits()) {
    const SliceId from = from_selection ? selection_.slice : SliceId{0};
    const Ns begin = from_selection ? trace().slices.begin[idx(from)] : t;
    return select(tv::next_hit(trace(), *hits, begin, from, forward), true);
  }
  if (search_labels_.empty()) return;
  std::optional<SliceId> hit;
  if (forward) {
    hit = from_selection ? tv::next_hit(trace(), search_labels_, selection_.slice)
                         : tv::next_hit(trace(), search_labels_, t);
    if (!hit) hit = tv::next_hit(trace(), search_labels_, std::numeric_limits<Ns>::min());
  } else {
    hit = from_selection ? tv::previous_hit(trace(), search_labels_, selection_.slice)
                         : tv::previous_hit(trace(), search_labels_, t);
    if (!hit) hit = tv::previous_hit(trace(), search_labels_, std::numeric_limits<Ns>::max());
  }
  step_selection(hit);
}

// Where the mouse is; with the mouse elsewhere, at the begin of what is selected. A second time at the same place, as a hand can
// tell, takes it away.
void Workspace::add_mark(std::optional<Ns> t) {
  const double grip = t ? 0 : view_.current.span / static_cast<double>(geometry_.width_px) * kMarkGrip_px;
  if (!t && mouse_t_) t = static_cast<Ns>(std::llround(*mouse_t_));
  if (!t && selection_.has_slice()) t = trace().slices.begin[idx(selection_.slice)];
  if (!t) return;
  const auto near = nearest_mark(static_cast<double>(*t));
  if (near != marks_.end() && std::abs(static_cast<double>(*near - *t)) <= grip) {
    marks_.erase(near);
  } else {
    marks_.insert(std::lower_bound(marks_.begin(), marks_.end(), *t), *t);
  }
}

std::vector<Ns>::iterator Workspace::nearest_mark(double t) {
  return std::ranges::min_element(marks_, {}, [&](Ns mark) { return std::abs(static_cast<double>(mark) - t); });
}

// Of those in sight: nobody wants to lose one that is not.
void Workspace::delete_mark() {
  const double begin = view_.current.begin, end = view_.current.end();
  const auto nearest = nearest_mark(std::clamp(mouse_t_.value_or((begin + end) / 2), begin, end));
  if (nearest == marks_.end() || static_cast<double>(*nearest) < begin || static_cast<double>(*nearest) > end) return;
  marks_.erase(nearest);
}

void Workspace::toggle_panel(const std::string& id) {
  if (id == "drawer") {
    drawer_open_ = !drawer_open_;
    return;
  }
  drawer_open_ = !(drawer_open_ && drawer_panel_ == id);
  drawer_panel_ = id;
}

std::string Workspace::selection_text() const {
  if (details_) return details_->text();
  if (!selection_.range) return {};
  return format_exact(selection_.range->begin) + " .. " + format_exact(selection_.range->end) + " (" +
         format_exact(selection_.range->length()) + ")";
}

void Workspace::apply(const Command& any) {
  using namespace command;
  std::visit(
      Overloaded{
          [&](const OpenPaths& c) {
            if (!c.paths.empty()) open(c.paths, c.add);
          },
          [&](const OpenPart& c) {
            if (!anything_open()) return;
            fit_next_ = true;
            history_.clear();
            session_.open_part(c.choice);
          },
          [&](const OpenDialog& c) {
            dialog_open_ = !dialog_open_;
            dialog_adds_ = c.add;
          },
          [&](const CloseAll&) {
            selection_.clear();
            details_.reset();
            marks_.clear();
            run_.select_everything();
            fit_next_ = true;
            before_.reset();
            session_.close();
          },
          [&](const Reload&) {
            if (anything_open()) session_.reload();
          },
          [&](const SetClocks& c) { session_.set_clocks(c.offsets); },
          [&](const PlaceClocks& c) { session_.set_place_by(c.by); },
          [&](const AlignRuns& c) {
            const auto next = static_cast<Align>((static_cast<int>(session_.align()) + 1) % static_cast<int>(Align::kCount));
            session_.set_align(c.align.value_or(next));
          },
          [&](const AlignClocks&) { aligning_ = true; },
          [&](const CancelLoading&) { session_.cancel(); },
          [&](const SelectSlice& c) { select(c.slice, c.reveal); },
          [&](const SelectRange& c) {
            selection_.range = c.range;
            selection_.lanes = c.lanes;
            selection_.made_in = c.chart;
            selection_.origin_ns = trace().origin_ns;
            selection_.generation = snapshot_->generation;
          },
          [&](const RangeOfSelection&) {
            if (!selection_.has_slice()) return;
            const Ns begin = trace().slices.begin[idx(selection_.slice)];
            apply(SelectRange{{begin, begin + trace().slices.duration[idx(selection_.slice)]}, {}});
          },
          [&](const ClearSelection&) {
            // One layer per press: help, dialog, search, area, slice.
            if (help_open_) {
              help_open_ = false;
            } else if (dialog_open_) {
              dialog_open_ = false;
            } else if (search_open_) {
              search_open_ = false;
              search({}, false);
            } else if (!run_.brush().empty()) {
              run_.set_brush({}, {});
            } else if (selection_.range) {
              selection_.range.reset();
              selection_.lanes.clear();
              selection_.made_in.clear();
            } else {
              selection_.clear();
              details_.reset();
            }
          },
          [&](const NextSlice&) {
            if (selection_.has_slice()) step_selection(next_in_lane(trace(), selection_.slice));
          },
          [&](const PreviousSlice&) {
            if (selection_.has_slice()) step_selection(previous_in_lane(trace(), selection_.slice));
          },
          [&](const ParentSlice&) {
            if (selection_.has_slice()) step_selection(parent_of(trace(), selection_.slice));
          },
          [&](const ChildSlice&) {
            if (selection_.has_slice()) step_selection(children_of(trace(), selection_.slice).first);
          },
          [&](const FollowFlow& c) { follow_flow(c.forward); },
          [&](const FitAll&) { go(fit(shown_extent(trace()), limits())); },
          [&](const FitSelection&) {
            if (selection_.range) {
              go(fit(*selection_.range, limits()));
            } else if (selection_.has_slice()) {
              fit_slice(selection_.slice);
            }
          },
          [&](const ZoomTo& c) { go(fit(c.range, limits(), 0)); },
          [&](const ZoomBy& c) { go(zoom_at(view_.target, c.anchor01, c.factor, limits())); },
          [&](const PanBy& c) {
            // Dragging must stay under the mouse: no gliding.
            go(pan(view_.target, c.spans, limits()));
            view_.jump(view_.target);
          },
          [&](const ScrollBy& c) { scroll_to(scroll_target_ + c.pixels); },
          [&](const Back&) { return_to(history_.back()); },
          [&](const Forward&) { return_to(history_.forward()); },
          [&](const ToggleLane& c) {
            toggle_lane(trace(), c.lane, lanes_);
            relayout();
          },
          [&](const CollapseAll& c) {
            set_all_collapsed(trace(), c.collapsed, lanes_);
            relayout();
          },
          [&](const ScaleRows& c) {
            lanes_.row_scale = std::clamp(lanes_.row_scale * c.factor, kLowestRows, kHighestRows);
            relayout();
          },
          [&](const FilterLanes& c) {
            lanes_.filter = c.words;
            relayout();
            scroll_to(0);
          },
          [&](const OrderLanes& c) {
            lane_order_ = c.by;
            order_lanes();
          },
          [&](const OpenSearch& c) {
            search_open_ = true;
            if (c.in_records != search_in_records_) search(search_text_, c.in_records);
          },
          [&](const Search& c) { search(c.text, c.in_records); },
          [&](const NextHit& c) { next_hit(c.forward); },
          [&](const FilterRequests& c) {
            run_.add_chip(c.expression);
            visit();
          },
          [&](const RemoveFilter& c) {
            run_.remove_chip(c.index);
            visit();
          },
          [&](const BrushRequests& c) { run_.set_brush(c.expression, c.chart); },
          [&](const SelectRequest& c) { select_request(c.request, c.fit); },
          [&](const GoToStep& c) { go_to_step(c.step); },
          [&](const GoToTrainingStep& c) { go_to_training_step(c.line); },
          [&](const GoToMarkedStep& c) { go_to_marked_step(c.step); },
          [&](const NextStep& c) { next_step(c.forward); },
          [&](const GoToWorkerStep& c) { go_to_worker_step(c.worker_step); },
          [&](const NextSlowest& c) {
            if (const auto request = run_.next_slowest(c.forward)) select_request(*request, true);
          },
          [&](const ToggleScriptReading&) { run_.toggle_script_reading(); },
          [&](const SetChart& c) { set_chart(c.setting, c.value); },
          [&](const AddMark& c) { add_mark(c.t); },
          [&](const DeleteMark&) { delete_mark(); },
          [&](const TogglePanel& c) { toggle_panel(c.id); },
          [&](const ToggleHelp&) { help_open_ = !help_open_; },
          [&](const ToggleTheme&) { set_theme(theme_ == ThemeKind::Dark ? ThemeKind::Light : ThemeKind::Dark); },
          [&](const ToggleFullScreen&) { requests_.toggle_full_screen = true; },
          [&](const ScaleInterface& c) {
            interface_scale_ =
                c.factor == 0 ? 1 : std::clamp(interface_scale_ * c.factor, kSmallestInterface, kLargestInterface);
          },
          [&](const Screenshot& c) { requests_.screenshots.push_back(c); },
          [&](const CopyText& c) {
            std::string text = c.text.empty() ? selection_text() : c.text;
            if (!text.empty()) requests_.copies.push_back(std::move(text));
          },
          [&](const SaveText& c) { requests_.files.push_back(c); },
          [&](const Quit&) { requests_.quit = true; },
      },
      any);
}

}  // namespace tv
