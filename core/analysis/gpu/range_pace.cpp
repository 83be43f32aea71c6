#include "core/analysis/gpu/range_pace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/base/text/ascii.h"

namespace tv {
namespace {

// How often a name must occur on one lane.
constexpr std::uint64_t repeats_of(IterationMark mark) { return mark <= IterationMark::Step ? 2 : 3; }
constexpr std::size_t kNoName = SIZE_MAX;

// Iteration names by label; repetitions share a name.
struct MarkedNames {
  std::vector<PaceName> names;
  std::vector<std::size_t> of_label;  ///< index into names, or kNoName

  explicit MarkedNames(const LabelTable& labels) {
    std::map<std::pair<std::string_view, bool>, std::size_t> known;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      const std::string_view category = labels.category(id_at<LabelId>(l)), whole = labels.name(id_at<LabelId>(l));
      const bool projected = is_of(WorkKind::projected, category, whole);
      of_label.push_back(kNoName);
      const IterationMark mark = iteration_mark(category, whole);
      if (mark == IterationMark::None) continue;
      const std::string_view name = repeated_name(whole);
      const auto [at, fresh] = known.try_emplace({name, projected}, names.size());
      if (fresh) names.push_back({std::string(name), projected, 0, 0, mark});
      of_label.back() = at->second;
    }
  }
};

template <class Visit>
void each_marked(const Trace& trace, const MarkedNames& marked, LaneId lane, Visit visit) {
  for (const Row& row : trace.rows_of(trace.lane(lane))) {
    if (row.kind != RowKind::Slices) continue;
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::size_t name = marked.of_label[idx(slices.label(i))];
      if (name == kNoName || trace.ref_of(slices.id(i)).is(kUnfinished)) continue;  // its length is unknown
      visit(name, slices, i);
    }
  }
}

std::optional<std::int64_t> number_of_turn(std::string_view name) {
  std::size_t first = name.size();
  while (first > 0 && is_digit(name[first - 1])) --first;
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(name.data() + first, name.data() + name.size(), number);
  if (wrong != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::vector<PaceTurn> turns_of(const Trace& trace, const MarkedNames& marked, LaneId lane, std::size_t wanted) {
  std::vector<PaceTurn> turns;
  each_marked(trace, marked, lane, [&](std::size_t name, const RowSlices& row, std::size_t i) {
    if (name == wanted) turns.push_back({row.id(i), 0, row.begin(i), row.duration(i), {}});
  });
  std::ranges::sort(turns, {}, [](const PaceTurn& turn) { return std::tuple(turn.begin, idx(turn.slice)); });
  bool numbered = true;
  for (std::size_t t = 0; t < turns.size(); ++t) {
    const auto number = number_of_turn(trace.name_of(turns[t].slice));
    numbered = numbered && number && (t == 0 || *number > turns[t - 1].number);
    turns[t].number = number.value_or(0);
    if (t > 0) turns[t].delta = turns[t].begin - turns[t - 1].begin;
  }
  for (std::size_t t = 0; t < turns.size() && !numbered; ++t) turns[t].number = static_cast<std::int64_t>(t);
  return turns;
}

}  // namespace

std::vector<PaceName> pace_names(const Trace& trace) {
  MarkedNames marked(trace.labels);
  std::vector<bool> repeats(marked.names.size());
  struct OnLane {
    std::size_t lane = SIZE_MAX;
    std::uint64_t count = 0;
  };
  std::vector<OnLane> latest(marked.names.size());
  for (std::size_t l = 0; l < trace.lanes.size() && !marked.names.empty(); ++l) {
    each_marked(trace, marked, id_at<LaneId>(l), [&](std::size_t name, const RowSlices& row, std::size_t i) {
      ++marked.names[name].count;
      marked.names[name].total += row.duration(i);
      if (latest[name].lane != l) latest[name] = {l, 0};
      if (++latest[name].count >= repeats_of(marked.names[name].mark)) repeats[name] = true;
    });
  }
  std::vector<PaceName> out;
  for (std::size_t n = 0; n < marked.names.size(); ++n) {
    if (repeats[n]) out.push_back(std::move(marked.names[n]));
  }
  std::ranges::sort(out, {}, [](const PaceName& n) {
    // If steps are on both the CPU and the GPU, those on the CPU come first, because they contain the others.
    return std::tuple(n.mark, n.mark <= IterationMark::Step && n.projected, -n.total, std::string_view(n.name),
                      n.projected);
  });
  return out;
}

std::vector<PaceLine> pace(const Trace& trace, const PaceName& wanted, const std::optional<TimeRange>& within) {
  const MarkedNames marked(trace.labels);
  const auto found = std::ranges::find_if(
      marked.names, [&](const PaceName& n) { return n.name == wanted.name && n.projected == wanted.projected; });
  if (found == marked.names.end()) return {};
  const auto name = static_cast<std::size_t>(found - marked.names.begin());
  struct Best {
    LaneId lane;
    Ns total;
  };
  std::map<LaneId, Best> of_rank;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const auto lane = id_at<LaneId>(l);
    Ns total = 0;
    bool any = false;
    each_marked(trace, marked, lane, [&](std::size_t n, const RowSlices& row, std::size_t i) {
      if (n != name) return;
      any = true;
      total += row.duration(i);
    });
    if (!any) continue;
    const LaneId rank = wanted.projected ? gpu_group(trace, lane) : outermost_group(trace, lane);
    const auto [best, fresh] = of_rank.try_emplace(rank, Best{lane, total});
    if (!fresh && total > best->second.total) best->second = {lane, total};
  }
  std::vector<PaceLine> out;
  for (const auto& [rank, best] : of_rank) {
    PaceLine line{name_in_process(trace, rank), best.lane, turns_of(trace, marked, best.lane, name)};
    if (line.turns.size() < 2) continue;
    if (within) {
      std::erase_if(line.turns, [&](const PaceTurn& turn) {
        return turn.begin >= within->end || turn.begin + turn.duration <= within->begin;
      });
    }
    if (!line.turns.empty()) out.push_back(std::move(line));
  }
  return out;
}

}  // namespace tv
