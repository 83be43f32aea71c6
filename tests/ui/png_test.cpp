#include "app/stage/png.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace tv;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path =
      fs::temp_directory_path() / ("traceview-png-" + std::to_string(std::hash<const void*>{}(this)));
};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Image picture() {
  Image image{3, 2, {}};
  image.pixels.assign(6, 0xff0000ff);
  return image;
}

}  // namespace

TEST_CASE("png: a picture is written whole, replaces an older one and leaves no other files") {
  const Folder folder;
  const fs::path path = folder.path / "shot \u4e2d.png";
  for (int i = 0; i < 2; ++i) {
    const auto written = write_png(path, picture());
    REQUIRE_MESSAGE(written.ok(), (written ? "" : written.error().text()));
    const std::string bytes = bytes_of(path);
    CHECK(bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    CHECK(bytes.substr(16, 8) == std::string("\0\0\0\x03\0\0\0\x02", 8));  // width and height
    CHECK(bytes.substr(bytes.size() - 8, 4) == "IEND");
  }
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("png: a folder that does not exist is an error that names the file") {
  const Folder folder;
  const fs::path path = folder.path / "missing" / "shot.png";
  const auto written = write_png(path, picture());
  REQUIRE(!written.ok());
  CHECK(written.error().text().find("shot.png") != std::string::npos);
  CHECK(!fs::exists(path));
}
