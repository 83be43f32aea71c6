#include "core/view/lists/statistics_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "core/view/table/table_files.h"
#include "core/view/table/table_rows.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

using Names = std::vector<std::string>;

struct StatsDesk {
  explicit StatsDesk(std::shared_ptr<const Trace> built, StatsQuery asked = {}, const Grouping& by = {})
      : snapshot(snapshot_of(std::move(built))), query(std::move(asked)) {
    query.unions = true;
    query.groups = stats_groups(*snapshot.trace, by.by);
    made = std::make_shared<const Statistics>(make_statistics(snapshot, query, test_pool(), {}, by));
    model.emplace(snapshot.trace, made);
  }
  std::vector<std::uint32_t> rows(const TableState& state) const {
    TableRows found;
    found.update(*model, 1, state);
    CHECK(found.complaint().empty());
    return {found.shown().begin(), found.shown().end()};
  }
  Names by(std::string_view column, bool falling, const std::string& filter = {}) const {
    TableState state;
    state.sort = {{std::string(column), falling}};
    state.filter = filter;
    Names out;
    for (const std::uint32_t row : rows(state)) model->text(row, 0, out.emplace_back());
    return out;
  }
  std::string cell(std::uint32_t row, std::string_view column) const {
    std::string out;
    model->text(row, column_named(model->columns(), column), out);
    return out;
  }

  Snapshot snapshot;
  StatsQuery query;
  std::shared_ptr<const Statistics> made;
  std::optional<StatisticsModel> model;
};

std::shared_ptr<const Trace> three_names() {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "outer", {}, "op")
      .slice("t", 10, 20, "inner 10", {}, "op")
      .slice("t", 40, 40, "inner 10", {}, "op")
      .slice("t", 150, 50, "Inner 2", {}, "kernel");
  return sketch.build();
}

}  // namespace

TEST_CASE("statistics_table: rows can be sorted by every column") {
  const StatsDesk desk(three_names());
  TableState first = statistics_state();
  CHECK(desk.by(first.sort[0].column, first.sort[0].falling) == Names{"outer", "inner 10", "Inner 2"});
  CHECK(desk.by("name", false) == Names{"Inner 2", "inner 10", "outer"});
  CHECK(desk.by("category", false) == Names{"Inner 2", "outer", "inner 10"});
  CHECK(desk.by("count", true) == Names{"inner 10", "outer", "Inner 2"});
  CHECK(desk.by("self", true) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by("share", true) == desk.by("self", true));
  CHECK(desk.by("min", false) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by("mean", false) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by("max", true) == Names{"outer", "Inner 2", "inner 10"});
  // A single slice has no deviation: it sorts last, in both directions.
  CHECK(desk.by("std", true).front() == "inner 10");
  CHECK(desk.by("std", false).front() == "inner 10");
}

TEST_CASE("statistics_table: filter words match names and categories, and numbers are compared") {
  const StatsDesk desk(three_names());
  CHECK(desk.by("total", true, "inner") == Names{"inner 10", "Inner 2"});
  CHECK(desk.by("total", true, " KERN  inner ") == Names{"Inner 2"});
  CHECK(desk.by("total", true, "nothing").empty());
  CHECK(desk.by("total", true, " ").size() == 3);
  CHECK(desk.by("total", true, "count>1") == Names{"inner 10"});
  CHECK(desk.by("total", true, "max>=50ns category!=op") == Names{"Inner 2"});
}

TEST_CASE("statistics_table: rows can be grouped by category, lane and process") {
  TraceSketch sketch;
  for (const auto& [track, group] : {std::pair{"p/t", "p"}, std::pair{"p/u", "p"}, std::pair{"q/t", "q"}}) {
    LaneSpec spec;
    spec.path = {{group}, {track}};
    sketch.lane(track, spec);
  }
  sketch.slice("p/t", 0, 100, "a", {}, "op").slice("p/u", 50, 100, "b", {}, "op").slice("q/t", 0, 10, "c", {}, "kernel");
  const auto trace = sketch.build();
  const StatsDesk category(trace, {}, {GroupBy::Category, {}});
  CHECK(category.by("total", true) == Names{"op", "kernel"});
  CHECK(category.cell(0, "count") == "2");
  CHECK(category.cell(0, "total") == "200 ns");
  CHECK(category.cell(0, "busy") == "150 ns");  // both run at once for 50
  CHECK(category.model->target(0).kind == TableTarget::Kind::Slice);
  const StatsDesk lane(trace, {}, {GroupBy::Lane, {}});
  CHECK(lane.model->rows() == 3);
  const StatsDesk process(trace, {TimeRange{0, 60}, {}}, {GroupBy::Process, {}});
  CHECK(process.model->rows() == 2);
  CHECK(process.cell(0, "total") == "70 ns");  // 60 and 10, clipped
  CHECK(process.cell(0, "busy") == "60 ns");
}

