#include "core/store/segments/view_logs.h"

#include <algorithm>
#include <span>
#include <vector>

namespace tv {
namespace {

bool has_same_lines(const ViewPart& a, const ViewPart& b) {
  if (a.first_source != b.first_source) return false;
  return (a.segment == b.segment && a.shift == b.shift) || (a.segment->rollout.empty() && b.segment->rollout.empty());
}

void add_rollouts(Trace& view, const Trace* earlier) {
  RolloutLog& all = view.rollout;
  std::vector<const RolloutLog*> logs;
  for (const ViewPart& part : view.parts) logs.push_back(&part.segment->rollout);
  const std::size_t shared = earlier ? same_log_parts(view, *earlier) : 0;
  for (std::size_t p = 0; p < shared; ++p) {
    view.parts[p].log_end = earlier->parts.empty() ? earlier->rollout.end() : earlier->parts[p].log_end;
  }
  if (shared > 0) all = earlier->rollout.first(view.parts[shared - 1].log_end);
  for (std::size_t p = shared; p < view.parts.size(); ++p) {
    ViewPart& part = view.parts[p];
    if (!all.empty() || part.shift.by != 0) {
      all.reserve_for(std::span(logs).subspan(p, 1));
      all.append(*logs[p], part.first_source, part.shift.by);
    } else if (!logs[p]->empty()) {
      all = logs[p]->copy();  // shares the lines with the segment
      for (RolloutFile& file : all.files) file.source += part.first_source;
    }
    all.share();
    part.log_end = all.end();
  }
}

}  // namespace

std::size_t same_log_parts(const Trace& view, const Trace& earlier) {
  if (view.parts.empty()) return &view == &earlier ? 1 : 0;
  if (earlier.parts.empty()) {
    const ViewPart& first = view.parts.front();
    return first.segment.get() == &earlier && first.shift.by == 0 && first.first_source == 0 ? 1 : 0;
  }
  const auto differ = std::ranges::mismatch(view.parts, earlier.parts, has_same_lines);
  return static_cast<std::size_t>(differ.in1 - view.parts.begin());
}

void add_logs(Trace& view, const Trace* earlier) {
  add_rollouts(view, earlier);
  for (const ViewPart& part : view.parts) {
    view.metrics.append(part.segment->metrics, part.first_source, part.shift.by);
    view.pipeline.append(part.segment->pipeline, part.first_source, part.shift.by);
  }
}

}  // namespace tv
