#include "core/index/row_pyramid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

struct Columns {
  std::vector<Ns> begin, duration;
  std::vector<LabelId> label;

  RowSlices row() const { return {begin, duration, label, id_at<SegmentSlice>(100)}; }
  void add(Ns b, Ns d, std::uint32_t l) {
    begin.push_back(b);
    duration.push_back(d);
    label.push_back(LabelId{l});
  }
};

Columns random_row(Random& random, std::int64_t n) {
  Columns out;
  for (Ns t = 0; n > 0; --n) {
    const Ns duration = random.chance(0.1) ? 0 : random.in(0, 100);
    out.add(t, duration, static_cast<std::uint32_t>(random.in(0, 5)));
    t += duration + random.in(0, 50);
  }
  return out;
}

}  // namespace

TEST_CASE("row_pyramid: the number of slices determines the numbers of nodes and levels") {
  CHECK(pyramid_size(0) == 0);
  CHECK(pyramid_size(8) == 0);
  CHECK(pyramid_size(9) == 2);
  CHECK(pyramid_size(32) == 4);
  CHECK(pyramid_size(33) == 5 + 2);
  CHECK(pyramid_size(8 * 4 * 4 * 4 + 1) == 65 + 17 + 5 + 2);
  CHECK(RowPyramid({}, 8).levels() == 0);
  CHECK(RowPyramid({}, 9).levels() == 1);
  CHECK(RowPyramid({}, 33).levels() == 2);
}

TEST_CASE("row_pyramid: a node of zero-length slices has a representative") {
  Columns columns;
  for (int i = 0; i < 40; ++i) columns.add(i, 0, 7);
  std::vector<PyramidNode> nodes(pyramid_size(40));
  build_row_pyramid(columns.row(), nodes);
  REQUIRE(nodes.size() == 5 + 2);
  CHECK(nodes[1].representative == id_at<SegmentSlice>(100 + 8));
  CHECK(nodes[1].label == LabelId{7});
  CHECK(nodes[1].busy == 0);
}

TEST_CASE("row_pyramid: every node summarizes its slices") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const Columns columns = random_row(random, random.in(0, 6'000));
    const RowSlices row = columns.row();
    std::vector<PyramidNode> nodes(pyramid_size(row.size()));
    build_row_pyramid(row, nodes);
    const RowPyramid pyramid(nodes, row.size());
    std::size_t per_node = 0, seen = 0;
    for (int level = 0; level < pyramid.levels(); ++level) {
      per_node = level == 0 ? kSlicesPerNode : per_node * kFanout;
      const auto of_level = pyramid.level(level);
      seen += of_level.size();
      for (std::size_t n = 0; n < of_level.size(); ++n) {
        const std::size_t first = n * per_node, last = std::min(first + per_node, row.size());
        double busy = 0;
        Ns longest = -1;
        std::size_t representative = 0;
        for (std::size_t i = first; i < last; ++i) {
          busy += static_cast<double>(row.duration(i));
          if (row.duration(i) > longest) {
            longest = row.duration(i);
            representative = i;
          }
        }
        const PyramidNode& node = of_level[n];
        REQUIRE(node.t0 == row.begin(first));
        REQUIRE(node.t1 == row.end(last - 1));
        REQUIRE(std::abs(static_cast<double>(node.busy) - busy) <= 1e-5 * busy);
        REQUIRE(node.longest == static_cast<float>(longest));
        REQUIRE(idx(node.representative) == idx(row.id(representative)));
        REQUIRE(node.label == row.label(representative));
      }
    }
    REQUIRE(seen == nodes.size());
    if (pyramid.levels() > 0) REQUIRE(pyramid.level(pyramid.levels() - 1).size() <= kFanout);
  }
}