TEST_CASE("statistics_table: the headline says how much of the scope is busy") {
  const auto trace = three_names();
  const StatsDesk whole(trace);
  CHECK(whole.made->busy == 150);
  CHECK(whole.made->scope == TimeRange{0, 200});
  CHECK(statistics_headline(*whole.made, whole.query) ==
        "4 slices in the whole trace, 200 ns; busy 150 ns (75.0 %), idle 50 ns (25.0 %)");
  Statistics unread = *whole.made;
  unread.part = true;
  CHECK(statistics_headline(unread, whole.query).starts_with("4 slices in the part that was read, 200 ns; "));
  const StatsDesk part(trace, {TimeRange{50, 150}, {}});
  CHECK(statistics_headline(*part.made, part.query) ==
        "2 slices in 100 ns; busy 50 ns (50.0 %), idle 50 ns (50.0 %); total and self count only the part inside the range "
        "(slices that reach beyond it: 2); lengths are those of whole slices");
}

TEST_CASE("statistics_table: slices that are not counted are not busy") {
  const auto trace = three_names();
  const Snapshot snapshot = snapshot_of(trace);
  const auto headline = [&](const StatsQuery& query) {
    return statistics_headline(make_statistics(snapshot, query, test_pool()), query);
  };
  StatsQuery kernels;
  for (std::size_t l = 0; l < trace->labels.size(); ++l) {
    kernels.labels.push_back(trace->labels.category(id_at<LabelId>(l)) == "kernel");
  }
  CHECK(headline(kernels) == "1 slice in the whole trace, 200 ns; busy 50 ns (25.0 %), idle 150 ns (75.0 %)");
  StatsQuery masked;
  auto mask = std::make_shared<SliceMask>(trace->items(), false);
  masked.only = mask;
  CHECK(headline(masked) == "0 slices in the whole trace, 200 ns; busy 0 ns (0.0 %), idle 200 ns (100.0 %)");
  StatsQuery grouped;  // by an argument that one slice has
  auto groups = std::make_shared<StatsGroups>();
  groups->names = {"1024"};
  groups->of_slice.assign(trace->items(), kInNoGroup);
  for (const SliceId slice : trace->ids()) {
    if (trace->name_of(slice) == "Inner 2") groups->of_slice[idx(slice)] = 0;
  }
  grouped.groups = groups;
  CHECK(headline(grouped).starts_with("1 slice in the whole trace, 200 ns; busy 50 ns (25.0 %)"));
}

TEST_CASE("statistics_table: unfinished slices are not busy, with or without a filter") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 10).half("t", HalfEvent::Kind::Begin, 20, "open");
  sketch.slice("t", 30, 10).slice("t", 90, 10);
  const Snapshot snapshot = snapshot_of(sketch.build());
  StatsQuery all, finished;
  finished.only = std::make_shared<SliceMask>(snapshot.trace->items(), true);
  for (const StatsQuery& query : {all, finished}) {
    const Statistics made = make_statistics(snapshot, query, test_pool());
    CHECK(made.stats.unfinished == 1);
    CHECK(made.busy == 30);
  }
  CHECK(busy_union(snapshot, {}) == 90);  // the timeline draws it as busy
}

TEST_CASE("statistics_table: exports have all digits and a unit per column, and shares add up") {
  const StatsDesk desk(three_names());
  const std::size_t share = column_named(desk.model->columns(), "share");
  double shares = 0;
  for (std::size_t row = 0; row < desk.model->rows(); ++row) shares += desk.model->number(row, share);
  CHECK(shares == doctest::Approx(100));
  const std::string csv = table_as_text(*desk.model, desk.rows({}), TableState(), TableFormat::Csv);
  CHECK(csv.starts_with(
      "name,category,count,total (ns),self (ns),share (%),busy (ns),min (ns),mean (ns),median (ns),p90 (ns),p95 (ns),"
      "p99 (ns),max (ns),std (ns)\r\nouter,op,1,100,"));
  CHECK(csv.find("inner 10,op,2,60,60,40,60,20,30,30,38,39,39.8,40,14.142135623730951\r\n") != std::string::npos);
}

TEST_CASE("statistics_table: unfinished slices have no durations") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "a").half("t", HalfEvent::Kind::Begin, 20, "open").slice("t", 30, 10, "a");
  const StatsDesk desk(sketch.build());
  CHECK(desk.by("max", true) == Names{"a", "open"});
  CHECK(desk.by("max", false) == Names{"a", "open"});
  TableState state;
  state.filter = "open";
  const std::uint32_t open = desk.rows(state).front();
  CHECK(desk.cell(open, "count") == "1 (1 unfinished)");
  CHECK(desk.cell(open, "mean") == "-");
}

TEST_CASE("statistics_table: a short name stands for one name only") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "a::b::linear").slice("t", 20, 5, "c::d::linear").slice("t", 40, 4, "e::f::unlike");
  const StatsDesk desk(sketch.build());
  REQUIRE(desk.made->names.size() == 3);
  CHECK(desk.made->names[2].back() == "unlike");
  CHECK(desk.made->names[0].back() != desk.made->names[1].back());
  for (const NameForms& forms : desk.made->names) CHECK(forms.back().size() <= forms.front().size());
}
