#include "app/stage/run_screenshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/stage/headless_stage.h"
#include "app/stage/picture_parts.h"
#include "app/terminal/say.h"
#include "app/verbs/headless_load.h"
#include "core/analysis/clocks/align_advice.h"
#include "core/query/search/search.h"
#include "core/session/desk/view_state.h"
#include "core/session/packed/known_damage.h"
#include "core/session/persistence/view_file.h"
#include "core/store/draft/unread_sources.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

// Finds the longest slice in the range whose name contains the text; an instant only if there is no slice.
SliceId longest_with_name(const Trace& trace, const std::string& text, const TimeRange& range) {
  const LabelSet labels = find_labels(trace.labels, text);
  SliceId best = kNone<SliceId>;
  for (const SliceId slice : trace.ids()) {
    if (!labels.contains(trace.label_of(slice))) continue;
    if (trace.begin_of(slice) >= range.end || trace.end_of(slice) < range.begin) continue;
    if (best == kNone<SliceId> || trace.duration_of(slice) > trace.duration_of(best)) best = slice;
  }
  return best;
}

// Goes to the requested step, and puts the lanes or the step's workers in the requested order.
Result<void> show_step(HeadlessStage& stage, const Options& options) {
  if (!options.step && options.order.empty()) return {};
  stage.settle();
  const Rollout* const rollout = stage.workspace().run().rollout();
  const auto measure = heat_measure(options.order);
  const auto sort = lane_sort(options.order);
  if (sort && (!measure || !rollout)) {
    stage.workspace().apply(command::SortLanes{sort});
    if (!options.step) return {};
  }
  if (!rollout)
    return Error{"no rollout log among the files",
                 {},
                 {},
                 "--step, and --sort by tokens or requests, need step_N/worker_M.jsonl"};
  if (options.step) {
    const auto step = step_of_number(*rollout, *options.step);
    if (!step) return Error{fmt::format("there is no step {}", *options.step), {}, {}, {}};
    stage.workspace().apply(command::GoToStep{*step});
  }
  if (measure) stage.workspace().apply(command::OrderLanes{measure});
  stage.frames(3);
  return {};
}

struct Attempt {
  int exit;
  bool written = false;  // also true if writing began and failed
};

Attempt failed(const std::string& why, bool written = false) {
  say(stderr, "traceview: {}\n", why);
  return {exit_code::kFailed, written};
}

// `known`: the last result of look_for_damage(). The picture is not written if damage was found since.
Attempt picture_once(const Options& options, std::uint64_t known) {
  HeadlessStage stage(options);
  if (auto opened = options.svg ? Result<void>() : stage.open_gl(); !opened) return failed(opened.error().text());
  Workspace& workspace = stage.workspace();
  workspace.apply(command::OpenPaths{options.paths, false});
  if (!options.view.empty()) {
    auto file = read_view_file(options.view);
    const auto applied = file ? apply_view_state(workspace, file->state) : Result<void>(file.error());
    if (!applied) return failed("--view: " + applied.error().text());
  }
  const std::string refused = workspace.take_notice();
  stage.wait_until_loaded();
  const std::vector<SourceInfo>& sources = workspace.trace().sources;
  for (const std::string& line : unread_lines(sources)) say(stderr, "traceview: {}\n", line);
  if (const auto too_large = workspace.session().too_large(); too_large && too_large->ran_out) {
    return failed("this " + too_large->text() + "; no picture is written");
  }
  // An empty picture is not written, because it could replace a good one.
  if (std::ranges::none_of(
          sources, [](const SourceInfo& s) { return s.state == SourceState::Ready || s.state == SourceState::Part; })) {
    say(stderr, "traceview: {}; no picture is written\n",
        !refused.empty()  ? refused
        : sources.empty() ? nothing_read(sources, options.paths)
                          : std::string("none of the files could be read"));
    return {exit_code::kNotRecognised};
  }
  if (const std::string sentence = align_text(workspace.trace(), workspace.runs_in_view()); !sentence.empty()) {
    say(stderr, "traceview: {}\n", sentence);
  }
  if (!options.lane_filter.empty()) workspace.apply(command::FilterLanes{options.lane_filter});
  if (!workspace.state().lanes.complaint.empty()) return failed("--lanes: " + workspace.state().lanes.complaint);
  stage.frames(3);
  if (auto placed = show_step(stage, options); !placed) return failed(placed.error().text());
  if (!options.time_format.empty()) {
    stage.settle();
    workspace.apply(command::SetTimeFormat{time_format(options.time_format)});
  }
  if (!options.go_to.empty()) {
    stage.settle();
    workspace.apply(command::GoTo{options.go_to});
    if (!workspace.state().boxes.go_to_complaint.empty()) return failed("--go: " + workspace.state().boxes.go_to_complaint);
  }
  if (options.color_blind) workspace.apply(command::SetAppearance{.palette = PaletteKind::ColorBlind, .reduced_motion = {}});
  if (auto shown = show_panel(stage, options); !shown) return failed("--panel: " + shown.error().text());
  if (!options.color_by.empty()) {
    stage.settle();
    workspace.apply(command::ColorSlices{color_rule(options.color_by)});
    if (const std::string why = workspace.take_notice(); !why.empty()) return failed("--colour: " + why);
  }
  const TimeRange whole = reachable_extent(workspace.trace());
  const std::string nothing = nothing_in_range(options, workspace.trace());
  if (!nothing.empty()) return failed(nothing + "; no picture is written");
  const TimeRange range = !options.range ? TimeRange{whole.begin, whole.end + 1}
                                         : TimeRange{std::max(options.range->begin, whole.begin),
                                                     std::min(options.range->end, whole.end)};
  if (!options.select.empty()) {
    const SliceId slice = longest_with_name(workspace.trace(), options.select, range);
    if (slice == kNone<SliceId>) {
      return failed(fmt::format("no slice{} has \"{}\" in its name", options.range ? " in the range" : "", options.select));
    }
    workspace.apply(command::SelectSlice{slice, true});
  }
  if (options.range) workspace.apply(command::ZoomTo{range});  // after the selection, which moves the view
  stage.settle();
  const auto picture = draw_picture(stage, options);
  if (!picture) return failed(picture.error().text());
  if (look_for_damage() != known) return {exit_code::kFailed};
  if (auto done = write_picture(options, picture.value()); !done) return failed(done.error().text(), true);
  if (const auto too_large = workspace.session().too_large()) {
    return failed("the picture shows a part: this " + too_large->text(), true);
  }
  return {exit_code::kOk, true};
}

}  // namespace

// For a packed trace, only the blocks that are drawn are checked (known_damage.h). If a block turns out to be damaged, the picture
// is drawn again without the trace, and an error is printed. Each round finds another damaged file, so the loop ends.
int run_screenshot(const Options& options) {
  for (std::uint64_t known = look_for_damage();;) {
    const Attempt attempt = picture_once(options, known);
    if (attempt.written) return attempt.exit;
    const std::uint64_t before = std::exchange(known, look_for_damage());
    if (known == before) return attempt.exit;
  }
}

}  // namespace tv
