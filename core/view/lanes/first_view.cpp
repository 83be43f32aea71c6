#include "core/view/lanes/first_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/view/lanes/known_lanes.h"

namespace tv {
namespace {

constexpr double kSortSteps = 10;    // workers with nearly equal times keep their order: times are rounded to so many steps
constexpr float kRowWithName = 0.75f;  // of a full row; lower rows have no names
constexpr float kLeastOpenRows = 4;  // a lane that does not fit is opened if at least this many of its rows do
constexpr std::uint32_t kLeastLevels = 2;  // one level shows no more than a folded lane
constexpr double kTrifleShare = 0.05;  // of a rank's busiest stream; less busy ones are dropped before rows shrink

// The number of outer levels to draw thin, because a single frame fills almost the whole lane. Frames of launchers (spawn_main,
// _bootstrap, wrapper ...) would otherwise fill a screen. The innermost of these levels is as high as other rows.
std::uint32_t thin_levels(const Trace& trace, const Lane& lane) {
  constexpr double kFills = 0.95;
  constexpr std::uint32_t kMost = 1000;  // slices per level, since short ones may surround the long frame
  constexpr std::uint32_t kLeast = 3;    // levels; fewer take too little room to matter
  std::uint32_t frames = 0;
  double least = 0;
  for (const Row& row : trace.rows_of(lane)) {
    if (row.kind != RowKind::Slices || row.depth != frames || row.slot != 0 || row.count == 0 || row.count > kMost) break;
    const RowSlices slices = trace.slices_of(row);
    Ns longest = 0, end = slices.begin(0);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      longest = std::max(longest, slices.end(i) - slices.begin(i));
      end = std::max(end, slices.end(i));
    }
    if (frames == 0) least = kFills * static_cast<double>(end - slices.begin(0));
    if (static_cast<double>(longest) < least) break;
    ++frames;
  }
  return frames > kLeast ? frames - 1 : 0;
}

// The height of an expanded lane; all rows but the thin ones are high enough to read.
float open_height(const Lane& lane, const LineCount& lines, std::uint32_t thin_lines, const LaneMetrics& metrics) {
  if (!holds_anything(lane)) return metrics.group_header;
  const float height = metrics.lane_header + (lane.counter != UINT32_MAX ? metrics.counter : 0);
  const auto thin = static_cast<float>(std::min(thin_lines, lines.of_slices - std::min(lines.of_slices, 1u)));
  return height + thin * metrics.thin_row + (static_cast<float>(lines.of_slices) - thin) * metrics.row +
         static_cast<float>(lines.of_instants) * metrics.instants;
}

// By lane: for a worker's group, its time with requests in flight, as a share of the longest, in steps of 1/kSortSteps; else 0.
std::vector<double> busy_with_requests(const Trace& trace) {
  std::vector<double> busy(trace.lanes.size(), 0);
  for (const Lane& lane : trace.lanes) {
    if (lane.kind == LaneKind::Requests && lane.parent != kNone<LaneId>)
      busy[idx(lane.parent)] += static_cast<double>(lane.busy);
  }
  const double most = busy.empty() ? 0 : *std::ranges::max_element(busy);
  for (double& each : busy) {
    if (each > 0) each = std::round(each / most * kSortSteps) / kSortSteps;
  }
  return busy;
}

class OverviewOfLanes {
 public:
  OverviewOfLanes(const Trace& trace, const TraceIndex& index, const LaneMetrics& metrics, float height, const FirstViewOf& of)
      : trace_(trace), metrics_(metrics), height_(height), lanes_(known_lanes(trace, index)), complete_(of.complete), among_(of.among),
        culprit_(of.waited_for), thin_(trace.lanes.size()) {}

  FirstView make() {
    FirstView view;
    if (!tells_order(lanes_) || tree_fits()) return view;
    sort_by_telling();
    choose_core();
    view.scale = scale_;
    if (!overflows_) add_the_rest();
    const std::vector<std::string> keys = lane_keys(trace_);
    for (const Chosen& each : chosen_) {
      const std::uint32_t thin = each.collapsed || each.first_slot != 0 ? 0 : thin_of(each.lane);
      view.lanes.push_back({keys[each.lane], each.collapsed, each.row, each.levels, each.first_slot, thin});
    }
    return view;
  }

 private:
  struct Chosen {
    std::size_t lane;
    Tells telling;
    bool collapsed;
    float row = 0;
    std::uint32_t levels = 0;  // 0: all
    std::uint32_t first_slot = 0;
  };

