// Tables: sorting by two keys, filters, selection, columns and exported files.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/view/chart/chart_cell.h"
#include "core/view/table/chart_table_model.h"
#include "core/view/table/markdown_table.h"
#include "core/view/table/table_files.h"
#include "core/view/table/table_filter.h"
#include "core/view/table/table_rows.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

using RowList = std::vector<std::uint32_t>;

// name, count, time (ns), share
struct PlainTable : TableModel {
  struct Line {
    std::string name;
    double count, time, share;
  };
  std::vector<TableColumn> heads = {{"name", "name", {}, ColumnKind::Text},
                                    {"count", "count", {}, ColumnKind::Number},
                                    {"time", "self time", {}, ColumnKind::Time, "ns"},
                                    {"share", "share", {}, ColumnKind::Share, "%"}};
  std::vector<Line> lines;

  std::span<const TableColumn> columns() const override { return heads; }
  std::size_t rows() const override { return lines.size(); }
  void text(std::size_t row, std::size_t column, std::string& out) const override {
    out = column == 0 ? lines[row].name : std::to_string(number(row, column));
  }
  double number(std::size_t row, std::size_t column) const override {
    const Line& line = lines[row];
    return column == 1 ? line.count : column == 2 ? line.time : column == 3 ? line.share : std::nan("");
  }
  TableTarget target(std::size_t row) const override { return slice_row(id_at<SliceId>(row + 100)); }
};

PlainTable four_lines() {
  PlainTable table;
  table.lines = {{"gemm 10", 3, 2e6, 50}, {"gemm 2", 3, 500, 10}, {"copy, \"big\"", 1, std::nan(""), 20}, {"前向", 7, 1e9, 20}};
  return table;
}

RowList shown_of(const PlainTable& table, const TableState& state) {
  TableRows rows;
  rows.update(table, 1, state);
  return {rows.shown().begin(), rows.shown().end()};
}
RowList filtered(const PlainTable& table, std::string filter) {
  TableState state;
  state.filter = std::move(filter);
  return shown_of(table, state);
}
std::string complaint_of(const PlainTable& table, std::string filter) {
  TableState state;
  state.filter = std::move(filter);
  TableRows rows;
  rows.update(table, 1, state);
  CHECK(rows.shown().size() == table.rows());  // not understood: nothing is hidden
  return rows.complaint();
}

}  // namespace

TEST_CASE("table_model: a click sorts by a column, another one reverses it, and Shift adds a second key") {
  const PlainTable table = four_lines();
  TableState state;
  sort_by(state, table.heads[1], false);
  CHECK(state.sort == std::vector<TableSort>{{"count", true}});  // numbers: the greatest first
  CHECK(shown_of(table, state) == RowList{3, 0, 1, 2});
  sort_by(state, table.heads[0], true);
  CHECK(state.sort == std::vector<TableSort>{{"count", true}, {"name", false}});
  CHECK(shown_of(table, state) == RowList{3, 1, 0, 2});  // gemm 2 before gemm 10
  sort_by(state, table.heads[0], true);
  CHECK(shown_of(table, state) == RowList{3, 0, 1, 2});
  sort_by(state, table.heads[1], false);
  CHECK(state.sort.front() == TableSort{"count", false});
  CHECK(state.sort.size() == 2);
  sort_by(state, table.heads[2], false);
  CHECK(state.sort == std::vector<TableSort>{{"time", true}});
  CHECK(shown_of(table, state) == RowList{3, 0, 1, 2});  // rows without a number come last
  sort_by(state, table.heads[2], false);
  CHECK(shown_of(table, state) == RowList{1, 0, 3, 2});
}

