#include "app/line/options.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace tv;

namespace {

Parsed parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "traceview");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

Options options(std::vector<const char*> arguments) {
  const Parsed parsed = parse(std::move(arguments));
  CAPTURE(parsed.message);
  REQUIRE(parsed.options.has_value());
  CHECK(parsed.exit == exit_code::kOk);
  CHECK(parsed.message.empty());
  return *parsed.options;
}

}  // namespace

TEST_CASE("parse_range: units, open ends and negative times are accepted") {
  const std::pair<const char*, TimeRange> cases[] = {
      {"1.5ms..2.5ms", {1'500'000, 2'500'000}},
      {"10..20", {10 * kSecond, 20 * kSecond}},
      {"10s..20s", {10 * kSecond, 20 * kSecond}},
      {"5ns..7ns", {5, 7}},
      {"1us..2µs", {1'000, 2'000}},
      {"1us..0.5s", {1'000, 500'000'000}},
      {"-1s..1s", {-kSecond, kSecond}},
      {"1m..1.5h", {60 * kSecond, 5400 * kSecond}},
      {"..3s", {INT64_MIN, 3 * kSecond}},
      {"3s..", {3 * kSecond, INT64_MAX}},
      {"..", {INT64_MIN, INT64_MAX}},
      {"1e-3..1", {kMillisecond, kSecond}},
      {".5..1.5", {500'000'000, 1'500'000'000}},
      {"1...5s", {}},  // 1 to .5: backwards
  };
  for (const auto& [text, range] : cases) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    const auto found = parse_range(text);
    REQUIRE(found.ok() == !range.empty());
    if (found.ok()) CHECK(found.value() == range);
  }
}

TEST_CASE("parse_range: any other text is an error that shows how to write a range") {
  for (const char* text : {"", "1", "1s", "1-2", "2..1", "1..1", "a..b", "1..b", "1..2..3", "1M..2M", "1d..2d", "s..1s",
                           "1s .. x", "1,5..2", "1e300..", "nan..1"}) {
    CAPTURE(std::string(text));
    const auto found = parse_range(text);
    REQUIRE(!found.ok());
    CHECK(found.error().message == std::string("not a time range: ") + text);
    CHECK(found.error().remedy.find("1.5ms..2.5ms") != std::string::npos);
  }
}

TEST_CASE("options: without a verb the window opens, with or without paths") {
  CHECK(options({}).verb == Verb::Window);
  CHECK(options({}).paths.empty());
  const Options window = options({"a", "b c", "--light"});
  CHECK(window.verb == Verb::Window);
  CHECK(window.paths == std::vector<std::string>{"a", "b c"});
  CHECK(window.light);
}

TEST_CASE("options: verbs take their own options") {
  const Options info = options({"info", "a", "b", "--json", "--strict", "--threads", "3", "--chunk-bytes", "64"});
  CHECK(info.verb == Verb::Info);
  CHECK(info.paths == std::vector<std::string>{"a", "b"});
  CHECK(info.json);
  CHECK(info.strict);
  CHECK(info.threads == 3);
  CHECK(info.chunk_bytes == 64);

  const Options stats = options({"stats", "a", "--top", "5", "--range", "1s..2s"});
  CHECK(stats.verb == Verb::Stats);
  CHECK(stats.top == 5);
  REQUIRE(stats.range.has_value());
  CHECK(*stats.range == TimeRange{kSecond, 2 * kSecond});
  CHECK(!stats.json);

  const Options shot = options({"screenshot", "a", "-o", "b.png", "--size", "800x600", "--scale", "2", "--select", "gemm"});
  CHECK(shot.verb == Verb::Screenshot);
  CHECK(shot.output == "b.png");
  CHECK(shot.width == 800);
  CHECK(shot.height == 600);
  CHECK(shot.scale == 2);
  CHECK(shot.select == "gemm");

  const auto clip = options({"screenshot", "a", "-o", "b.png", "--clip", "800x600+100+50"}).clip;
  REQUIRE(clip.has_value());
  CHECK(std::vector{clip->width, clip->height, clip->x, clip->y} == std::vector{800, 600, 100, 50});

  CHECK(options({"dump", "a"}).verb == Verb::Dump);
  const Options script = options({"script", "-"});
  CHECK(script.verb == Verb::Script);
  CHECK(script.script == "-");
  // A file with the name of a verb.
  CHECK(options({"./info"}).verb == Verb::Window);
}

TEST_CASE("options: --without-display takes a picture file, with or without a verb") {
  const Options window = options({"--without-display", "p.png", "a", "--light", "--rank", "0"});
  CHECK(window.verb == Verb::Window);
  CHECK(window.picture == "p.png");
  CHECK(window.paths == std::vector<std::string>{"a"});
  CHECK(options({"--without-display", "p.png", "info", "a", "--json"}).verb == Verb::Info);
  CHECK(options({"a"}).picture.empty());
  const std::vector<std::string> verbs = options({"a"}).verbs;
  CHECK(std::ranges::find(verbs, "screenshot") != verbs.end());
}

TEST_CASE("options: each --clock takes one value, before or after paths") {
  const Options info = options({"info", "--clock", "worker_3.jsonl=+1.5s", "a", "--clock", "hostB/*=-250ms", "b"});
  CHECK(info.paths == std::vector<std::string>{"a", "b"});
  CHECK(info.clocks == ClockOffsets{{"worker_3.jsonl", 1'500'000'000}, {"hostB/*", -250'000'000}});
  CHECK(!info.align_by_barriers);
  const Options window = options({"a", "--clock", "barriers", "--clock=x=1"});
  CHECK(window.align_by_barriers);
  CHECK(!window.recorded_clocks);
  CHECK(!window.follow);
  CHECK(options({"--follow", "a"}).follow);
  CHECK(options({"info", "a", "--clock", "recorded"}).recorded_clocks);
  CHECK(window.clocks == ClockOffsets{{"x", kSecond}});
  for (const char* verb : {"stats", "report", "screenshot", "dump", "pack"}) {
    CAPTURE(std::string(verb));
    const bool writes = std::string(verb) != "stats" && std::string(verb) != "dump";
    std::vector<const char*> words = {verb, "a", "--clock", "barriers"};
    if (writes) words.insert(words.end(), {"-o", "out"});
    CHECK(options(words).align_by_barriers);
  }
  CHECK(options({"find", "x", "a", "--clock", "barriers"}).align_by_barriers);
}

TEST_CASE("options: export takes a format, an output, a range and lanes") {
  const Options all = options({"export", "a", "b", "--to", "perfetto", "-o", "x.pftrace", "--range", "1..2", "--lanes", "GPU"});
  CHECK(all.verb == Verb::Export);
  CHECK(all.export_format == ExportFormat::Perfetto);
  CHECK(all.paths == std::vector<std::string>{"a", "b"});
  CHECK(all.output == "x.pftrace");
  CHECK(all.range == TimeRange{kSecond, 2 * kSecond});
  CHECK(!all.choice.window);  // everything is loaded: slices go out whole
  CHECK(all.lanes == "GPU");
  CHECK(options({"export", "a", "--to", "chrome", "-o", "-"}).export_format == ExportFormat::Chrome);
  CHECK(options({"export", "a", "--to", "paddle", "-o", "-"}).export_format == ExportFormat::Paddle);
  CHECK(options({"export", "a", "--to", "csv", "-o", "-"}).export_format == ExportFormat::Csv);
  CHECK(options({"bench", "export", "a"}).bench == BenchKind::Export);
}

TEST_CASE("options: omitted options have their defaults") {
  const Options info = options({"info", "a"});
  CHECK(!info.json);
  CHECK(!info.strict);
  CHECK(info.threads == 0);
  CHECK(info.chunk_bytes == 0);  // by the size of the file
  CHECK(info.top == 0);
  CHECK(!info.range);
  CHECK(info.width == 1920);
  CHECK(info.height == 1080);
}

TEST_CASE("options: mistakes are reported with exit code 2") {
  struct Case {
    std::vector<const char*> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{"--nonsense"}, "--nonsense"},
      {{"info", "a", "--nonsense"}, "--nonsense"},
      {{"info"}, "PATH is required"},
      {{"stats", "a", "--top", "many"}, "--top"},
      {{"stats", "a", "--top"}, "--top"},
      {{"stats", "a", "--range", "soon"}, "not a time range: soon"},
      {{"stats", "a", "--range", "2s..1s"}, "not a time range: 2s..1s"},
      {{"info", "a", "--clock", "worker_1.jsonl"}, "--clock: not a clock offset: worker_1.jsonl"},
      {{"info", "a", "--clock", "=1s"}, "hostB/*=-250ms"},
      {{"info", "a", "--clock"}, "--clock"},
      {{"bench", "load", "a", "--clock", "barriers"}, "--clock"},
      {{"screenshot", "a"}, "--output is required"},
      {{"screenshot", "a", "-o", "b.png", "--size", "10x10"}, "not a size: 10x10"},
      {{"screenshot", "a", "-o", "b.png", "--size", "800"}, "not a size: 800"},
      {{"screenshot", "a", "-o", "b.png", "--size", "800x600x2"}, "not a size"},
      {{"screenshot", "a", "-o", "b.png", "--size", "4294968296x600"}, "not a size"},  // 2^32 + 1000
      {{"screenshot", "a", "-o", "b.png", "--clip", "800x600+100"}, "not a part of a picture"},
      {{"screenshot", "a", "-o", "b.png", "--clip", "800x0+100+50"}, "not a part of a picture"},
      {{"screenshot", "a", "-o", "b.png", "--clip", "800x600+4294967396+50"}, "not a part of a picture"},
      {{"screenshot", "a", "-o", "b.png", "--scale", "9"}, "--scale"},
      {{"info", "a", "--chunk-bytes", "1"}, "--chunk-bytes"},
      {{"info", "a", "--threads", "-1"}, "--threads"},
      {{"script"}, "SCRIPT is required"},
      {{"dump", "a", "--json"}, "--json"},
      {{"inof", "a", "--json"}, "did you mean \"info\"?"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.message));
    const Parsed parsed = parse(c.arguments);
    REQUIRE(!parsed.options);
    CHECK(parsed.exit == exit_code::kUsage);
    CAPTURE(parsed.message);
    CHECK(parsed.message.find(c.message) != std::string::npos);
    CHECK(parsed.message.ends_with('\n'));
  }
}

TEST_CASE("options: --sample stands for a path, in the window and with verbs") {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"--sample"}, {"info", "--sample"}, {"screenshot", "--sample", "-o", "a.png"}, {"bench", "load", "--sample"}}) {
    const Options sample = options(arguments);
    REQUIRE(sample.paths.size() == 1);
    CHECK(sample.paths.front().ends_with("samples/rl_run"));
  }
  const Options both = options({"find", "--sample", "text", "other"});
  CHECK(both.text == "text");
  REQUIRE(both.paths.size() == 2);
  CHECK(both.paths.back() == "other");
}

TEST_CASE("options: help and version are answers, not mistakes") {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"--help"}, {"-h"}, {"info", "--help"}, {"--version"}}) {
    const Parsed parsed = parse(arguments);
    REQUIRE(!parsed.options);
    CHECK(parsed.exit == exit_code::kOk);
    CHECK(parsed.message.find("traceview") != std::string::npos);
  }
  const std::string help = parse({"--help"}).message;
  for (const char* part : {"info", "stats", "screenshot", "dump", "Exit codes", "130 interrupted"}) {
    CAPTURE(std::string(part));
    CHECK(help.find(part) != std::string::npos);
  }
  const std::string version = parse({"--version"}).message;
  CHECK(version.starts_with("traceview 0."));
  for (const char* part : {"\nbuilt with ", " for ", "\nlibraries: ", "Dear ImGui 1.", "GLFW 3.", "zstd 1.", "SQLite 3.", "fontconfig 2."}) {
    CAPTURE(std::string(part));
    CHECK(version.find(part) != std::string::npos);
  }
}