  float opened(std::size_t lane) const { return size_of(lane, false); }
  float folded(std::size_t lane) const { return size_of(lane, true); }
  float size_of(std::size_t lane, bool collapsed) const {
    return (collapsed ? metrics_.summary : height_of(lane, count_lines(trace_, trace_.lanes[lane]), thin_of(lane))) + metrics_.gap;
  }
  float height_of(std::size_t lane, const LineCount& lines, std::uint32_t thin) const {
    return open_height(trace_.lanes[lane], lines, thin, metrics_);
  }
  std::uint32_t thin_of(std::size_t lane) const {
    std::optional<std::uint32_t>& known = thin_[lane];
    if (!known) known = thin_levels(trace_, trace_.lanes[lane]);
    return *known;
  }
  bool folds_smaller(std::size_t lane) const { return folded(lane) < opened(lane); }
  float least(std::size_t lane) const { return std::min(folded(lane), opened(lane)); }
  template <class Lanes, class Size>
  float sum(const Lanes& lanes, const Size& size) const {
    float out = 0;
    for (const std::size_t lane : lanes) out += size(lane);
    return out;
  }

  bool is_considered(std::size_t lane) const { return among_.empty() || among_[lane]; }

  // The tree has no thin rows.
  bool tree_fits() const {
    float all = 0;
    for (std::size_t l = 0; l < lanes_.size() && all <= height_; ++l) {
      if (is_considered(l)) all += height_of(l, count_lines(trace_, trace_.lanes[l]), 0) + metrics_.gap;
    }
    return all <= height_;
  }

  // Sorts lanes by kind, in the order in which they are shown.
  void sort_by_telling() {
    const std::vector<double> busy = busy_with_requests(trace_);
    of_.resize(static_cast<std::size_t>(Tells::kCount));
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      if (!lanes_[l].group && is_considered(l)) of_[static_cast<std::size_t>(lanes_[l].telling)].push_back(l);
    }
    if (!complete_) return;
    const auto of_worker = [&](std::size_t l) {
      return trace_.lanes[l].parent == kNone<LaneId> ? 0.0 : busy[idx(trace_.lanes[l].parent)];
    };
    for (const Tells telling : {Tells::Phases, Tells::Requests}) {
      auto& lanes = of(telling);
      std::stable_sort(lanes.begin(), lanes.end(),
                       [&](std::size_t a, std::size_t b) { return of_worker(a) > of_worker(b); });
    }
    auto& launching = of(Tells::Launching);
    std::stable_sort(launching.begin(), launching.end(),
                     [&](std::size_t a, std::size_t b) { return lanes_[a].launches > lanes_[b].launches; });
    auto& threads = of(Tells::Thread);
    std::stable_sort(threads.begin(), threads.end(),
                     [&](std::size_t a, std::size_t b) { return trace_.lanes[a].slices > trace_.lanes[b].slices; });
  }

  std::vector<std::size_t>& of(Tells telling) { return of_[static_cast<std::size_t>(telling)]; }

  // Chooses the lanes that must be visible. Folded phases all look alike, so their rows shrink before they are folded.
  void choose_core() {
    const bool rollout = !of(Tells::Phases).empty();
    const std::vector<Tells> core =
        rollout ? std::vector{Tells::Steps, Tells::Phases} : std::vector{Tells::Steps, Tells::Stream};
    bool phases_open = rollout;
    const auto needed = [&] {
      float out = 0;
      for (const Tells telling : core) {
        out += sum(of(telling),
                   [&](std::size_t l) { return telling == Tells::Phases && phases_open ? opened(l) : least(l); });
      }
      return out;
    };
    // Room is reserved for requests with names, if shrinking the rows of phases makes enough.
    const float of_requests = of(Tells::Requests).empty() ? 0 : kLeastOpenRows * kRowWithName * metrics_.row + metrics_.gap;
    const bool room_for_request = rollout && needed() > 0 && needed() * kLeastScale + of_requests <= height_;
    if (needed() * kLeastScale > height_) phases_open = false;
    if (!rollout && needed() > height_) drop_trifles();
    const auto fits_at_all = [&] { return needed() * kLeastScale <= height_; };
    if (!rollout && !fits_at_all()) keep_streams_that_fit(fits_at_all);
    const float all = needed();
    overflows_ = all * kLeastScale > height_;  // shrinking would hide names and still not show everything
    const float room = height_ - (room_for_request && phases_open ? of_requests : 0);
    if (all > room && !overflows_) scale_ = room / all;
    room_ = height_ - all * scale_;
    if (phases_open) opened_[Tells::Phases] = true;
    for (const Tells telling : {Tells::Stream, Tells::Steps}) {
      if (std::ranges::find(core, telling) != core.end()) open_if_it_fits(telling);
    }
    for (const Tells telling : core) append(telling, opened_.contains(telling));
  }

