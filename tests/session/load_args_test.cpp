#include "core/session/records/load_args.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/session/load/load_job.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

Result<ArgTree> args_of(const Trace& trace, std::string_view name) {
  const ItemRef ref = trace.ref_of(slice_named(trace, name));
  return load_args(trace.sources[idx(ref.source())], ref);
}

}  // namespace

TEST_CASE("load_args: args are read from a large record and from a far one") {
  const TempDir folder;
  const std::string huge = R"({"ph":"X","name":"huge","ts":1,"dur":1,"args":{"text":")" + std::string(300'000, 'x') + R"("}})";
  const std::string filler = event("filler", 5, 1);
  std::string text = "[" + huge;
  for (int i = 0; i < 2000; ++i) text += "," + filler;
  text += R"(,{"ph":"X","name":"last","ts":9,"dur":1,"args":{"Comms Id":10159970886766084423}}])";
  const auto trace = load_snapshot({folder.write("trace.json", text)}, test_pool())->trace;
  const auto large = args_of(*trace, "huge");
  REQUIRE(large.ok());
  CHECK(large.value().text == huge);
  CHECK(large.value().nodes.back().value.size() == 300'000);
  const auto last = args_of(*trace, "last");
  REQUIRE(last.ok());
  CHECK(last.value().nodes.back().value == "10159970886766084423");
}

TEST_CASE("load_args: args are read from a gzip file") {
  const auto trace = load_snapshot({fixtures_folder() + "/chrome_json/multi_member.json.gz"}, test_pool())->trace;
  const auto tree = args_of(*trace, "load_batch");
  REQUIRE(tree.ok());
  CHECK(tree.value().find("cat")->value == "data");
}

TEST_CASE("load_args: a file that has changed or is gone gives an error") {
  const TempDir folder;
  const std::string path = folder.write("trace.json", "[" + event("a", 0, 5) + "]");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  REQUIRE(args_of(*trace, "a").ok());

  folder.append("trace.json", "\n");
  const auto grown = args_of(*trace, "a");
  REQUIRE(!grown.ok());
  CHECK(grown.error().message == "the file has changed since it was loaded");
  CHECK(grown.error().file == path);
  CHECK(!grown.error().remedy.empty());

  std::filesystem::remove(path);
  const auto gone = args_of(*trace, "a");
  REQUIRE(!gone.ok());
  CHECK(gone.error().text().find("No such file") != std::string::npos);
}

TEST_CASE("load_args: a source without a reader gives an error") {
  SourceInfo source;
  source.path = "x";
  CHECK(!load_args(source, ItemRef()).ok());
}
