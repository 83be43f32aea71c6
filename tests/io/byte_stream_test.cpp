#include "core/io/files/open_stream.h"

#include <doctest/doctest.h>

#include "core/io/streams/text_streams.h"
#include "core/io/streams/unwrapped.h"
#include "tests/io/archives.h"
#include "tests/io/memory_stream.h"
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

TEST_CASE("byte_stream: damage of a wrapped stream is passed on, at the end") {
  const std::string why = "the archive is damaged", text = some_text(3000);
  const std::string line = R"({"log":"a\n","stream":"stdout","time":"2026-07-27T10:00:02.5Z"})" "\n";
  const auto damaged = [&](std::string bytes) { return std::make_unique<MemoryStream>(MemoryStream::damaged(std::move(bytes), why)); };
  auto seen = unwrapped(damaged(text), "a.json");
  REQUIRE(seen.ok());
  std::vector<std::unique_ptr<ByteStream>> streams;
  streams.push_back(std::move(*seen));
  streams.push_back(make_gzip_stream(damaged(gzipped(text))));
  streams.push_back(make_zstd_stream(damaged(zstd_compressed(text))));
  streams.push_back(make_utf16_stream(damaged(std::string("a\0b\0", 4)), "UTF-16LE"));
  streams.push_back(make_container_stream(damaged(line), ContainerLog::Docker));
  for (const auto& stream : streams) {
    CHECK(stream->damage() == "");
    CHECK(!all_of(*stream).empty());
    CHECK(stream->damage() == why);
  }
  // Damage that the decoder itself found takes precedence.
  const auto cut = make_gzip_stream(damaged(gzipped(text).substr(0, 500)));
  all_of(*cut);
  CHECK(cut->damage() == "the gzip data ends early");
}

TEST_CASE("byte_stream: a zstd frame with a window of more than 128 MiB is refused with a remedy, not called damaged") {
  const TempDir folder;
  // Magic number, no size or checksum, the window; then a last block that is not compressed, with its length.
  const auto frame = [](char window) { return std::string("\x28\xb5\x2f\xfd\0", 5) + window + std::string("\x11\0\0{}", 5); };
  const char most = '\x88', more = '\x89';  // 128 MiB, and an eighth more
  CHECK(content(folder.write("most.zst", frame(most))) == "{}");
  const auto refused = read_text_at(folder.write("more.zst", frame(more)), 0, 10);
  REQUIRE(!refused.ok());
  CHECK(refused.error().message == "the zstd data needs a window of more than 128 MiB");
  CHECK(refused.error().remedy == "unpack it with zstd -d --long=31");
  std::string again(10, '\0');
  auto stream = open_stream(folder.path("more.zst"));
  REQUIRE(stream.ok());
  for (int read = 0; read < 3; ++read) CHECK(!(*stream)->read(again).ok());
  const std::string second = folder.write("second.zst", frame(most) + frame(more));
  CHECK(content(second) == "{}");
  CHECK(damage_of(second) == refused.error().reason());
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
