#include "core/analysis/rollout/known_requests.h"

#include <algorithm>
#include <optional>

namespace tv {
namespace {

// How many of the first files have all their lines in what two logs share.
std::size_t shared_files(const RolloutLog& now, const RolloutLog& before) {
  std::size_t files = std::min(now.files.size(), before.files.size());
  const auto end_at = [&](const auto& list, const auto& other) {
    const std::size_t shared = list.shared_with(other);
    if (shared < list.size()) files = std::min<std::size_t>(files, list[shared].file);
    if (shared < other.size()) files = std::min<std::size_t>(files, other[shared].file);
  };
  end_at(now.requests, before.requests);
  end_at(now.phases, before.phases);
  return files;
}

// How many of the first files of a trace are as they were, and at the same times: lines that are moved are no longer shared.
std::uint32_t same_files(const Trace& trace, const Trace& earlier) {
  const std::size_t shared = shared_files(trace.rollout, earlier.rollout);
  const auto is_same = [&](std::size_t f) {
    const RolloutFile &a = trace.rollout.files[f], &b = earlier.rollout.files[f];
    return a.source == b.source && a.step == b.step && a.worker == b.worker && trace.sources[a.source].path == earlier.sources[b.source].path;
  };
  std::uint32_t files = 0;
  while (files < shared && is_same(files)) ++files;
  return files;
}

// How many lines of a log are of its first files.
template <class List>
std::uint32_t lines_of(const List& list, std::uint32_t files) {
  std::size_t first = 0, last = list.size();
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    if (list[middle].file < files) first = middle + 1;
    else last = middle;
  }
  return static_cast<std::uint32_t>(first);
}

// Where slices of a trace are: those of a segment, as the trace has them.
struct Part {
  const Trace* segment;
  std::size_t first, end;
};
std::vector<Part> parts_of(const Trace& trace) {
  if (trace.parts.empty()) return {{&trace, 0, trace.items()}};
  std::vector<Part> parts;
  for (const ViewPart& part : trace.parts) {
    parts.push_back({part.segment.get(), part.first_slice, part.first_slice + part.segment->items()});
  }
  return parts;
}

// Slices of known requests where they are now: those of a segment that is there again have the same places in it.
using SliceOf = std::pair<SliceId, RequestIx>;
std::optional<std::vector<SliceOf>> where_they_are(const Trace& trace, const Rollout& earlier, RequestIx known) {
  std::vector<SliceOf> out;
  out.reserve(known);
  const std::vector<Part> now = parts_of(trace);
  for (const Part& part : parts_of(*earlier.trace)) {
    const auto found = std::ranges::find(now, part.segment, &Part::segment);
    const auto from = [&](std::size_t slice) {
      return std::ranges::lower_bound(earlier.by_slice, id_at<SliceId>(slice), {}, &SliceOf::first);
    };
    const auto first = from(part.first), end = from(part.end);
    const auto is_known = [&](const SliceOf& of) { return of.second < known; };
    if (found == now.end()) {
      if (std::any_of(first, end, is_known)) return std::nullopt;
      continue;
    }
    for (auto of = first; of != end; ++of) {
      if (is_known(*of)) out.emplace_back(id_at<SliceId>(idx(of->first) - part.first + found->first), of->second);
    }
  }
  if (!std::ranges::is_sorted(out)) std::ranges::sort(out);
  return out;
}

}  // namespace

KnownRequests known_requests(const Trace& trace, const Rollout* earlier) {
  if (!earlier || earlier->steps.empty()) return {};
  KnownRequests known;
  const auto& parts = earlier->worker_steps;
  known.files = same_files(trace, *earlier->trace);
  const auto is_known = [&](const WorkerStep& part) { return part.file < known.files; };
  const auto first_new = std::ranges::find_if_not(parts, is_known);
  if (first_new == parts.begin() || std::any_of(first_new, parts.end(), is_known)) return {};
  known.rows = lines_of(trace.rollout.requests, known.files);
  known.phases = lines_of(trace.rollout.phases, known.files);
  known.worker_steps = static_cast<std::uint32_t>(first_new - parts.begin());
  known.requests = first_new[-1].end;
  auto by_slice = where_they_are(trace, *earlier, known.requests);
  if (!by_slice) return {};
  known.by_slice = std::move(*by_slice);
  return known;
}

}  // namespace tv
