#include "core/store/trace/lane_tree.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/base/names/natural_less.h"

namespace tv {
namespace {

struct Node {
  const LaneSegment* segment = nullptr;
  const LaneSpec* spec = nullptr;  // of the lane whose path ends here; null for a group
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
  LaneId lane = kNone<LaneId>;
  std::uint32_t source = 0;  // source of its first spec
};

// Orders outermost groups before their names do: by sort key, then by file.
std::pair<std::int64_t, std::uint32_t> outermost_order(const Node& node) {
  const std::int64_t sort = node.segment->sort;
  return {sort >= kRanklessSort && sort < kAfterRankless ? kRanklessSort : sort, node.source};
}

// Numbers the descendants of a node in display order. A lane that is also a group, because its path is the beginning of another,
// has its rows first; readers make no such lanes.
void number(Node& node, LaneId parent, std::uint16_t depth, std::vector<Lane>& lanes) {
  std::vector<Node*> sorted;
  for (auto& [identity, child] : node.children) sorted.push_back(child.get());
  std::sort(sorted.begin(), sorted.end(), [depth](const Node* a, const Node* b) {
    if (depth == 0 && outermost_order(*a) != outermost_order(*b)) return outermost_order(*a) < outermost_order(*b);
    if (a->segment->sort != b->segment->sort) return a->segment->sort < b->segment->sort;
    if (const int order = natural_compare(a->segment->name, b->segment->name); order != 0) return order < 0;
    return natural_less(a->segment->identity(), b->segment->identity());
  });
  for (Node* child : sorted) {
    child->lane = id_at<LaneId>(lanes.size());
    Lane lane;
    lane.name = child->segment->name;
    lane.sort = child->segment->sort;
    lane.key = child->segment->key;
    lane.owner = child->segment->owner;
    lane.kind = child->spec ? child->spec->kind : LaneKind::Group;
    lane.parent = parent;
    lane.depth = depth;
    lanes.push_back(std::move(lane));
    number(*child, child->lane, static_cast<std::uint16_t>(depth + 1), lanes);
    lanes[idx(child->lane)].subtree_end = id_at<LaneId>(lanes.size());
  }
}

}  // namespace

LaneTree build_lane_tree(const std::vector<const LaneSpec*>& specs, std::span<const std::uint32_t> source) {
  Node root;
  std::size_t nodes = 0;
  std::vector<Node*> node_of_spec;
  node_of_spec.reserve(specs.size());
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const LaneSpec* const spec = specs[s];
    Node* at = &root;
    for (const LaneSegment& segment : spec->path) {
      std::unique_ptr<Node>& child = at->children[segment.identity()];
      if (!child) {
        child = std::make_unique<Node>();
        child->segment = &segment;
        child->source = source.empty() ? 0 : source[s];
        ++nodes;
      }
      at = child.get();
    }
    if (!at->spec) at->spec = spec;
    node_of_spec.push_back(at);
  }
  LaneTree tree;
  tree.lanes.reserve(nodes);
  tree.of_spec.reserve(specs.size());
  number(root, kNone<LaneId>, 0, tree.lanes);
  for (const Node* node : node_of_spec) tree.of_spec.push_back(node->lane);
  return tree;
}

std::string lane_identity(const LaneSpec& spec) {
  std::string text;
  for (const LaneSegment& segment : spec.path) add_level(text, segment.identity());
  return text;
}

}  // namespace tv