TEST_CASE("table_model: filters are words and comparisons") {
  const PlainTable table = four_lines();
  CHECK(filtered(table, "GEMM") == RowList{0, 1});
  CHECK(filtered(table, "gemm 10") == RowList{0});
  CHECK(filtered(table, "\"gemm 1\"") == RowList{0});
  CHECK(filtered(table, "前") == RowList{3});
  CHECK(filtered(table, "count>=3 share<30%") == RowList{1, 3});
  CHECK(filtered(table, "count = 3") == RowList{0, 1});
  CHECK(filtered(table, "Count!=3") == RowList{2, 3});
  CHECK(filtered(table, "\"self time\">1us") == RowList{0, 3});
  CHECK(filtered(table, "time<=2ms gemm") == RowList{0, 1});
  CHECK(filtered(table, "name~gemm name!=\"gemm 2\"") == RowList{0});
  CHECK(filtered(table, "  ") == RowList{0, 1, 2, 3});
  CHECK(filtered(table, "!gemm") == RowList{2, 3});
  CHECK(filtered(table, "gemm !\"gemm 1\"") == RowList{1});
  CHECK(filtered(table, "count>=3 !前") == RowList{0, 1});
  CHECK(filtered(table, "gemm !") == RowList{0, 1});  // while typing
  CHECK(filtered(table, "ge!mm") == RowList{0, 1});   // as in pasted names of modules: both parts
}

TEST_CASE("table_model: an invalid filter is explained, with a suggestion for a misspelt column") {
  const PlainTable table = four_lines();
  CHECK(complaint_of(table, "cuont>3") == "there is no column \"cuont\"; did you mean \"count\"?");
  CHECK(complaint_of(table, "time>3") == "self time is a time: write it as 2ms or 1.5s, not \"3\"");
  CHECK(complaint_of(table, "count>many") == "count is a number: it cannot be compared with \"many\"");
  CHECK(complaint_of(table, "count>") == "write a value after count>");
  CHECK(complaint_of(table, ">3") == "write a column before \">\", as in total>2ms");
  CHECK(complaint_of(table, "name<3") == "name is a text: compare it with =, != or ~");
}

TEST_CASE("table_model: random tables are sorted and filtered as by a plain implementation") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    PlainTable table;
    for (std::int64_t n = random.in(0, 60); n > 0; --n) {
      table.lines.push_back({"n" + std::to_string(random.in(0, 4)), static_cast<double>(random.in(0, 5)),
                             random.chance(0.2) ? std::nan("") : static_cast<double>(random.in(0, 9)), 0});
    }
    TableState state;
    const bool falling = random.chance(0.5), then = random.chance(0.5);
    const auto least = static_cast<double>(random.in(0, 5));
    state.sort = {{"time", falling}, {"name", then}};
    state.filter = "count>=" + std::to_string(static_cast<int>(least));
    RowList expected;
    for (std::uint32_t r = 0; r < table.lines.size(); ++r) {
      if (table.lines[r].count >= least) expected.push_back(r);
    }
    std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
      const PlainTable::Line &x = table.lines[a], &y = table.lines[b];
      if (std::isnan(x.time) != std::isnan(y.time)) return std::isnan(y.time);
      if (!std::isnan(x.time) && x.time != y.time) return falling ? x.time > y.time : x.time < y.time;
      return then ? x.name > y.name : x.name < y.name;
    });
    REQUIRE(shown_of(table, state) == expected);
  }
}

