#include "core/export/parts/export_tracks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/base/sort_runs.h"
#include "core/base/text/ascii.h"
#include "core/query/lane_filter.h"

namespace tv {
namespace {

bool may_overlap(const Trace& trace, const Lane& lane) {
  if (lane.overlaps > 0 || lane.nest_tolerance > 0) return true;
  return std::ranges::any_of(trace.rows_of(lane), [](const Row& row) { return row.slot > 0; });
}

// Puts each slice on the first track on which it nests. place() expects slices by begin, outer ones first, as viewers sort them.
class StrictNesting {
 public:
  std::uint16_t place(Ns begin, Ns end) {
    for (std::size_t t = 0;; ++t) {
      if (t == open_.size()) open_.emplace_back();
      std::vector<Ns>& ends = open_[t];
      while (!ends.empty() && ends.back() <= begin) ends.pop_back();
      if (!ends.empty() && ends.back() < end && t < UINT16_MAX) continue;
      ends.push_back(end);
      return static_cast<std::uint16_t>(t);
    }
  }
  std::uint32_t tracks() const { return static_cast<std::uint32_t>(std::max<std::size_t>(open_.size(), 1)); }

 private:
  std::vector<std::vector<Ns>> open_;  // by track: ends of the open slices
};

// Larger numbers are not taken as ids. Perfetto's ids have 32 bits, so there is room above this number for new ones.
constexpr std::int64_t kMostId = 4'000'000'000;

bool is_id(std::int64_t number) { return number >= 0 && number <= kMostId; }

// The last separate number in a name, for groups whose owner has no id: that of "GPU 0" is 0. In a trace that we exported, and in a
// packed trace of an earlier version, "python 4711" has its process id only in the name, too.
std::optional<std::int64_t> last_id(std::string_view name) {
  std::optional<std::int64_t> last;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of(" ()[],:#", at), name.size());
    if (const auto number = whole_number(name.substr(at, end - at)); number && is_id(*number)) last = number;
    at = end + 1;
  }
  return last;
}

std::optional<std::int64_t> id_of_group(const Lane& group) {
  for (const auto& id : {group.owner.pid, group.owner.thread, group.owner.stream}) {
    if (id) return id;
  }
  return last_id(group.name);
}

}  // namespace

bool packs(const Trace& trace, LaneId lane) {
  const LaneKind kind = trace.lane(lane).kind;
  return kind == LaneKind::Async || kind == LaneKind::Requests;
}

LaneSpec exported_spec(const Trace& trace, LaneId lane) {
  LaneSpec spec;
  spec.kind = trace.lane(lane).kind;
  spec.rule = packs(trace, lane) ? RowRule::Pack : RowRule::Nest;
  spec.nest_tolerance = trace.lane(lane).nest_tolerance;
  for (LaneId part = lane; part != kNone<LaneId>; part = trace.lane(part).parent) {
    spec.path.insert(spec.path.begin(), {trace.lane(part).name, static_cast<std::int64_t>(idx(part))});
  }
  return spec;
}

ExportTracks::ExportTracks(const Trace& trace, const ExportChoice& choice, ThreadPool& pool)
    : trace_(trace), of_lane_(trace.lanes.size()), first_of_row_(trace.rows.size()) {
  pool.parallel_for(trace.lanes.size(), [&](std::size_t l) {
    if (choice.has_lane(id_at<LaneId>(l))) of_lane_[l] = split(trace.lanes[l]);
  });
  std::map<LaneId, std::uint32_t> pids;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    const LaneId id = id_at<LaneId>(l);
    if (!choice.has_lane(id) || !lane.holds_anything()) continue;
    const LaneId group = lane.parent == kNone<LaneId> ? id : lane.parent;
    const auto [pid, fresh] = pids.try_emplace(group, static_cast<std::uint32_t>(pids.size() + 1));
    if (fresh) processes_.push_back({group, pid->second, joined_path(trace, group), 0});
    LaneTracks& lane_tracks = of_lane_[l];
    lane_tracks.first_track = static_cast<std::uint32_t>(tracks_.size());
    if (lane_tracks.counts.empty()) lane_tracks.counts = {1};
    std::vector<std::uint32_t> first_of_slot;
    for (std::uint32_t slot = 0; slot < lane_tracks.counts.size(); ++slot) {
      first_of_slot.push_back(static_cast<std::uint32_t>(tracks_.size()));
      for (std::uint32_t part = 0; part < lane_tracks.counts[slot]; ++part) {
        const std::size_t number = tracks_.size() - lane_tracks.first_track + 1;
        tracks_.push_back(
            {id, slot, pid->second, 0, number == 1 ? lane.name : lane.name + " " + std::to_string(number), 0});
      }
    }
    for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
      first_of_row_[r] = first_of_slot[trace.rows[r].slot];
    }
  }
  for (std::size_t t = 0; t < tracks_.size(); ++t)
    tracks_[t].tid = static_cast<std::uint32_t>(processes_.size() + t + 1);
  keep_source_ids();
}