  std::map<std::size_t, std::vector<std::size_t>> streams_by_root() {
    std::map<std::size_t, std::vector<std::size_t>> streams;
    for (const std::size_t l : of(Tells::Stream)) streams[lanes_[l].root].push_back(l);
    return streams;
  }
  // The most streams of any rank; 0 if there is only one rank, which shows all its streams.
  std::size_t most_streams() {
    const auto streams = streams_by_root();
    std::size_t most = 0;
    for (const auto& [root, lanes] : streams) most = std::max(most, lanes.size());
    return streams.size() > 1 ? most : 0;
  }
  // Sorts the busiest streams to the front. Nearly equal ones keep their order.
  void sort_by_busy(std::vector<std::size_t>& streams) const {
    Ns busiest = 0;
    for (const std::size_t l : streams) busiest = std::max(busiest, trace_.lanes[l].busy);
    const auto busy = [&](std::size_t l) {
      return trace_.lanes[l].busy >= busiest - busiest / 4 ? busiest : trace_.lanes[l].busy;
    };
    std::ranges::stable_sort(streams, std::ranges::greater(), busy);
  }
  void drop_streams(const std::vector<bool>& dropped) {
    std::erase_if(of(Tells::Stream), [&](std::size_t l) { return static_cast<bool>(dropped[l]); });
  }
  // With several ranks: drops streams without communication that are almost idle compared with the busiest of their rank.
  void drop_trifles() {
    const auto ranks = streams_by_root();
    std::vector<bool> dropped(lanes_.size(), false);
    for (const auto& [root, streams] : ranks) {
      Ns busiest = 0;
      for (const std::size_t l : streams) busiest = std::max(busiest, trace_.lanes[l].busy);
      for (const std::size_t l : streams) {
        const bool trifle = static_cast<double>(trace_.lanes[l].busy) < kTrifleShare * static_cast<double>(busiest);
        dropped[l] = trifle && !lanes_[l].communicates && ranks.size() > 1;
      }
    }
    drop_streams(dropped);
  }
  // Keeps the busiest streams of each outermost group, and the first with communication, which shows how ranks wait for others.
  void keep_streams(std::size_t count) {
    std::vector<bool> dropped(lanes_.size(), false);
    for (auto& [root, streams] : streams_by_root()) {
      sort_by_busy(streams);
      bool communicates = false;
      for (std::size_t i = 0; i < streams.size(); ++i) {
        const bool first_to_communicate = lanes_[streams[i]].communicates && !communicates;
        dropped[streams[i]] = i >= count && !first_to_communicate;
        communicates |= lanes_[streams[i]].communicates;
      }
    }
    drop_streams(dropped);
  }
  // Drops streams until the rest fits. Each rank keeps the same number of its busiest streams, at least one. A dropped stream
  // changes which of the others are nearly as busy as the busiest, so the streams are cut to one more than wanted first: the result
  // is that of cutting them one at a time.
  template <class Fits>
  void keep_streams_that_fit(const Fits& fits) {
    const std::size_t most = most_streams();
    if (most < 2) return;
    const std::vector<std::size_t> all = of(Tells::Stream);
    const auto fits_cut_to = [&](std::size_t count) {
      of(Tells::Stream) = all;
      keep_streams(count + 1);
      keep_streams(count);
      return fits();
    };
    std::size_t count = 1;
    for (std::size_t above = most; above > count + 1;) {
      const std::size_t middle = count + (above - count) / 2;
      (fits_cut_to(middle) ? count : above) = middle;
    }
    fits_cut_to(count);
  }

  void open_if_it_fits(Tells telling) {
    const float more = sum(of(telling), [&](std::size_t l) { return opened(l) - least(l); }) * scale_;
    if (more > room_) return;
    room_ -= more;
    opened_[telling] = true;
  }

  void append(Tells telling, bool open) {
    for (const std::size_t l : of(telling)) chosen_.push_back({l, telling, !open && folds_smaller(l), 0});
  }

  // Adds all lanes of a kind, open if they fit, else folded if those fit; else adds none.
  bool add_all(Tells telling) {
    if (of(telling).empty()) return false;
    const float open = sum(of(telling), [&](std::size_t l) { return opened(l); });
    const float fold = sum(of(telling), [&](std::size_t l) { return least(l); });
    if (fold > room_) return false;
    append(telling, open <= room_);
    room_ -= open <= room_ ? open : fold;
    return true;
  }

