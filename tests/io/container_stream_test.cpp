// Logs of container runtimes become the original lines, wherever those were split and however the file is compressed.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/io/files/open_stream.h"
#include "core/io/streams/text_streams.h"
#include "tests/io/archives.h"
#include "tests/io/memory_stream.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr const char* kWrittenAt = "2026-07-27T10:00:02.5Z";

std::string text_in_steps(ByteStream& stream, std::size_t step) {
  std::string out, part(step, '\0');
  for (;;) {
    const auto n = stream.read(part);
    REQUIRE(n.ok());
    if (n.value() == 0) return out;
    out.append(part, 0, n.value());
  }
}

}  // namespace

TEST_CASE("container stream: split lines are joined, for reads of any size") {
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const bool docker = round % 2 == 0;
    std::string file, expected;
    for (std::int64_t lines = random.in(1, 12); lines > 0; --lines) {
      std::string text;
      for (std::int64_t n = random.in(0, 60); n > 0; --n) text += static_cast<char>(random.in(' ', '~'));
      expected += std::string(kWrittenAt) + " " + text + "\n";
      const auto piece = [&](const std::string& part, const char* stream, bool last) {
        const nlohmann::json record = {{"log", part + (last ? "\n" : "")}, {"stream", stream}, {"time", kWrittenAt}};
        file +=
            docker ? record.dump() + "\n" : std::string(kWrittenAt) + " " + stream + (last ? " F " : " P ") + part + "\n";
      };
      while (random.in(0, 3) > 0 && text.size() > 1) {
        const auto cut = static_cast<std::size_t>(random.in(1, static_cast<std::int64_t>(text.size()) - 1));
        piece(text.substr(0, cut), "stdout", false);
        text.erase(0, cut);
      }
      piece(text, "stdout", true);
    }
    CAPTURE(file);
    const auto read_steps = static_cast<std::size_t>(random.in(1, 100));
    auto stream =
        make_container_stream(std::make_unique<MemoryStream>(file, static_cast<std::size_t>(random.in(1, 70))),
                              docker ? ContainerLog::Docker : ContainerLog::Cri);
    CHECK(text_in_steps(*stream, read_steps) == expected);
  }
}

TEST_CASE("container stream: lines of another stream do not split a line, and an unended line stays unended") {
  const std::string t = kWrittenAt;
  const auto text_of = [](const std::string& file) {
    return text_in_steps(*make_container_stream(std::make_unique<MemoryStream>(file), ContainerLog::Cri), 1000);
  };
  CHECK(text_of(t + " stdout P step:1 - a:1\n" + t + " stderr F warning\n" + t + " stdout F 2.5 - b:1\n") ==
        t + " warning\n" + t + " step:1 - a:12.5 - b:1\n");
  CHECK(text_of(t + " stdout F a\n" + t + " stdout P half") == t + " a\n" + t + " half");
  CHECK(text_of(t + " stdout F a\n" + t + " stdout F half of one") == t + " a\n" + t + " half of one");
  CHECK(text_of(t + " stdout F a\nsomething else\n" + t + " stdout F b\n") == t + " a\nsomething else\n" + t + " b\n");
}

TEST_CASE("container stream: the pieces of other streams are kept if the last line has no newline") {
  const std::string t = kWrittenAt, times = R"(,"time":")" + t + "\"}";
  const std::string file = R"({"log":"part","stream":"stderr")" + times + "\n" + R"({"log":"done\n","stream":"stdout")" + times;
  for (const std::string& end : {std::string(), std::string("\n")}) {
    auto stream = make_container_stream(std::make_unique<MemoryStream>(file + end), ContainerLog::Docker);
    CHECK(text_in_steps(*stream, 1000) == t + " done\n" + t + " part");
  }
}

TEST_CASE("container stream: container logs are unwrapped on opening, also compressed ones, and other files are not") {
  const TempDir folder;
  const std::string t = kWrittenAt, cri = t + " stdout P ab\n" + t + " stdout F c\n", plain = t + " abc\n";
  const auto opened = [&](const std::string& path) { return read_text_at(path, 0, 1000).value(); };
  CHECK(opened(folder.write("a.log", cri)) == plain);
  CHECK(opened(folder.write("a.log.gz", gzipped(cri))) == plain);
  CHECK(read_text_at(folder.path("a.log"), t.size() + 1, 2).value() == "ab");
  for (const std::string& other :
       {plain, std::string("{\"traceEvents\":[]}\n"), std::string("1 2 3\n"), std::string()}) {
    CHECK(opened(folder.write("b.log", other)) == other);
    CHECK(opened(folder.write("b.log.gz", gzipped(other))) == other);
  }
}
