#include "core/session/search/filtered_slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/count_text.h"
#include "core/session/records/arg_values.h"

namespace tv {

FilteredSlices filter_slices(const Trace& trace, std::string_view expression, const StatsQuery& scope,
                             ThreadPool& pool, std::stop_token stop) {
  FilteredSlices out;
  const auto filter = parse_slice_filter(expression);
  if (!filter) {
    out.complaint = filter.error().text();
    return out;
  }
  const std::vector<std::string> keys = args_of(filter.value());
  std::vector<SliceId> inside = counted_slices(trace, scope);
  std::vector<Tri> holds = evaluate(trace, filter.value(), {}, false, stop);
  if (!keys.empty()) {
    std::vector<SliceId> undecided;
    for (const SliceId id : inside) {
      if (holds[idx(id)] == Tri::Unknown) undecided.push_back(id);
    }
    const ArgColumns args = read_args(trace, keys, std::move(undecided), pool, stop);
    out.limits = args.limits();
    out.failed = args.failed;
    if (args.cancelled) return out;
    for (std::size_t k = 0; k < keys.size() && args.read > args.failed; ++k) {
      if (args.values[k].slices.empty()) {
        out.limits += fmt::format("; none of {} has an argument \"{}\"", count_text(args.read, "slice"), keys[k]);
      }
    }
    holds = evaluate(trace, filter.value(), args.values, true, stop);
  }
  if (stop.stop_requested()) return out;
  auto mask = std::make_shared<SliceMask>(trace.items(), false);
  for (const SliceId id : inside) {
    if (holds[idx(id)] != Tri::Yes) continue;
    (*mask)[idx(id)] = true;
    out.slices.push_back(id);
  }
  std::ranges::sort(out.slices);
  out.mask = std::move(mask);
  return out;
}

}  // namespace tv