  // Adds threads with one row each: the first of every rank, then the second of every rank, while there is room. Then opens them.
  void add_threads_of_ranks(Tells telling) {
    std::map<std::size_t, std::size_t> seen;  // by rank: how many of its threads came before
    std::map<std::size_t, std::vector<std::size_t>> layers;
    for (const std::size_t l : of(telling)) layers[seen[lanes_[l].root]++].push_back(l);
    std::size_t known = 0;
    for (const auto& [layer, members] : layers) {
      const float fold = sum(members, [&](std::size_t l) { return least(l); });
      if (fold > room_) break;
      room_ -= fold;
      known = layer + 1;
    }
    seen.clear();
    std::map<std::size_t, std::vector<std::size_t>> folded;  // by layer: indices into chosen_
    for (const std::size_t l : of(telling)) {
      const std::size_t layer = seen[lanes_[l].root]++;
      if (layer >= known) continue;
      if (folds_smaller(l)) folded[layer].push_back(chosen_.size());
      chosen_.push_back({l, telling, folds_smaller(l), 0});
    }
    for (const auto& [layer, members] : folded) open_alike(members);
  }

  float more_with(std::size_t chosen, std::uint32_t levels) const {
    const std::size_t lane = chosen_[chosen].lane;
    return height_of(lane, count_lines(trace_, trace_.lanes[lane], levels), thin_of(lane)) + metrics_.gap - least(lane);
  }
  void open(std::size_t chosen, std::uint32_t levels) {
    room_ -= more_with(chosen, levels);
    chosen_[chosen].collapsed = false;
    const bool cut = levels < count_lines(trace_, trace_.lanes[chosen_[chosen].lane]).of_slices;
    chosen_[chosen].levels = cut ? levels : 0;
  }
  // Gives spare room to folded lanes. All of them get the same number of levels, so that ranks look alike.
  bool open_alike(const std::vector<std::size_t>& folded) {
    std::uint32_t deepest = 0;
    for (const std::size_t i : folded) deepest = std::max(deepest, count_lines(trace_, trace_.lanes[chosen_[i].lane]).of_slices);
    const auto fits = [&](std::uint32_t levels) {
      return sum(folded, [&](std::size_t i) { return more_with(i, levels); }) <= room_;
    };
    std::uint32_t most = 0;
    for (std::uint32_t above = deepest + 1; above - most > 1;) {
      const std::uint32_t middle = most + (above - most) / 2;
      (fits(middle) ? most : above) = middle;
    }
    if (most < std::min(kLeastLevels, deepest)) return false;
    for (const std::size_t i : folded) open(i, most);
    return true;
  }
  // For one rank: opens folded lanes kind by kind. If not all lanes of a kind fit, opens those that do, one by one.
  void open_what_is_folded() {
    std::map<Tells, std::vector<std::size_t>> folded;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (chosen_[i].collapsed) folded[chosen_[i].telling].push_back(i);
    }
    for (const auto& [telling, members] : folded) {
      if (open_alike(members)) continue;
      for (const std::size_t i : members) open_alike({i});
    }
  }

  // Adds the first lane of a kind, open, if it fits or there is room for at least kLeastOpenRows rows.
  bool add_first_open(Tells telling) {
    if (of(telling).empty()) return false;
    const std::size_t lane = of(telling).front();
    if (opened(lane) > room_ && kLeastOpenRows * metrics_.row > room_) return false;
    chosen_.push_back({lane, telling, false, 0});
    room_ -= opened(lane);
    of(telling).erase(of(telling).begin());
    return true;
  }

  // Adds the requests of the worker that others waited for, with the request they waited for first; else those of the busiest
  // worker. Rows are high enough for names; they may continue below the window.
  void add_requests() {
    if (of(Tells::Requests).empty()) return;
    auto& lanes = of(Tells::Requests);
    const auto waited_for = culprit_ == kNone<RowId> ? lanes.end() : std::ranges::find(lanes, idx(trace_.row(culprit_).lane));
    const bool known = waited_for != lanes.end();
    const std::size_t lane = known ? *waited_for : lanes.front();
    const auto rows = static_cast<float>(count_lines(trace_, trace_.lanes[lane]).all());
    const float least = kRowWithName * metrics_.row;
    if (room_ < kLeastOpenRows * least) return;
    const float row = std::clamp((room_ - metrics_.gap - metrics_.instants) / rows, least, metrics_.row);
    chosen_.push_back({lane, Tells::Requests, false, row < metrics_.row ? row : 0, 0, known ? trace_.row(culprit_).slot : 0});
    room_ -= std::min(room_, row * rows + metrics_.gap + metrics_.instants);
  }
  // Adds the streams, but only if they leave room for some rows of requests.
  void add_streams_of_rollout() {
    const float fold = sum(of(Tells::Stream), [&](std::size_t l) { return least(l); });
    if (room_ - fold >= kLeastOpenRows * metrics_.row) add_all(Tells::Stream);
  }

  std::size_t roots() const {
    std::vector<std::size_t> out;
    for (const KnownLane& lane : lanes_) {
      if (!lane.group && lane.telling == Tells::Stream) out.push_back(lane.root);
    }
    std::ranges::sort(out);
    return static_cast<std::size_t>(std::unique(out.begin(), out.end()) - out.begin());
  }

  void add_the_rest() {
    const bool rollout = !of(Tells::Phases).empty(), several = roots() > 1;
    if (rollout) {
      add_streams_of_rollout();
      add_requests();
      return;
    }
    if (add_all(Tells::Ranges)) ranges_above_streams();
    if (several) {
      for (const Tells telling : {Tells::Launching, Tells::Thread, Tells::Other, Tells::Idle, Tells::Instants})
        add_threads_of_ranks(telling);
      return;
    }
    // One rank: shows all of its lanes, with the thread that launches most open; the last kinds may be below the window.
    const bool open = add_first_open(Tells::Launching) || add_first_open(Tells::Thread);
    for (const Tells telling :
         {Tells::Launching, Tells::Thread, Tells::Other, Tells::Idle, Tells::Instants}) {
      if (!add_all(telling)) append(telling, !open);
    }
    float all = 0;
    for (const Chosen& each : chosen_) all += size_of(each.lane, each.collapsed) * scale_;
    room_ = height_ - all;
    if (room_ > 0) open_what_is_folded();
  }

  // Puts ranges next to their streams, as in the file.
  void ranges_above_streams() {
    const auto of_device = [](const Chosen& each) {
      return each.telling == Tells::Ranges || each.telling == Tells::Stream;
    };
    const auto first = std::ranges::find_if(chosen_, of_device);
    std::sort(first, chosen_.end(), [](const Chosen& a, const Chosen& b) { return a.lane < b.lane; });
  }

  const Trace& trace_;
  const LaneMetrics& metrics_;
  const float height_;
  std::vector<KnownLane> lanes_;
  const bool complete_;
  const std::vector<bool>& among_;
  const RowId culprit_;
  std::vector<std::vector<std::size_t>> of_;  // by kind (Tells)
  mutable std::vector<std::optional<std::uint32_t>> thin_;  // by lane, computed on first use
  std::map<Tells, bool> opened_;
  std::vector<Chosen> chosen_;
  float scale_ = 1, room_ = 0;
  bool overflows_ = false;
};

}  // namespace

