#include "core/view/lists/hit_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "core/base/names/natural_less.h"
#include "core/view/table/table_rows.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("hit_list: the first hits by time, sorted by any column, equal those of a plain sort") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const auto pattern = NamePattern::of({"e", false, false});
    const SearchHits hits(*trace, find_labels(trace->labels, pattern.value(), test_pool()), nullptr, test_pool());
    const SliceTable& slices = trace->slices;
    for (const std::size_t most : {std::size_t{7}, SIZE_MAX}) {
      std::vector<SliceId> first;
      for (std::size_t i = 0; i < slices.size(); ++i)
        if (hits.contains(id_at<SliceId>(i))) first.push_back(id_at<SliceId>(i));
      std::ranges::sort(first, {}, [&](SliceId s) { return std::tuple(slices.begin[idx(s)], s); });
      if (first.size() > most) first.resize(most);
      // The table's sort is stable: equal rows keep their time order.
      const auto list = std::make_shared<HitList>(list_hits(trace, hits, pattern.value(), most));
      const HitTable table(list, TimeStyle{TimeFormat::Seconds, 0, false, {}});
      const auto ordered_by = [&](const char* column, bool falling) {
        TableState state;
        state.sort = {{column, falling}};
        TableRows rows;
        rows.update(table, 1, state);
        std::vector<SliceId> out;
        for (const std::uint32_t row : rows.shown()) out.push_back(list->slices[row]);
        return out;
      };
      std::vector<SliceId> expected = first;
      std::ranges::stable_sort(expected, [&](SliceId a, SliceId b) {
        const bool instant_a = slices.ref[idx(a)].is(kInstant), instant_b = slices.ref[idx(b)].is(kInstant);
        return instant_a != instant_b ? instant_b : !instant_a && slices.duration[idx(a)] > slices.duration[idx(b)];
      });
      CHECK(ordered_by("duration", true) == expected);
      expected = first;
      std::ranges::stable_sort(expected, [&](SliceId a, SliceId b) {
        return natural_less(trace->labels.name(slices.label[idx(a)]), trace->labels.name(slices.label[idx(b)]));
      });
      CHECK(ordered_by("name", false) == expected);
      CHECK(ordered_by("n", false) == first);
    }
  }
}

TEST_CASE("hit_list: the summary says what is left out, and lanes with a matching name are listed") {
  TraceSketch sketch;
  sketch.lane("loader", RowRule::Nest);
  for (int i = 0; i < 20; ++i) sketch.slice("loader", 10 * i, 5, "load");
  const auto trace = sketch.build();
  const auto pattern = NamePattern::of({"load", false, false});
  const SearchHits hits(*trace, find_labels(trace->labels, pattern.value(), test_pool()), nullptr, test_pool());
  CHECK(words_of(list_hits(trace, hits, pattern.value())) == "20 hits");
  const HitList few = list_hits(trace, hits, pattern.value(), 5);
  CHECK(words_of(few) == "the first 5 of 20 hits; select an area and search in it for others");
  CHECK(few.lanes.size() == 1);
}
