#include "core/io/files/open_stream.h"

#include <doctest/doctest.h>

#include "tests/io/archives.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string content(const std::string& path, std::size_t piece = 1 << 16) {
  auto stream = open_stream(path);
  REQUIRE(stream.ok());
  return all_of(**stream, piece);
}

std::string damage_of(const std::string& path) {
  auto stream = open_stream(path);
  REQUIRE(stream.ok());
  all_of(**stream);
  return (*stream)->damage();
}

}  // namespace

TEST_CASE("byte_stream: the format is detected from the contents, not from the name") {
  const TempDir folder;
  const std::string text = "{\"traceEvents\":[]}\n" + some_text(100'000);
  const std::pair<const char*, std::string> files[] = {
      {"plain.gz", text},
      {"gzip.json", gzipped(text)},
      {"zstd.json", zstd_compressed(text)},
      {"two_frames.json", zstd_compressed(text.substr(0, 1000)) + zstd_compressed(text.substr(1000))},
      {"zip.json", zipped({{"inner/", ""}, {"inner/a.json", text}, {"b.json", "other"}})},
  };
  for (const auto& [name, bytes] : files) {
    const auto& shown_name = name;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_name));
    const std::string path = folder.write(name, bytes);
    for (const std::size_t piece : {1, 1000, 1 << 20}) CHECK(content(path, piece) == text);
    CHECK(damage_of(path) == "");
    auto stream = open_stream(path);
    REQUIRE(stream.ok());
    CHECK(((*stream)->reach() > 0) == (std::string_view(name) == "plain.gz"));
    CHECK((*stream)->consumed() <= bytes.size());
    all_of(**stream);
    if (std::string_view(name) != "zip.json") CHECK((*stream)->consumed() == bytes.size());
  }
}

TEST_CASE("byte_stream: short files are plain") {
  const TempDir folder;
  for (const std::string text : {"", "{", "PK", "\x1f", "\xff", "(\xb5/"}) {
    CHECK(content(folder.write("short", text)) == text);
  }
}

TEST_CASE("byte_stream: damaged zstd and zip files give the readable part and report the damage") {
  const TempDir folder;
  const std::string text = some_text(400'000);
  const std::string zstd = zstd_compressed(text), zip = zipped({{"a.json", text}});
  for (std::size_t i = 1; i < 50; ++i) {
    CAPTURE(i);
    const std::string cut = folder.write("cut.zst", std::string_view(zstd).substr(0, std::max<std::size_t>(4, zstd.size() * i / 50)));
    CHECK(text.starts_with(content(cut)));
    CHECK(damage_of(cut) == "the zstd data ends early");
    auto half = open_stream(folder.write("cut.zip", std::string_view(zip).substr(0, std::max<std::size_t>(4, zip.size() * i / 50))));
    if (!half.ok()) continue;  // not even a name is left
    CHECK(text.starts_with(all_of(**half)));
    CHECK(!(*half)->damage().empty());
  }
  std::string flipped = zstd;
  flipped[zstd.size() / 2] = static_cast<char>(flipped[zstd.size() / 2] ^ 0x55);
  const std::string path = folder.write("flipped.zst", flipped);
  CHECK(content(path).size() <= text.size());
  CHECK(content(folder.write("tail.zst", zstd + "garbage")) == text);
  CHECK(damage_of(folder.path("tail.zst")).starts_with("the zstd data is damaged"));
}

TEST_CASE("byte_stream: a zip archive without files is an error") {
  const TempDir folder;
  const auto empty = open_stream(folder.write("folders.zip", zipped({{"a/", ""}})));
  REQUIRE(!empty.ok());
  CHECK(empty.error().file == folder.path("folders.zip"));
  CHECK(!empty.error().message.empty());
  CHECK(!open_stream(folder.write("broken.zip", "PK\x03\x04 and nothing that follows")).ok());
}

TEST_CASE("read_text_at: reads at any offset of plain and compressed files") {
  const TempDir folder;
  const std::string text = some_text(3'000'000);
  for (const auto& path : {folder.write("plain", text), folder.write("packed", gzipped(text)),
                           folder.write("zstd", zstd_compressed(text))}) {
    CAPTURE(path);
    for (const std::size_t offset : {0, 1, 1000, 1'048'576, 2'999'999, 3'000'000, 3'000'001, 9'000'000}) {
      for (const std::size_t length : {0, 1, 64 << 10}) {
        CAPTURE(offset);
        CAPTURE(length);
        const auto found = read_text_at(path, offset, length);
        REQUIRE(found.ok());
        CHECK(found.value() == (offset < text.size() ? text.substr(offset, length) : ""));
      }
    }
  }
  CHECK(!read_text_at(folder.path("missing"), 0, 10).ok());
}

TEST_CASE("checkpoints: reading resumes at any offset, also with several members or truncated data") {
  const TempDir folder;
  const std::string a = some_text(3'000'000, 1), b = some_text(2'000'000, 2), text = a + b;
  std::string packed = gzipped(a) + gzipped(b);
  SUBCASE("whole") {}
  SUBCASE("cut") { packed.resize(packed.size() - 10'000); }
  const std::string path = folder.write("t.gz", packed);
  const auto checkpoints = std::make_shared<TextCheckpoints>(100'000);
  std::string all;
  {
    auto stream = open_stream(path);
    REQUIRE(stream.ok());
    (*stream)->note_checkpoints(checkpoints);
    all = all_of(**stream, 70'000);
  }
  CHECK(text.starts_with(all));
  CHECK(checkpoints->size() > 8);
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const auto at = static_cast<std::uint64_t>(random.in(0, static_cast<std::int64_t>(all.size())));
    CAPTURE(at);
    auto stream = open_stream(path);
    REQUIRE(stream.ok());
    REQUIRE(go_to(**stream, at, checkpoints.get()).ok());
    if (i % 10 == 0) {
      CHECK(all_of(**stream, 50'000) == all.substr(at));
      CHECK((*stream)->damage().empty() == (all.size() == text.size()));
    } else {
      std::string part(1000, '?');
      const auto n = read_fully(**stream, part);
      REQUIRE(n.ok());
      CHECK(part.substr(0, n.value()) == all.substr(at, 1000));
    }
  }
  // Without checkpoints, reading starts at the beginning.
  auto stream = open_stream(path);
  REQUIRE(stream.ok());
  const TextCheckpoints none;
  CHECK((*stream)->resume(none, 1'000'000) == 0);
}
