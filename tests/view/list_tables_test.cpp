// The saved state of tables, and the lists that are tables: findings, files and their problems, one by one and by kind.
#include <doctest/doctest.h>

#include "core/view/lists/findings_table.h"
#include "core/view/lists/sources_table.h"
#include "core/view/table/table_files.h"
#include "core/view/table/table_states.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

TableState some_state() {
  TableState state;
  state.sort = {{"self", true}, {"name", false}};
  state.filter = "gemm count>10";
  state.columns = {{"name", false, 12.5f}, {"count", true, 0}};
  return state;
}

std::string cell(const TableModel& table, std::size_t row, std::string_view column) {
  std::string out;
  table.text(row, column_named(table.columns(), column), out);
  return out;
}

}  // namespace

TEST_CASE("table states: user changes are kept, defaults leave out filters, and a view replaces everything") {
  TableStates states;
  states.begin_with({{"hits", some_state()}});
  CHECK(states.defaults().empty());
  states.keep("statistics", some_state());
  states.begin_with({{"statistics", TableState()}});
  REQUIRE(states.find("statistics"));
  CHECK(states.find("statistics")->state == some_state());
  CHECK(states.all().size() == 2);
  REQUIRE(states.defaults().size() == 1);
  CHECK(states.defaults()[0].second.filter.empty());
  CHECK(states.defaults()[0].second.sort == some_state().sort);
  states.replace({{"notes", some_state()}});
  CHECK_FALSE(states.find("statistics"));
  CHECK(states.defaults().empty());
}

TEST_CASE("table states: states survive a round trip, other text is an error, and invalid values are dropped") {
  const KeptTables kept = {{"hits", some_state()}, {"notes", TableState()}};
  auto read = tables_from(tables_text(kept));
  REQUIRE(read);
  CHECK(read.value() == kept);
  CHECK_FALSE(tables_from("{}"));
  CHECK_FALSE(tables_from("no JSON"));
  CHECK_FALSE(tables_from(R"({"traceview_tables":)" + std::string(200'000, '[') + std::string(200'000, ']') + R"(,"tables":{}})"));
  read = tables_from(R"({"traceview_tables": 1, "tables": {"hits": {"sort": 3, "filter": [], "columns": [{"column": "a", "width": -4}, 7]}}})");
  REQUIRE(read);
  TableState odd;
  odd.columns = {{"a", false, 0}};
  CHECK(read.value() == KeptTables{{"hits", odd}});
}

TEST_CASE("findings table: findings keep their order, and those with a place have a target") {
  std::vector<Finding> found(2);
  found[0].sentence = "step 3 took long";
  found[0].level = FindingLevel::Costly;
  found[0].range = TimeRange{1000, 3'001'000};
  found[1].sentence = "all is well";
  const ListTable table = findings_table(found, TimeStyle{TimeFormat::Seconds, 0, false, {}});
  REQUIRE(table.rows() == 2);
  CHECK(cell(table, 0, "found") == "step 3 took long");
  CHECK(cell(table, 0, "level") == "costly");
  CHECK(table.number(0, column_named(table.columns(), "length")) == 3e6);
  CHECK(table.target(0));
  CHECK_FALSE(table.target(1));
  CHECK(table.tone(1) == RowTone::Quiet);
}

TEST_CASE("sources table: there is one row per file, and problems have their lines") {
  Trace trace;
  trace.sources.resize(2);
  trace.sources[0].path = "a.json";
  trace.sources[0].state = SourceState::Ready;
  trace.sources[0].slices = 1234;
  trace.sources[1].path = "b.txt";
  trace.sources[1].state = SourceState::Rejected;
  trace.sources[1].reason = "text of a format that is not known";
  const auto kind = static_cast<ProblemKind>(0);
  trace.sources[0].problems.add(kind, 77, "=odd");
  trace.sources[0].problems.add_count(kind, 2);
  const ListTable files = sources_table(trace);
  REQUIRE(files.rows() == 2);
  CHECK(cell(files, 0, "slices") == "1,234");
  CHECK(files.number(0, column_named(files.columns(), "problems")) == 3);
  CHECK(cell(files, 1, "says") == "text of a format that is not known");
  CHECK(files.tone(1) == RowTone::Loss);
  const ListTable problems = problems_table(trace, [](const SourceInfo&, std::uint64_t byte) { return std::optional(byte / 10); });
  REQUIRE(problems.rows() == 2);  // one example, and those that were only counted
  CHECK(cell(problems, 0, "line") == "7");
  CHECK(cell(problems, 0, "byte") == "77");
  CHECK(cell(problems, 0, "text") == "=odd");
  CHECK(cell(problems, 1, "text") == "2 more");
  CHECK(problems.target(1).id == 0);
  trace.sources[1].problems.add(ProblemKind::read_error, 40, "input/output error");  // a byte of the file on disk, not of its text
  const ListTable more = problems_table(trace, [](const SourceInfo&, std::uint64_t byte) { return std::optional(byte / 10); });
  REQUIRE(more.rows() == 3);
  CHECK(cell(more, 2, "line").empty());
  CHECK(cell(more, 2, "byte") == "40");
}
