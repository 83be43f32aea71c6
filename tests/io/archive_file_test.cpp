#include "core/io/archives/archive_file.h"

#include <doctest/doctest.h>

#include "core/io/files/find_files.h"
#include "core/io/files/open_stream.h"
#include "tests/io/archives.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// A tar archive of plain files, in the ustar format.
std::string tarred(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out;
  for (const auto& [name, text] : files) {
    std::string head(512, '\0');
    name.copy(head.data(), 100);
    std::string("0000644").copy(head.data() + 100, 7);
    std::string octal(11, '0');
    for (std::size_t i = octal.size(), n = text.size(); n > 0; n /= 8) octal[--i] = static_cast<char>('0' + n % 8);
    octal.copy(head.data() + 124, 11);
    head.replace(148, 8, 8, ' ');
    head[156] = '0';
    std::string("ustar").copy(head.data() + 257, 5);
    std::string("00").copy(head.data() + 263, 2);
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    for (std::size_t i = 154; i-- > 148; sum /= 8) head[i] = static_cast<char>('0' + sum % 8);
    head[154] = '\0';
    out += head + text + std::string((512 - text.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

std::string text_of(const std::string& path) {
  auto stream = open_stream(path);
  REQUIRE(stream.ok());
  return all_of(**stream);
}

}  // namespace

TEST_CASE("archive_file: files in zip and tar archives read like files in a folder") {
  const TempDir folder;
  const std::string large = some_text(1'000'000), other = some_text(100'000, 2);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"d/large", large}, {"empty", ""}, {"packed.gz", gzipped(other)}, {"packed.zst", zstd_compressed(other)}};
  for (const std::string& path : {folder.write("a.zip", zipped(files)), folder.write("a.tar", tarred(files)),
                                  folder.write("a.tar.gz", gzipped(tarred(files)))}) {
    CAPTURE(path);
    CHECK(find_files({path}).files ==
          std::vector<std::string>{path + "/d/large", path + "/empty", path + "/packed.gz", path + "/packed.zst"});
    CHECK(text_of(path + "/d/large") == large);
    CHECK(text_of(path + "/empty").empty());
    CHECK(text_of(path + "/packed.gz") == other);
    CHECK(text_of(path + "/packed.zst") == other);
    CHECK(read_text_at(path + "/d/large", 700'000, 10).value() == large.substr(700'000, 10));
    CHECK(!open_stream(path + "/missing").ok());
    CHECK(identity_of(path + "/d/large").ok());
    CHECK(!identity_of(path + "/missing").ok());
  }
  CHECK(identity_of(folder.path("a.tar/d/large")).value().size == large.size());
}

TEST_CASE("archive_file: only the beginning is kept of unwanted files in a tar archive") {
  const TempDir folder;
  const std::string large = some_text(3'000'000);
  const std::string path = folder.write("a.tar", tarred({{"wanted", large}, {"other", large}}));
  const FoundFiles found =
      find_files({path}, [](std::string_view name, std::string_view) { return name.ends_with("/wanted"); });
  CHECK(found.files.size() == 2);
  CHECK(text_of(path + "/wanted") == large);
  CHECK(text_of(path + "/other") == large.substr(0, 1 << 20));
}

TEST_CASE("archive_file: the decompressed text decides whether a file in a tar archive is wanted") {
  const TempDir folder;
  const std::string text = some_text(10'000'000);
  for (const std::string& packed : {gzipped(text), zstd_compressed(text)}) {
    REQUIRE(packed.size() > 1 << 20);
    const std::string path = folder.write(std::to_string(packed.size()) + ".tar", tarred({{"packed", packed}}));
    CAPTURE(path);
    find_files({path}, [&](std::string_view, std::string_view head) { return head == text.substr(0, 1 << 20); });
    CHECK((text_of(path + "/packed") == text));  // too long to print
  }
}

TEST_CASE("archive_file: a rewritten archive is read again") {
  const TempDir folder;
  const std::string path = folder.write("a.zip", zipped({{"a", "1"}, {"b", "2"}}));
  CHECK(text_of(path + "/a") == "1");
  folder.write("a.zip", zipped({{"a", "other"}, {"b", "2"}}));
  CHECK(text_of(path + "/a") == "other");
}

TEST_CASE("archive_file: truncated archives give prefixes of their files, and damaged ones can be read to their end") {
  const TempDir folder;
  const std::string text = some_text(200'000);
  const std::string zip = zipped({{"a", text}, {"b", text}}), tar = tarred({{"a", text}, {"b", text}});
  for (std::size_t i = 1; i < 20; ++i) {
    CAPTURE(i);
    for (const std::string& path : {folder.write("cut.zip", zip.substr(0, zip.size() * i / 20)),
                                    folder.write("cut.tar", tar.substr(0, tar.size() * i / 20))}) {
      const FoundFiles found = find_files({path});
      for (const std::string& file : found.files) {
        auto stream = open_stream(file);
        if (stream.ok()) CHECK(text.starts_with(all_of(**stream)));
      }
    }
  }
  std::string wrong = zip;
  for (std::size_t at = zip.size() - 90; at < zip.size(); ++at) {
    wrong[at] = static_cast<char>(wrong[at] ^ 0x55);
    for (const std::string& file : find_files({folder.write("wrong.zip", wrong)}).files) {
      if (auto stream = open_stream(file)) static_cast<void>((*stream)->damage());
    }
    wrong[at] = zip[at];
  }
}
