#include "core/store/segments/lane_slots.h"

#include <algorithm>
#include <map>

#include "core/store/trace/row_layout.h"

namespace tv {
namespace {

// Slots shared by segments that do not overlap in time.
class Level {
 public:
  // Segments that touch do not share a level: times are rounded, so a slice of one could seem to lie within a slice of the other.
  bool has_room_for(TimeRange extent) const {
    const auto after = ends_.upper_bound(extent.begin);
    if (after != ends_.end() && after->first <= extent.end + kRoundingSlack) return false;
    return after == ends_.begin() || std::prev(after)->second + kRoundingSlack < extent.begin;
  }
  void add(const LaneShare& share) {
    ends_.emplace(share.extent.begin, share.extent.end);
    slots_ = std::max(slots_, share.slots);
  }
  std::uint32_t slots() const { return slots_; }

 private:
  std::map<Ns, Ns> ends_;  // by begin
  std::uint32_t slots_ = 0;
};

}  // namespace

std::vector<std::uint32_t> first_slots(std::span<const LaneShare> shares) {
  std::vector<Level> levels;
  std::vector<std::size_t> level_of(shares.size(), 0);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (shares[s].slots == 0) continue;
    const auto has_room = [&](const Level& level) { return level.has_room_for(shares[s].extent); };
    const auto level = std::ranges::find_if(levels, has_room);
    level_of[s] = static_cast<std::size_t>(level - levels.begin());
    (level == levels.end() ? levels.emplace_back() : *level).add(shares[s]);
  }
  std::vector<std::uint32_t> first_of{0};  // by level
  for (const Level& level : levels) first_of.push_back(first_of.back() + level.slots());
  std::vector<std::uint32_t> first;
  for (const std::size_t level : level_of) first.push_back(first_of[level]);
  return first;
}

}  // namespace tv