TEST_CASE("table_model: rows are selected by click, Shift, Ctrl and keys, whatever their order") {
  const PlainTable table = four_lines();
  TableState state;
  state.sort = {{"count", true}};  // 3 0 1 2
  TableRows rows;
  rows.update(table, 1, state);
  TableSelection selection;
  selection.pick(rows, 0, false, false);
  selection.pick(rows, 2, true, false);
  CHECK(selection.selected_or_all(rows) == RowList{0, 1, 2});
  selection.pick(rows, 1, false, true);
  CHECK(selection.selected_or_all(rows) == RowList{0, 2});
  CHECK(selection.count() == 2);
  selection.pick(rows, 3, false, false);
  CHECK(selection.selected_or_all(rows) == RowList{3});
  CHECK(selection.move(rows, -1, false) == 3);  // the first already
  CHECK(selection.move(rows, 1, false) == 0);
  CHECK(selection.move(rows, 1 << 20, true) == 2);
  CHECK(selection.selected_or_all(rows) == RowList{0, 1, 2});
  CHECK(selection.move(rows, -(1 << 20), false) == 3);
  selection.pick_all(rows);
  CHECK(selection.count() == 4);
  // Actions skip rows hidden by the filter; without a selection they mean all rows.
  state.filter = "gemm";
  rows.update(table, 1, state);
  CHECK(selection.selected_or_all(rows) == RowList{0, 1});
  selection.clear();
  CHECK(selection.selected_or_all(rows) == RowList{0, 1});
  CHECK(rows.place_of(table, slice_row(id_at<SliceId>(101))) == 1);
  CHECK(!rows.place_of(table, slice_row(id_at<SliceId>(103))));
  TableSelection none;
  CHECK(none.move(TableRows(), 1, false) == std::nullopt);
}

TEST_CASE("table_model: columns keep their state, and new columns are added at the end") {
  PlainTable table = four_lines();
  TableState state;
  std::vector<ShownColumn> shown = shown_columns(table.heads, state);
  std::swap(shown[0], shown[3]);
  shown[1].hidden = true;
  shown[2].width = 9;
  remember_columns(state, table.heads, shown);
  state.columns.push_back({"gone", true, 4});  // of another version of the table
  table.heads.push_back({"new", "new", {}, ColumnKind::Text});
  const auto again = shown_columns(table.heads, state);
  REQUIRE(again.size() == 5);
  CHECK(again[0].column == 3);
  CHECK(again[1].hidden);
  CHECK(again[2].width == 9);
  CHECK(again[3].column == 0);
  CHECK(again[4].column == 4);
  remember_columns(state, table.heads, again);
  CHECK(std::ranges::count(state.columns, "gone", &ColumnState::id) == 1);
  for (ColumnState& column : state.columns) column.hidden = true;
  CHECK(std::ranges::count(shown_columns(table.heads, state), false, &ShownColumn::hidden) == 1);
}

TEST_CASE("table_model: columns without any value come last until they are moved") {
  ChartTable table;
  table.columns = {{"GPU"}, {"exposed", true}, {"idle", true}, {"note"}};
  table.rows = {{"GPU 0", "-", "1 ms", ""}, {"GPU 1", "-", "-"}};
  const ChartTableModel model(table);
  TableState state;
  const auto order = [&] {
    std::string out;
    for (const ShownColumn& one : shown_columns(model.columns(), state)) out += std::to_string(one.column);
    return out;
  };
  CHECK(order() == "0213");
  state.columns = {{"GPU", false, 0}, {"exposed", false, 0}};
  CHECK(order() == "0123");
  table.rows.clear();
  CHECK(shown_columns(ChartTableModel(table).columns(), {})[1].column == 1);
}

TEST_CASE("table_model: exported numbers have all digits, and no cell is a formula") {
  PlainTable table = four_lines();
  table.lines.push_back({"=1+2", -4, 0.1, 1.0 / 3});
  table.lines.push_back({"@x\ty\nz", 0, 1, 0});
  RowList rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  TableState state;
  CHECK(table_as_text(table, rows, state, TableFormat::Csv) ==
        "name,count,self time (ns),share (%)\r\ngemm 10,3,2000000,50\r\ngemm 2,3,500,10\r\n\"copy, \"\"big\"\"\",1,,20\r\n"
        "前向,7,1000000000,20\r\n'=1+2,-4,0.1,0.3333333333333333\r\n\"'@x\ty\nz\",0,1,0\r\n");
  state.columns = {{"count"}, {"name"}, {"time", true}, {"share", true}};
  CHECK(table_as_text(table, RowList{4, 5}, state, TableFormat::Tsv) == "count\tname\n-4\t'=1+2\n0\t'@x y z\n");
  CHECK(table_as_text(table, RowList{2, 4}, TableState(), TableFormat::Json) ==
        "[\n {\"name\": \"copy, \\\"big\\\"\", \"count\": 1, \"time\": null, \"share\": 20},\n"
        " {\"name\": \"=1+2\", \"count\": -4, \"time\": 0.1, \"share\": 0.3333333333333333}\n]\n");
  CHECK(table_as_text(table, RowList{}, TableState(), TableFormat::Json) == "[\n]\n");
}

