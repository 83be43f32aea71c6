#include "core/analysis/rollout/known_requests.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/store/trace/lane_tree.h"

namespace tv {
namespace {

// What a trace's log is made of: those of its segments, one after the other.
struct PartLog {
  const RolloutLog* log;
  Ns shift;
};
std::vector<PartLog> logs_of(const Trace& trace) {
  if (trace.parts.empty()) return {{&trace.rollout, 0}};
  std::vector<PartLog> logs;
  for (const ViewPart& part : trace.parts) {
    if (!part.segment->rollout.empty()) logs.push_back({&part.segment->rollout, part.shift});
  }
  return logs;
}

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

// How many of the first files of a trace are as they were, and at the same times.
std::uint32_t same_files(const Trace& trace, const Trace& earlier) {
  const std::vector<PartLog> now = logs_of(trace), before = logs_of(earlier);
  std::size_t shared = 0;
  for (std::size_t p = 0; p < std::min(now.size(), before.size()) && now[p].shift == before[p].shift; ++p) {
    const std::size_t files = shared_files(*now[p].log, *before[p].log);
    shared += files;
    if (files < std::max(now[p].log->files.size(), before[p].log->files.size())) break;
  }
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

// Slices of known requests where they are now. A row that grew has them at the same places.
class Following {
 public:
  Following(const Trace& trace, const Rollout& earlier, RequestIx requests)
      : trace_(trace), before_(*earlier.trace), earlier_(earlier), requests_(requests) {}

  std::optional<std::vector<std::pair<SliceId, RequestIx>>> run() {
    std::unordered_map<std::string, const Lane*> lanes;
    for_each_lane(trace_, [&](const Lane& lane, const std::string& identity) {
      if (lane.kind == LaneKind::Requests) lanes.emplace(identity, &lane);
    });
    out_.reserve(requests_);
    for_each_lane(before_, [&](const Lane& lane, const std::string& identity) {
      if (lane.kind != LaneKind::Requests) return;
      const auto now = lanes.find(identity);
      follow_lane(lane, now == lanes.end() ? nullptr : now->second);
    });
    if (!all_there_) return std::nullopt;
    if (!std::ranges::is_sorted(out_)) std::ranges::sort(out_);
    return std::move(out_);
  }

 private:
  void follow_lane(const Lane& lane, const Lane* now) {
    const auto place = [](const Row& row) { return std::tuple(row.kind, row.slot, row.depth); };
    const std::span<const Row> rows = now ? trace_.rows_of(*now) : std::span<const Row>();
    auto at = rows.begin();
    for (const Row& row : before_.rows_of(lane)) {  // in the order of their places, in both
      if (row.kind != RowKind::Slices || row.count == 0) continue;
      while (at != rows.end() && place(*at) < place(row)) ++at;
      follow_row(row, at != rows.end() && place(*at) == place(row) ? &*at : nullptr);
    }
  }

  void follow_row(const Row& row, const Row* now) {
    using Of = std::pair<SliceId, RequestIx>;
    const auto first = std::ranges::lower_bound(earlier_.by_slice, id_at<SliceId>(row.first), {}, &Of::first);
    const auto end = std::lower_bound(first, earlier_.by_slice.end(), id_at<SliceId>(row.first + row.count),
                                      [](const Of& of, SliceId id) { return of.first < id; });
    std::optional<SegmentSlices> slices, were;
    for (auto of = first; of != end && all_there_; ++of) {
      if (of->second >= requests_) continue;
      const std::size_t at = idx(of->first) - row.first;
      all_there_ = now && at < now->count;
      if (!all_there_) return;
      if (!slices) {
        slices.emplace(trace_, id_at<SliceId>(now->first));
        were.emplace(before_, id_at<SliceId>(row.first));
      }
      const auto id = id_at<SliceId>(now->first + at);
      all_there_ = slices->ref_of(id).identity() == were->ref_of(of->first).identity();
      out_.emplace_back(id, of->second);
    }
  }

  const Trace &trace_, &before_;
  const Rollout& earlier_;
  const RequestIx requests_;
  std::vector<std::pair<SliceId, RequestIx>> out_;
  bool all_there_ = true;
};

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
  auto by_slice = Following(trace, *earlier, known.requests).run();
  if (!by_slice) return {};
  known.by_slice = std::move(*by_slice);
  return known;
}

}  // namespace tv