FirstView first_view(const Trace& trace, const TraceIndex& index, const LaneMetrics& metrics, float height, const FirstViewOf& of) {
  return OverviewOfLanes(trace, index, metrics, height, of).make();
}

std::vector<double> first_order(const Trace& trace, const TraceIndex& index, bool complete) {
  const std::vector<KnownLane> lanes = known_lanes(trace, index);
  if (!tells_order(lanes)) return {};
  std::vector<double> order(lanes.size(), -static_cast<double>(Tells::kCount));
  // Ranges stay where they are, above their stream.
  const auto weight = [&](Tells telling) {
    return -static_cast<double>(telling == Tells::Ranges ? Tells::Stream : telling);
  };
  for (std::size_t l = lanes.size(); l-- > 0;) {
    if (!lanes[l].group) order[l] = std::max(order[l], weight(lanes[l].telling));
    const LaneId around = trace.lanes[l].parent;
    if (around != kNone<LaneId>) order[idx(around)] = std::max(order[idx(around)], order[l]);
  }
  // Ranks and other outermost groups keep their order; among workers, the one that was busy with requests longest comes first.
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    if (trace.lanes[l].parent == kNone<LaneId>) order[l] = 0;
  }
  if (!complete) return order;
  const std::vector<double> busy = busy_with_requests(trace);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    if (trace.lanes[l].parent != kNone<LaneId>) order[l] += busy[l] / 2;
  }
  return order;
}

std::string_view first_panel(const Trace& trace) {
  // With one worker there is no waiting for another.
  const auto workers = std::ranges::count(trace.lanes, LaneKind::Requests, &Lane::kind);
  if (!trace.rollout.empty()) return workers > 1 ? "blame" : "cdf";
  if (!trace.pipeline.empty()) return "pipeline";
  if (may_have_gpus(trace)) return "gpu";
  return trace.metrics.empty() ? "statistics" : "training";
}

}  // namespace tv