TEST_CASE("table_model: Markdown has numbers as shown and whole names, and no name is markup") {
  ChartTable of;
  of.columns = {{"kernel"}, {"busy", true}, {"n", true}};
  of.rows = {{name_cell("f..", "f<4, __half*>|g"), duration_cell(1'500'000), "7"}, {"a\tb\nc", "-"}};
  const ChartTableModel model(of);
  CHECK(table_as_text(model, RowList{0, 1}, TableState(), TableFormat::Markdown) ==
        "| kernel | busy | n |\n|---|---:|---:|\n| f\\<4, \\_\\_half\\*\\>\\|g | 1.5 ms | 7 |\n| a b c | - |  |\n");
  CHECK(markdown_text("nccl_AllReduce _x_ &lt; `a` [b](c) ~d~ $e$ 前_向") ==
        "nccl_AllReduce \\_x\\_ \\&lt; \\`a\\` \\[b\\](c) \\~d\\~ \\$e\\$ 前\\_向");
}

TEST_CASE("table_model: lines with labels become a Markdown table of two columns, below the first line") {
  CHECK(lines_as_markdown("note: x\nlane: GPU 0\nall 3: 4 ms\nself: \n") ==
        "|  | note: x |\n|---|---|\n| lane | GPU 0 |\n|  | all 3: 4 ms |\n| self |  |\n");
  CHECK(lines_as_markdown("a\n\nb") == "|  | a |\n|---|---|\n|  |  |\n|  | b |\n");
  CHECK(lines_as_markdown("").empty());
}

TEST_CASE("table_model: the table of a chart keeps column kinds, values, full names and targets") {
  ChartTable of;
  of.columns = {{"rank", false}, {"busy", true}, {"busy", true}, {"n", true}};
  of.rows = {{name_cell("f..", "forward"), duration_cell(5), percent_cell(12.5), "7"}, {"b"}};
  of.targets = {{ChartTarget::Kind::Request, 4}};
  const ChartTableModel model(of);
  REQUIRE(model.columns().size() == 4);
  CHECK(model.columns()[1].kind == ColumnKind::Time);
  CHECK(model.columns()[2].kind == ColumnKind::Share);
  CHECK(model.columns()[2].id == "busy (2)");  // ids are unique
  CHECK(model.columns()[3].right);
  CHECK(model.number(0, 1) == 5);
  CHECK(std::isnan(model.number(1, 1)));
  std::string text;
  model.text(0, 0, text);
  CHECK(text == "f..");
  model.whole(0, 0, text);
  CHECK(text == "forward");
  model.text(1, 2, text);
  CHECK(text.empty());
  CHECK(model.target(0) == TableTarget{TableTarget::Kind::Other, 0, {}});
  CHECK(!model.target(1));
}

TEST_CASE("table filter: empty quotes, or a single one while typing, keep every row") {
  const std::vector<TableColumn> columns = {{"name", "Name", "", ColumnKind::Text}};
  for (const char* text : {"\"", "\"\"", "!", "\"\" \"", ""}) {
    CAPTURE(text);
    const auto terms = parse_table_filter(text, columns);
    REQUIRE(terms.ok());
    CHECK(terms.value().empty());
  }
  const auto behind = parse_table_filter("\"\" load", columns);
  REQUIRE(behind.ok());
  REQUIRE(behind.value().size() == 1);
  CHECK(behind.value()[0].text == "load");
}
