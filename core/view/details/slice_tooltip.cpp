#include "core/view/details/slice_tooltip.h"

#include <fmt/format.h>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/gpu/gpu_marks.h"
#include "core/analysis/rollout/rollout.h"
#include "core/view/details/wait_details.h"
#include "core/view/words/request_label.h"

namespace tv {
namespace {

std::string path_text(const Trace& trace, LaneId lane) {
  return fmt::format("{}", fmt::join(trace.path_of(lane), " / "));
}

void add_request(const Rollout& rollout, SliceId slice, Ns begin, SliceTooltip& out) {
  const auto request = rollout.of_slice(slice);
  if (!request) return;
  const RequestIx r = *request;
  const RolloutRequest& logged = rollout.request(r);
  out.lines.push_back({"request", std::string(rollout.id(r))});
  out.lines.push_back(
      {"of", fmt::format("{}, worker {}", rollout.step_name(rollout.step[r]), rollout.workers[rollout.worker[r]])});
  const bool whole = rollout.slice[r] == slice;
  const auto turns = rollout.turns_of(r);
  const auto turn = whole ? std::nullopt : turn_at(rollout, r, begin);
  if (turn) {
    out.lines.push_back({"turn", fmt::format("{} of {}", *turn + 1, turns.size())});
    if (turns[*turn].tokens >= 0) out.lines.back().value += fmt::format(", {} tokens", turns[*turn].tokens);
  } else if (rollout.turns[r] >= 0) {
    out.lines.push_back({"turns", fmt::format("{}", rollout.turns[r])});
  }
  if (rollout.tokens[r] >= 0) {
    std::string tokens = fmt::format("{}", rollout.tokens[r]);
    if (logged.prompt_tokens >= 0) tokens += fmt::format(", prompt {}", logged.prompt_tokens);
    if (whole && rollout.seconds[r] > 0)
      tokens += fmt::format(", {:.1f} per second", static_cast<double>(rollout.tokens[r]) / rollout.seconds[r]);
    out.lines.push_back({"tokens", std::move(tokens)});
  }
  if (const std::string_view finish = rollout.log().text(logged.finish); !finish.empty())
    out.lines.push_back({"finished", std::string(finish)});
}

}  // namespace

SliceTooltip slice_tooltip(const Trace& trace, const Rollout* rollout, const CollectiveWaits* waits, SliceId slice,
                           const GpuMarks* marks) {
  const ItemRef ref = trace.ref_of(slice);
  const LabelId label = trace.label_of(slice);
  const Ns duration = trace.duration_of(slice), self = trace.self_of(slice);
  SliceTooltip out;
  out.title = trace.labels.name(label);
  if (rollout) {
    if (const auto request = request_of_bar(*rollout, slice))
      out.title = std::string(request_label(*rollout, *request, 0));
  }
  if (out.title.empty()) out.title = "(no name)";
  if (!ref.is(kInstant)) {
    out.lines.push_back({"duration", format_duration(duration)});
    if (ref.is(kUnfinished)) out.lines.back().value += ", never ended in the file";
    if (self != duration) {
      out.lines.back().value +=
          fmt::format(", self {} ({:.0f} %)", format_duration(self),
                      duration > 0 ? 100 * static_cast<double>(self) / static_cast<double>(duration) : 0.0);
    }
  }
  if (rollout) {
    if (std::string text = barrier_text(*rollout, slice); !text.empty()) out.lines.push_back({"barrier", std::move(text)});
  }
  if (rollout) add_request(*rollout, slice, trace.begin_of(slice), out);
  if (waits) {
    if (std::string text = wait_text(*waits, slice); !text.empty())
      out.lines.push_back({"collective", std::move(text)});
  }
  if (marks) {
    if (std::string text = exposed_text(marks->exposed, *marks->activity, slice); !text.empty())
      out.lines.push_back({"exposed", std::move(text)});
  }
  out.lines.push_back({ref.is(kInstant) ? "at" : "begins", format_exact(trace.begin_of(slice))});
  out.lines.push_back({"on", path_text(trace, trace.row(trace.row_of(slice)).lane)});
  if (const std::string_view category = trace.labels.category(label); !category.empty())
    out.lines.push_back({"category", std::string(category)});
  return out;
}

SliceTooltip merged_tooltip(const Trace& trace, const MergedSlices& merged) {
  SliceTooltip out;
  out.title = fmt::format("{} slices here", merged.count);
  out.lines.push_back({"longest", fmt::format("{}, {}", trace.name_of(merged.longest),
                                              format_duration(trace.duration_of(merged.longest)))});
  const double part =
      merged.column > 0 ? 100 * static_cast<double>(merged.busy) / static_cast<double>(merged.column) : 0;
  out.lines.push_back({"together", fmt::format("{} of {} ({:.0f} %)", format_duration(merged.busy),
                                               format_duration(merged.column), part)});
  out.lines.push_back({"on", path_text(trace, trace.row(trace.row_of(merged.longest)).lane)});
  return out;
}

}  // namespace tv
