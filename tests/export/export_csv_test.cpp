#include "core/export/formats/export_csv.h"

#include <doctest/doctest.h>

#include "tests/export/exported.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("csv export: each slice, instant and sample is one row, quoted where necessary") {
  const TempDir folder;
  const std::string path = folder.write("a, b.json", R"({"baseTimeNanoseconds":1700000000000000000,"traceEvents":[
{"ph":"X","cat":"op","name":"say \"hi\", 你好","pid":1,"tid":2,"ts":1.5,"dur":4},
{"ph":"X","name":"line\nbreak","pid":1,"tid":2,"ts":2,"dur":1.001},
{"ph":"i","s":"t","name":"mark","pid":1,"tid":2,"ts":3},
{"ph":"C","name":"memory","pid":1,"ts":4,"args":{"":0.5}}]})");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  const Exported out = exported(*trace, {}, export_csv);
  const std::string source = "\"" + path + "\"";
  CHECK(out.text ==
        "kind,source,lane,name,category,begin_ns,duration_ns,self_ns,depth,value\r\n"
        "slice," +
            source +
            ",\"a, b / process 1 / thread 2\",\"say \"\"hi\"\", 你好\",op,1700000000000001500,4000,2999,0,\r\n"
            "slice," +
            source +
            ",\"a, b / process 1 / thread 2\",\"line\nbreak\",,1700000000000002000,1001,1001,1,\r\n"
            "instant," +
            source +
            ",\"a, b / process 1 / thread 2\",mark,,1700000000000003000,,,,\r\n"
            "sample,,\"a, b / process 1 / memory\",memory,,1700000000000004000,,,,0.5\r\n");
  CHECK(out.totals.slices == 2);
  CHECK(out.totals.instants == 1);
  CHECK(out.totals.samples == 1);

  ExportChoice choice;
  choice.range = TimeRange{0, 100};
  CHECK(exported(*trace, choice, export_csv).totals.slices == 1);
}

TEST_CASE("csv export: every slice and sample of a generated trace has a row") {
  for (const std::uint64_t seed : seeds(9)) {
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    std::size_t samples = 0;
    for (const CounterSeries& series : trace->counters) samples += series.time.size();
    const Exported out = exported(*trace, {}, export_csv);
    CHECK(static_cast<std::size_t>(std::count(out.text.begin(), out.text.end(), '\n')) ==
          1 + trace->slices.size() + samples);
  }
}
