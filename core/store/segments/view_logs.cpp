#include "core/store/segments/view_logs.h"

#include <algorithm>
#include <span>
#include <vector>

namespace tv {
namespace {

// How many of the first parts have the same lines at the same places; where these end is taken over.
std::size_t same_parts(Trace& view, const Trace& earlier) {
  std::size_t p = 0;
  for (; p < std::min(earlier.parts.size(), view.parts.size()); ++p) {
    const ViewPart& was = earlier.parts[p];
    ViewPart& part = view.parts[p];
    if (was.segment != part.segment || was.shift != part.shift || was.first_source != part.first_source) break;
    part.log_end = was.log_end;
  }
  return p;
}

void add_rollouts(Trace& view, const Trace* earlier) {
  RolloutLog& all = view.rollout;
  std::vector<const RolloutLog*> logs;
  for (const ViewPart& part : view.parts) logs.push_back(&part.segment->rollout);
  const auto after = [&](std::size_t p) { return std::span(logs).subspan(p); };
  std::size_t p = earlier ? same_parts(view, *earlier) : 0;
  if (p > 0) all = earlier->rollout.first(view.parts[p - 1].log_end, after(p));
  for (; p < view.parts.size(); ++p) {
    ViewPart& part = view.parts[p];
    if (!all.empty() || part.shift != 0) {
      all.reserve_for(after(p).first(1));
      all.append(*logs[p], part.first_source, part.shift);
    } else if (!logs[p]->empty()) {
      all = logs[p]->copy(after(p + 1));
      for (RolloutFile& file : all.files) file.source += part.first_source;
    }
    all.share();
    part.log_end = all.end();
  }
}

}  // namespace

void add_logs(Trace& view, const Trace* earlier) {
  add_rollouts(view, earlier);
  for (const ViewPart& part : view.parts) {
    view.metrics.append(part.segment->metrics, part.first_source, part.shift);
    view.pipeline.append(part.segment->pipeline, part.first_source, part.shift);
  }
}

}  // namespace tv
