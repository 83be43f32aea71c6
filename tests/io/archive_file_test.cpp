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
      CAPTURE(path);
      const FoundFiles found = find_files({path});
      CHECK(!found.files.empty());
      for (const std::string& file : found.files) {
        auto stream = open_stream(file);
        REQUIRE(stream.ok());
        const std::string read = all_of(**stream);
        CHECK(text.starts_with(read));
        CHECK((*stream)->damage().empty() == (read.size() == text.size()));
      }
      // A zip that is cut within its first file is read like that file.
      CHECK(found.damaged.size() == (path.ends_with(".tar") || found.files.size() > 1 ? 1 : 0));
    }
  }
  std::string wrong = zip;
  std::size_t opened = 0;
  for (std::size_t at = zip.size() - 90; at < zip.size(); ++at) {  // in the list of files
    CAPTURE(at);
    wrong[at] = static_cast<char>(wrong[at] ^ 0x55);
    // Each gets a name of its own: a file rewritten at once with the same size would look unchanged.
    for (const std::string& file : find_files({folder.write(std::to_string(at) + ".zip", wrong)}).files) {
      auto stream = open_stream(file);
      if (!stream) continue;
      ++opened;
      CHECK((all_of(**stream) == text));  // too long to print
      CHECK((*stream)->damage() == "");
    }
    wrong[at] = zip[at];
  }
  CHECK(opened > 90);
  for (const std::size_t at : {zip.size() / 8, zip.size() / 4, zip.size() * 3 / 8}) {  // in the data of a
    CAPTURE(at);
    wrong[at] = static_cast<char>(wrong[at] ^ 0x55);
    const std::string path = folder.write(std::to_string(at) + ".zip", wrong);
    auto stream = open_stream(path + "/a");
    REQUIRE(stream.ok());
    CHECK((all_of(**stream) != text));
    CHECK((*stream)->damage().starts_with("the zip archive is damaged: "));
    CHECK((text_of(path + "/b") == text));
    wrong[at] = zip[at];
  }
}

