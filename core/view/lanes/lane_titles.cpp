#include "core/view/lanes/lane_titles.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/view/words/short_name.h"

namespace tv {
namespace {

constexpr std::string_view kBetweenParts = " / ";

// The lane and the groups around it, outermost first.
std::vector<LaneId> chain_of(const Trace& trace, LaneId lane) {
  std::vector<LaneId> chain;
  for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) chain.push_back(at);
  std::ranges::reverse(chain);
  return chain;
}

std::string joined_names(const Trace& trace, const std::vector<LaneId>& chain) {
  std::string out;
  for (const LaneId part : chain) out.append(out.empty() ? "" : kBetweenParts).append(trace.lane(part).name);
  return out;
}

// Maps a name to the indices of its lanes, in ascending order.
using LanesOfName = std::unordered_map<std::string_view, std::vector<std::size_t>>;

std::size_t count_within(const LanesOfName& lanes_of, std::string_view name, std::size_t first, std::size_t end) {
  const std::vector<std::size_t>& lanes = lanes_of.at(name);
  return static_cast<std::size_t>(std::ranges::lower_bound(lanes, end) - std::ranges::lower_bound(lanes, first));
}

std::size_t count_in_group(const Trace& trace, const LanesOfName& lanes_of, std::string_view name, LaneId group) {
  return count_within(lanes_of, name, idx(group), idx(trace.lane(group).subtree_end));
}

// By lane: whether all lanes of its kind are in one outermost group, so that the name of this group distinguishes nothing.
std::vector<bool> only_root_of_kind(const Trace& trace) {
  std::map<LaneKind, std::set<std::size_t>> roots;
  for (std::size_t root = 0; root < trace.lanes.size(); root = idx(trace.lanes[root].subtree_end)) {
    for (std::size_t l = root; l < idx(trace.lanes[root].subtree_end); ++l) roots[trace.lanes[l].kind].insert(root);
  }
  std::vector<bool> only(trace.lanes.size());
  for (std::size_t l = 0; l < only.size(); ++l) only[l] = roots[trace.lanes[l].kind].size() == 1;
  return only;
}

// The length of the prefix, up to a comma, that all titles share: "python3, ".
std::size_t common_prefix(const std::vector<std::string>& titles) {
  constexpr std::string_view kComma = ", ";
  std::string_view common = titles.front();
  for (const std::string_view title : titles)
    common = common.substr(0, static_cast<std::size_t>(std::ranges::mismatch(common, title).in1 - common.begin()));
  const std::size_t comma = common.substr(0, common.find(kBetweenParts)).rfind(kComma);
  return titles.size() < 2 || comma == common.npos ? 0 : comma + kComma.size();
}

}  // namespace

std::vector<std::string> lane_titles(const Trace& trace, std::span<const LaneId> lanes) {
  std::vector<std::string> titles;
  if (lanes.empty()) return titles;
  const bool one_trace = idx(trace.lanes[0].subtree_end) == trace.lanes.size();
  const std::vector<bool> only_root = only_root_of_kind(trace);
  LanesOfName lanes_of;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) lanes_of[trace.lanes[l].name].push_back(l);
  std::vector<std::vector<LaneId>> chains;
  std::unordered_map<std::string, std::size_t> seen;
  for (const LaneId lane : lanes) {
    chains.push_back(chain_of(trace, lane));
    std::vector<LaneId>& chain = chains.back();
    if (one_trace && chain.size() > 1) chain.erase(chain.begin());
    // A title is the owner and the lane's name. The owner is the worker if one run has several, else the outermost group.
    const std::string& lane_name = trace.lane(lane).name;
    const bool within =
        !one_trace && only_root[idx(lane)] && chain.size() > 2 &&
        count_in_group(trace, lanes_of, lane_name, chain[0]) > count_in_group(trace, lanes_of, lane_name, chain[1]);
    const bool alone = one_trace && lanes_of.at(lane_name).size() == 1;
    std::vector<LaneId> parts;
    if (chain.size() > 1 && !alone) parts.push_back(chain[within ? 1 : 0]);
    parts.push_back(lane);
    titles.push_back(joined_names(trace, parts));
    ++seen[titles.back()];
  }
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (seen[titles[i]] > 1) titles[i] = joined_names(trace, chains[i]);
  }
  const std::size_t common = common_prefix(titles);
  for (std::string& title : titles) title.erase(0, common);
  return titles;
}

std::string cut_title(std::string_view title, std::span<const std::string_view> others,
                      const std::function<bool(std::string_view)>& fits) {
  constexpr std::size_t kLeast = 4, kTellsApart = 3;  // letters: of any title, of the part that differs
  std::size_t differs = 0;
  for (const std::string_view other : others) {
    if (other == title) continue;
    const auto at = std::ranges::mismatch(title, other).in1 - title.begin();
    differs = std::max(differs, static_cast<std::size_t>(at));
  }
  const auto cut = [&](std::size_t letters, bool at_its_end) {
    return at_its_end ? cut_around(title, 0, letters) : cut_around(title, std::min(differs, title.size() - 1), letters);
  };
  const auto most_that_fit = [&](bool at_its_end) {
    std::size_t letters = kLeast;
    for (std::size_t above = std::max(title.size(), kLeast) + 1; above - letters > 1;) {
      const std::size_t middle = letters + (above - letters) / 2;
      (fits(cut(middle, at_its_end)) ? letters : above) = middle;
    }
    return letters;
  };
  const std::size_t letters = most_that_fit(true);
  if (differs + kTellsApart < letters) return cut(letters, true);
  return cut(most_that_fit(false), false);
}

NoLanesMessage no_lanes_message(std::string_view filter, std::string_view complaint, std::string_view show_all) {
  if (filter.empty()) return {"All lanes are hidden", std::string(show_all) + " shows them again"};
  return {complaint.empty() ? "No lane has \"" + std::string(filter) + "\"" : std::string(complaint),
          "Without a text in the box Lanes, at the top, all are shown"};
}

}  // namespace tv
