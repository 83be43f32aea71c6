#include "core/analysis/clocks/align_advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace tv {

Ns RunsInView::folded() const {
  Ns sum = 0;
  for (const FoldedGap& gap : gaps) sum += gap.removed;
  return sum;
}

RunsInView runs_in_view(const Trace& trace) {
  std::vector<RecordedSource> recorded;
  std::vector<RunShift> aligned;
  for (const SourceInfo& source : trace.sources) {
    if (source.work == TimeRange{}) continue;
    const CommonRange work = (view_origin(trace) + source.aligned.inverse())(ViewRange::of(source.work));
    recorded.push_back({work, work, source.run, source.process});
    aligned.push_back(source.aligned);
  }
  RunsInView out;
  const AlignedRuns runs = align_runs(recorded, Align::Recorded);
  out.runs = runs.work.size();
  out.runs_from_zero = align_runs(recorded, Align::Zero).work.size();
  out.filled = filled(runs);
  if (!runs.work.empty()) {
    out.span = std::ranges::max(runs.work, {}, &CommonRange::end).end - std::ranges::min(runs.work, {}, &CommonRange::begin).begin;
  }
  out.sparse = trace.align == Align::Recorded && is_mostly_empty(runs);
  if (trace.align != Align::Fold) return out;
  std::vector<RunShift> shift(out.runs);  // by run: how far alignment moved it
  for (std::size_t s = 0; s < aligned.size(); ++s) shift[runs.run[s]] = aligned[s];
  for (std::size_t r = 1; r < out.runs; ++r) {
    const AlignedRange at{shift[r - 1](runs.work[r - 1].end), shift[r](runs.work[r].begin)};
    const Ns removed = shift[r - 1].by - shift[r].by;
    if (removed > 0) out.gaps.push_back({view_origin(trace).inverse()(at).plain(), removed});
  }
  return out;
}

std::string align_text(const Trace& trace, const RunsInView& runs) {
  if (trace.align == Align::Zero) {
    return fmt::format("{} runs, each from 0 (align zero): a slice's details say when it was recorded", runs.runs_from_zero);
  }
  if (trace.align == Align::Fold) {
    return fmt::format("{} runs one after the other, {} of idle time between them folded away (align fold)", runs.runs,
                       format_duration(runs.folded()));
  }
  if (!runs.sparse) return {};
  return fmt::format("{} runs fill {:.2g} % of the {} from the first to the last: --align fold removes the idle time between "
                     "them{}",
                     runs.runs, 100 * runs.filled, format_duration(runs.span),
                     runs.runs_from_zero > 1 ? ", --align zero lets each begin at 0" : "");
}

}  // namespace tv