TEST_CASE("archive_file: a tar whose header is damaged in the middle shows the files after it and says so") {
  const TempDir folder;
  const std::string a = some_text(3000), b = some_text(20'000, 2), c = some_text(5000, 3);
  const std::string tar = tarred({{"a", a}, {"b", b}, {"c", c}});
  const std::size_t header = 512 + 3072;  // of b
  REQUIRE(tar.substr(header).starts_with(std::string("b\0", 2)));
  const auto with = [&](const std::string& damage) { return std::string(tar).replace(header, damage.size(), damage); };
  std::string bit = tar.substr(header, 512);
  bit[150] ^= 1;  // in the checksum
  std::size_t number = 0;
  for (const std::string& damage : {bit, std::string(512, '\xff'), std::string(512, '\0'), std::string(4096, '\0')}) {
    CAPTURE(number);
    const std::string path = folder.write(std::to_string(number++) + ".tar", with(damage));
    const FoundFiles found = find_files({path});
    CHECK(found.files == std::vector<std::string>{path + "/a", path + "/c"});
    REQUIRE(found.damaged.size() == 1);
    CHECK(found.damaged[0].message.starts_with("the tar archive is damaged: a header is wrong"));
    CHECK((text_of(path + "/a") == a));
    CHECK((text_of(path + "/c") == c));
  }
}

TEST_CASE("archive_file: a tar that ends within a header says so") {
  const TempDir folder;
  const std::string tar = tarred({{"a", some_text(3000)}, {"b", "text"}});
  const std::string path = folder.write("cut.tar", tar.substr(0, 512 + 3072 + 100));
  const FoundFiles found = find_files({path});
  CHECK(found.files == std::vector<std::string>{path + "/a"});
  CHECK(found.damaged.size() == 1);
}

TEST_CASE("archive_file: what follows the end of a complete tar is ignored") {
  const TempDir folder;
  const std::string a = some_text(3000), tar = tarred({{"a", a}});
  const std::size_t end = 512 + 3072;
  REQUIRE(tar.size() >= end + 1024);
  std::size_t number = 0;
  for (const std::string& text : {tar + std::string(3, '\0'), tar + "hello", tar + some_text(600), tar + some_text(5000),
                                  tar.substr(0, end + 700), tar.substr(0, end + 1024) + some_text(2000)}) {
    CAPTURE(number);
    const std::string path = folder.write(std::to_string(number++) + ".tar", text);
    const FoundFiles found = find_files({path});
    CHECK(found.files == std::vector<std::string>{path + "/a"});
    CHECK(found.damaged.empty());
    CHECK((text_of(path + "/a") == a));
  }
}

TEST_CASE("archive_file: tar archives that were appended to each other are one") {
  const TempDir folder;
  const std::string path = folder.write("both.tar", tarred({{"a", "1"}}) + std::string(4096, '\0') + tarred({{"b", "2"}}));
  const FoundFiles found = find_files({path});
  CHECK(found.files == std::vector<std::string>{path + "/a", path + "/b"});
  CHECK(found.damaged.empty());
  CHECK(text_of(path + "/b") == "2");
}

TEST_CASE("archive_file: a truncated archive shows all that it holds of its files, and says what is missing") {
  const TempDir folder;
  const std::string a = some_text(300'000), b = some_text(200'000, 2), c = some_text(100'000, 3);
  const std::vector<std::pair<std::string, std::string>> files = {{"a", a}, {"b", b}, {"c", c}};
  const std::string tar = tarred(files);
  const std::string path = folder.write("cut.tar", tar.substr(0, 512 + 200'000));
  CHECK((text_of(path + "/a") == a.substr(0, 200'000)));
  const std::string zip = zipped(files);
  const std::size_t directory = zip.find("PK\x01\x02");
  REQUIRE(directory != std::string::npos);
  for (const std::string& text : {zip.substr(0, zip.size() - 1), zip.substr(0, directory + 60), zip.substr(0, directory + 30)}) {
    CAPTURE(text.size());
    const std::string cut = folder.write(std::to_string(text.size()) + ".zip", text);
    const FoundFiles found = find_files({cut});
    CHECK(found.files == std::vector<std::string>{cut + "/a", cut + "/b", cut + "/c"});
    REQUIRE(found.damaged.size() == 1);
    CHECK(found.damaged[0].message.find("the list of its files is missing") != std::string::npos);
    CHECK((text_of(cut + "/a") == a));
    CHECK((text_of(cut + "/c") == c));
  }
  // libarchive looks a few bytes ahead, so if a file is cut exactly at its end, it gives only the blocks before the last.
  const std::string exact = folder.write("exact.zip", zip.substr(0, directory));
  auto last = open_stream(exact + "/c");
  REQUIRE(last.ok());
  CHECK(c.starts_with(all_of(**last)));
  CHECK(!(*last)->damage().empty());
  // Only one file is whole: the missing list is the only sign that there were more.
  const std::size_t second = zip.find("PK\x03\x04", 4);
  REQUIRE(second != std::string::npos);
  const std::string one = folder.write("one.zip", zip.substr(0, second + 25));
  CHECK(find_files({one}).files == std::vector<std::string>{one});
  auto stream = open_stream(one);
  REQUIRE(stream.ok());
  CHECK((all_of(**stream) == a));
  CHECK((*stream)->damage().find("the list of its files is missing") != std::string::npos);
}

TEST_CASE("archive_file: what an archive lacks is reported for encoded files, too") {
  const TempDir folder;
  const std::string a = some_text(300'000);
  for (const std::string& packed : {gzipped(a), zstd_compressed(a)}) {
    const std::string zip = zipped({{"a", packed}, {"b", a}});
    const std::size_t second = zip.find("PK\x03\x04", 4);
    REQUIRE(second != std::string::npos);
    auto stream = open_stream(folder.write(std::to_string(packed.size()) + ".zip", zip.substr(0, second + 25)));
    REQUIRE(stream.ok());
    CHECK((all_of(**stream) == a));
    CHECK((*stream)->damage().find("the list of its files is missing") != std::string::npos);
  }
  std::string utf16 = "\xff\xfe";
  for (const char c : a) utf16 += {c, '\0'};
  const std::string cut = folder.write("cut.tar", tarred({{"a", utf16}}).substr(0, 512 + 200'000));
  auto stream = open_stream(cut + "/a");
  REQUIRE(stream.ok());
  const std::string text = all_of(**stream);
  CHECK((text.size() > 1000 && a.starts_with(text.substr(3))));  // after the byte order mark
  CHECK(!(*stream)->damage().empty());
}
