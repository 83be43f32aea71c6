#include "core/view/statistics_table.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/view/chart_csv.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr auto column_of = [](StatsColumn column) { return static_cast<std::size_t>(column); };

struct StatsDesk {
  explicit StatsDesk(std::shared_ptr<const Trace> built, const StatsQuery& asked = {})
      : snapshot(snapshot_of(std::move(built))), query(asked), made(make_statistics(snapshot, query, test_pool())) {}
  const LabelTable& labels() const { return snapshot.trace->labels; }
  std::vector<std::string> names(const StatsView& view) const {
    std::vector<std::string> out;
    for (const std::uint32_t row : stats_rows(labels(), made.stats, view)) {
      out.emplace_back(counted_name(labels(), made.stats.labels[row].label));
    }
    return out;
  }
  std::vector<std::string> by(StatsColumn column, bool falling, const std::string& words = {}) const {
    return names({{column_of(column), falling}, words});
  }

  Snapshot snapshot;
  StatsQuery query;
  Statistics made;
};

using Names = std::vector<std::string>;

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

TEST_CASE("statistics_table: every column orders the rows") {
  const StatsDesk desk(three_names());
  CHECK(desk.names({}) == Names{"outer", "inner 10", "Inner 2"});  // by total, longest first
  CHECK(desk.by(StatsColumn::Name, false) == Names{"Inner 2", "inner 10", "outer"});
  CHECK(desk.by(StatsColumn::Category, false) == Names{"Inner 2", "outer", "inner 10"});
  CHECK(desk.by(StatsColumn::Count, true) == Names{"inner 10", "outer", "Inner 2"});
  CHECK(desk.by(StatsColumn::Self, true) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by(StatsColumn::Share, true) == desk.by(StatsColumn::Self, true));
  CHECK(desk.by(StatsColumn::Min, false) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by(StatsColumn::Mean, false) == Names{"inner 10", "Inner 2", "outer"});
  CHECK(desk.by(StatsColumn::Max, true) == Names{"outer", "Inner 2", "inner 10"});
  // Of a single slice there is no deviation: behind what has one, both ways round.
  CHECK(desk.by(StatsColumn::Stddev, true).front() == "inner 10");
  CHECK(desk.by(StatsColumn::Stddev, false).front() == "inner 10");
}

TEST_CASE("statistics_table: typed words are looked for in names and categories") {
  const StatsDesk desk(three_names());
  CHECK(desk.by(StatsColumn::Total, true, "inner") == Names{"inner 10", "Inner 2"});
  CHECK(desk.by(StatsColumn::Total, true, " KERN  inner ") == Names{"Inner 2"});
  CHECK(desk.by(StatsColumn::Total, true, "nothing").empty());
  CHECK(desk.by(StatsColumn::Total, true, " ").size() == 3);
}

TEST_CASE("statistics_table: the head line says how much of the scope is busy") {
  const auto trace = three_names();
  const StatsDesk whole(trace);
  CHECK(whole.made.busy == 150);
  CHECK(whole.made.scope == TimeRange{0, 200});
  CHECK(statistics_headline(whole.made, whole.query) ==
        "4 slices in the whole trace, 200 ns; busy 150 ns (75.0 %), idle 50 ns (25.0 %)");
  const StatsDesk part(trace, {TimeRange{50, 150}, {}});
  CHECK(statistics_headline(part.made, part.query) ==
        "2 slices in 100 ns; busy 50 ns (50.0 %), idle 50 ns (50.0 %); total and self are clipped to it (2 reach "
        "beyond), lengths "
        "are of whole slices");
}

TEST_CASE("statistics_table: for files in full, a unit per column, and shares that add up") {
  const StatsDesk desk(three_names());
  const ChartTable table = stats_table(desk.labels(), desk.made.stats, stats_rows(desk.labels(), desk.made.stats, {}));
  REQUIRE(table.columns.size() == kStatsColumns + 1);
  double shares = 0;
  for (const auto& row : table.rows) shares += std::get<double>(row[column_of(StatsColumn::Share)].full);
  CHECK(shares == doctest::Approx(100));
  const std::string csv = table_csv(table);
  CHECK(csv.starts_with(
      "name,category,count,total (ns),share (%),self (ns),min (ns),mean (ns),median (ns),p90 (ns),p95 (ns),p99 (ns),"
      "max (ns),std (ns),unfinished\r\nouter,op,1,100,"));
  CHECK(csv.find("inner 10,op,2,60,40,60,20,30,30,38,39,39.8,40,14.142135623730951,0\r\n") != std::string::npos);
  CHECK(std::ranges::count(table_tsv(table), '\n') == 4);
}

TEST_CASE("statistics_table: what never ended has no lengths") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "a").half("t", Half::Kind::Begin, 20, "open").slice("t", 30, 10, "a");
  const StatsDesk desk(sketch.build());
  CHECK(desk.by(StatsColumn::Max, true) == Names{"a", "open"});
  CHECK(desk.by(StatsColumn::Max, false) == Names{"a", "open"});
  const std::uint32_t open = stats_rows(desk.labels(), desk.made.stats, {{0, false}, "open"}).front();
  CHECK(stats_cell(desk.labels(), desk.made.stats, open, StatsColumn::Count).text == "1 (1 unfinished)");
  CHECK(stats_cell(desk.labels(), desk.made.stats, open, StatsColumn::Mean).text == "-");
}

TEST_CASE("statistics_table: a short name stands for one name only") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "a::b::linear").slice("t", 20, 5, "c::d::linear").slice("t", 40, 4, "e::f::unlike");
  const StatsDesk desk(sketch.build());
  REQUIRE(desk.made.names.size() == 3);
  CHECK(desk.made.names[2].back() == "unlike");
  CHECK(desk.made.names[0].back() != desk.made.names[1].back());
  for (const NameForms& forms : desk.made.names) CHECK(forms.back().size() <= forms.front().size());
}
