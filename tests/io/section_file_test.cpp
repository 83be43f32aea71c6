#include "core/io/tables/section_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/memory/memory_budget.h"
#include "core/io/tables/number_planes.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr SectionCoding kCodings[] = {SectionCoding::Plain, SectionCoding::Zstd, SectionCoding::Deltas4,
                                      SectionCoding::Deltas8};
constexpr SectionFile::Access kAccesses[] = {SectionFile::Access::Mapped, SectionFile::Access::Read};

std::string numbers(std::uint64_t seed, std::size_t bytes) {
  Random random(seed);
  std::string text(bytes, '\0');
  std::uint64_t value = 0;
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    value += static_cast<std::uint64_t>(random.in(-100, 1000));
    std::memcpy(text.data() + i, &value, 8);
  }
  return text;
}

std::string section_text(const SectionFile& file, std::string_view name) {
  const Section* const section = file.find(name);
  REQUIRE(section != nullptr);
  const auto bytes = file.load(*section, test_pool());
  REQUIRE_MESSAGE(bytes.ok(), bytes.error().text());
  return std::string(bytes.value().text());
}

// Writes a file with one section of each coding, all with the same text. Returns its bytes.
std::string write_sections(const std::string& path, std::string_view text) {
  auto writer = SectionWriter::create(path, test_pool());
  REQUIRE(writer.ok());
  for (const SectionCoding coding : kCodings) writer->add("s" + std::to_string(static_cast<int>(coding)), coding, text);
  REQUIRE(writer->finish().ok());
  return read_file(path);
}

}  // namespace

TEST_CASE("number_planes: random numbers survive a round trip") {
  for (const unsigned width : {4u, 8u}) {
    for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
      std::string text(count * width, '\0');
      Random random(count);
      for (char& c : text) c = static_cast<char>(random.in(0, 255));
      std::string planes(text.size(), '\0'), back(text.size(), '\0');
      to_planes(text, width, planes);
      from_planes(planes, width, back);
      CHECK(back == text);
    }
  }
}

TEST_CASE("section_file: written sections read back whole and in parts, with both kinds of access") {
  const TempDir folder;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, kSectionBlock, 2 * kSectionBlock + 4096, 9 * kSectionBlock + 8}) {
    const std::string text = numbers(bytes, bytes), path = folder.path("sections");
    write_sections(path, text);
    for (const SectionFile::Access access : kAccesses) {
      auto file = SectionFile::open(path, access);
      REQUIRE(file.ok());
      CHECK((*file)->find("nothing") == nullptr);
      for (const SectionCoding coding : kCodings) {
        const std::string name = "s" + std::to_string(static_cast<int>(coding));
        CHECK(section_text(**file, name) == text);
        const auto stream = make_section_stream(*file, *(*file)->find(name));
        CHECK(stream->reach() == bytes);
        for (const std::size_t at : {std::size_t{0}, kSectionBlock - 3, bytes / 2, bytes}) {
          std::string part(100, '?');
          const auto n = stream->read_at(at, part);
          REQUIRE(n.ok());
          CHECK(part.substr(0, n.value()) == text.substr(std::min(at, bytes), 100));
        }
      }
    }
  }
}

TEST_CASE("section_file: slowly growing numbers compress better as deltas") {
  const TempDir folder;
  const std::string text = numbers(1, 1 << 20);
  write_sections(folder.path("s"), text);
  const auto file = SectionFile::open(folder.path("s"), SectionFile::Access::Read);
  REQUIRE(file.ok());
  const std::uint64_t zstd = file.value()->find("s1")->blocks[0].stored, deltas = file.value()->find("s3")->blocks[0].stored;
  CHECK(zstd < text.size());
  CHECK(deltas < zstd);
}

TEST_CASE("section_file: an unfinished file does not appear in the folder") {
  const TempDir folder;
  const std::string path = folder.path("late");
  {
    auto writer = SectionWriter::create(path, test_pool());
    REQUIRE(writer.ok());
    writer->add("a", SectionCoding::Plain, "text");
    CHECK(!std::filesystem::exists(path));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  const auto nowhere = SectionWriter::create(folder.path("no/such/folder/file"), test_pool());
  REQUIRE(!nowhere.ok());
  CHECK(!nowhere.error().remedy.empty());
}

TEST_CASE("section_file: a damaged section is never loaded with other text") {
  const TempDir folder;
  const std::string text = numbers(2, 3000), whole = write_sections(folder.path("s"), text);
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(bytes.size()) - 1));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.in(0, 7)));
    if (random.chance(0.2)) bytes.resize(at);
    CAPTURE(at);
    const std::string path = folder.write("damaged", bytes);
    for (const SectionFile::Access access : kAccesses) {
      const auto file = SectionFile::open(path, access);
      if (!file) continue;
      for (const SectionCoding coding : kCodings) {
        const Section* const section = file.value()->find("s" + std::to_string(static_cast<int>(coding)));
        REQUIRE(section != nullptr);
        const auto loaded = file.value()->load(*section, test_pool());
        if (loaded) CHECK(loaded.value().text() == text);  // the byte lies between sections, or in another one
      }
    }
  }
}

TEST_CASE("section_file: other formats and other versions are rejected") {
  const TempDir folder;
  for (const std::string_view text : {std::string_view(), std::string_view("{}"), std::string_view("\x89TVX\r\n\x1a\n", 8)}) {
    const auto file = SectionFile::open(folder.write("other", text), SectionFile::Access::Read);
    CHECK(!file.ok());
  }
  std::string newer = write_sections(folder.path("s"), "12345678");
  newer[8] = 99;  // its version
  const auto file = SectionFile::open(folder.write("newer", newer), SectionFile::Access::Read);
  REQUIRE(!file.ok());
  CHECK(file.error().message.find("another version") != std::string::npos);
}

TEST_CASE("section_file: a forged header that claims gigabytes is rejected within the memory budget") {
  const TempDir folder;
  write_sections(folder.path("good"), numbers(1, 4096));
  const std::string good = read_file(folder.path("good"));
  for (const std::uint64_t at : {std::uint64_t{64}, std::uint64_t{1} << 30, std::uint64_t{3} << 30}) {
    CAPTURE(at);
    // A sparse file of 4 GB whose header claims that everything from `at` on is its table of contents.
    const std::string path = folder.write("sparse", good.substr(0, 64));
    const std::uint64_t size = std::uint64_t{4} << 30, bytes = size - at;
    std::filesystem::resize_file(path, size);
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(16).write(reinterpret_cast<const char*>(&at), 8).write(reinterpret_cast<const char*>(&bytes), 8);
    out.close();
    MemoryBudget budget(64 << 20);
    const OnBudget charged(&budget);
    const auto file = SectionFile::open(path, SectionFile::Access::Read);
    REQUIRE(!file.ok());
    CHECK(file.error().message == "the file is damaged or was cut off");
  }
}
