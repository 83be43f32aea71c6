#include "core/store/trace/lane_tree.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

// One line per lane, indented by depth.
std::string text(const LaneTree& tree) {
  std::string out;
  for (const Lane& lane : tree.lanes) out += std::string(lane.depth, ' ') + lane.name + "\n";
  return out;
}

LaneTree tree_of(const std::vector<LaneSpec>& specs) {
  std::vector<const LaneSpec*> pointers;
  for (const LaneSpec& spec : specs) pointers.push_back(&spec);
  return build_lane_tree(pointers);
}

LaneSpec spec(std::vector<LaneSegment> path) {
  LaneSpec out;
  out.path = std::move(path);
  return out;
}

}  // namespace

TEST_CASE("lane_tree: rank 2 comes before rank 10") {
  const LaneTree tree = tree_of({spec({{"rank 10"}, {"t"}}), spec({{"rank 2"}, {"t"}})});
  CHECK(text(tree) == "rank 2\n t\nrank 10\n t\n");
  CHECK(idx(tree.of_spec[0]) == 3);
  CHECK(idx(tree.of_spec[1]) == 1);
}

TEST_CASE("lane_tree: the sort key takes precedence over the name") {
  CHECK(text(tree_of({spec({{"a", 5}}), spec({{"b", -1}}), spec({{"c", 5}})})) == "b\na\nc\n");
}

TEST_CASE("lane_tree: outermost groups with one sort key are in file order, as are processes without a rank") {
  const std::vector<LaneSpec> specs = {spec({{"b"}, {"y"}}), spec({{"p", kRanklessSort + 9}}), spec({{"r", 1}}),
                                       spec({{"a"}, {"x"}}),  spec({{"q", kRanklessSort + 3}}), spec({{"b"}, {"x"}})};
  std::vector<const LaneSpec*> pointers;
  for (const LaneSpec& one : specs) pointers.push_back(&one);
  const std::vector<std::uint32_t> source = {0, 0, 0, 1, 1, 1};
  CHECK(text(build_lane_tree(pointers, source)) == "b\n x\n y\na\n x\nr\np\nq\n");
  CHECK(text(build_lane_tree(pointers)) == "a\n x\nb\n x\n y\nr\nq\np\n");
}

TEST_CASE("lane_tree: equal paths are one lane, equal names with different keys are two") {
  CHECK(text(tree_of({spec({{"p"}, {"t"}}), spec({{"p"}, {"t"}})})) == "p\n t\n");
  CHECK(text(tree_of({spec({{"p"}, {"t", 0, "1"}}), spec({{"p"}, {"t", 0, "2"}})})) == "p\n t\n t\n");
}

TEST_CASE("lane_tree: lanes are in preorder, with parents and subtree ends") {
  const LaneTree tree = tree_of({spec({{"a"}, {"x"}}), spec({{"a"}, {"y"}}), spec({{"b"}})});
  CHECK(text(tree) == "a\n x\n y\nb\n");
  CHECK(idx(tree.lanes[0].subtree_end) == 3);
  CHECK(tree.lanes[0].parent == kNone<LaneId>);
  CHECK(idx(tree.lanes[2].parent) == 0);
  CHECK(tree.lanes[0].kind == LaneKind::Group);
}