// The first process or thread with an id keeps this id. All others get unused numbers.
void ExportTracks::keep_source_ids() {
  std::map<std::int64_t, std::uint32_t> pids;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> tids;
  std::vector<bool> has_tid(tracks_.size());
  std::int64_t largest = static_cast<std::int64_t>(processes_.size() + tracks_.size());
  for (const ExportProcess& process : processes_) {
    const auto pid = id_of_group(trace_.lane(process.group));
    if (pid && is_id(*pid) && pids.try_emplace(*pid, process.pid).second) largest = std::max(largest, *pid);
  }
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const ExportTrack& track = tracks_[t];
    const Lane& lane = trace_.lane(track.lane);
    const bool is_thread = lane.kind == LaneKind::Thread || lane.kind == LaneKind::Stream;
    if (!is_thread || track.name != lane.name) continue;
    const std::int64_t tid = lane.owner.thread.value_or(lane.owner.stream.value_or(-1));
    has_tid[t] = is_id(tid) && tids.try_emplace({track.pid, tid}, t).second;
    if (has_tid[t]) largest = std::max(largest, tracks_[t].source_tid = tid);
  }
  for (const auto& [pid, process] : pids) processes_[process - 1].source_pid = pid;
  for (ExportProcess& process : processes_) {
    const auto owner = pids.find(process.source_pid);
    if (owner == pids.end() || owner->second != process.pid) process.source_pid = ++largest;
  }
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    if (!has_tid[t]) tracks_[t].source_tid = ++largest;
  }
}

ExportTracks::LaneTracks ExportTracks::split(const Lane& lane) const {
  LaneTracks out;
  if (lane.row_count == 0) return out;
  const auto rows = trace_.rows_of(lane);
  std::uint32_t slots = 1;
  for (const Row& row : rows) slots = std::max(slots, row.slot + 1);
  out.counts.assign(slots, 1);
  if (!may_overlap(trace_, lane)) return out;
  out.first_row = lane.first_row;
  std::size_t slices = 0;
  for (const Row& row : rows) {
    out.first_part.push_back(slices);
    slices += row.count;
  }
  out.part.assign(slices, 0);
  struct Placed {
    TimeRange range;
    std::size_t at;  // in out.part
  };
  std::vector<Placed> order, spare;
  std::vector<std::size_t> by_slot;  // there can be millions of slots
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].kind == RowKind::Slices) by_slot.push_back(r);
  }
  std::ranges::stable_sort(by_slot, {}, [&](std::size_t r) { return rows[r].slot; });
  for (std::size_t at = 0; at < by_slot.size();) {
    const std::uint32_t slot = rows[by_slot[at]].slot;
    order.clear();
    for (; at < by_slot.size() && rows[by_slot[at]].slot == slot; ++at) {
      const RowSlices slices_of_row = trace_.slices_of(rows[by_slot[at]]);
      const std::size_t first = out.first_part[by_slot[at]];
      for (std::size_t i = 0; i < slices_of_row.size(); ++i) order.push_back({slices_of_row.range(i), first + i});
    }
    spare.resize(order.size());
    sort_runs(std::span(order), std::span(spare), [](const Placed& a, const Placed& b) {
      return std::tuple(a.range.begin, -a.range.length()) < std::tuple(b.range.begin, -b.range.length());
    });
    StrictNesting nesting;
    for (const Placed& placed : order) out.part[placed.at] = nesting.place(placed.range.begin, placed.range.end);
    out.counts[slot] = nesting.tracks();
  }
  return out;
}

}  // namespace tv
