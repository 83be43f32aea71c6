// The icon, pictures on the clipboard, and names of pictures that are saved.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "app/window/copy_picture.h"
#include "app/window/new_file_path.h"
#include "app/window/window_icon.h"
#include "core/view/color/palette.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Sets an environment variable during its lifetime.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

std::string text_of_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("icon: it is drawn at each size, with round corners") {
  for (const int size : {16, 24, 32, 48, 64, 128}) {
    const Image icon = icon_pixels(size);
    REQUIRE(icon.pixels.size() == static_cast<std::size_t>(size * size));
    CHECK((icon.at(0, 0) & 0xff000000u) == 0);
    CHECK((icon.at(size - 1, size - 1) & 0xff000000u) == 0);
    CHECK((icon.at(size / 2, size / 2) & 0xff000000u) == 0xff000000u);
  }
  CHECK(icon_pixels(64).at(12, 16) == rgba(0x61, 0xd4, 0xa1));
  CHECK(icon_pixels(64).at(6, 6) == rgba(0x1a, 0x1e, 0x24));
}

TEST_CASE("icon: a rectangle that covers half of a pixel is half opaque there") {
  const Image image = draw_svg_rects("<rect x=\"0\" y=\"0\" width=\"32\" height=\"64\" fill=\"#ff0000\"/>", 1);
  CHECK(image.at(0, 0) == rgba(255, 0, 0, 128));
}

TEST_CASE("copy_picture: the bytes go to the installed clipboard program") {
  const TempDir folder;
  const std::string out = folder.path() + "/copied";
  const std::string program = folder.write("xclip", "#!/bin/sh\necho \"$@\" > " + out + ".args\nexec cat > " + out + "\n");
  ::chmod(program.c_str(), 0700);
  const Variable path("PATH", (folder.path() + ":/usr/bin:/bin").c_str()), display("DISPLAY", ":0"), wayland("WAYLAND_DISPLAY", nullptr);
  const std::string bytes("\x89PNG\0bytes", 10);
  CHECK(copy_picture(bytes));
  CHECK(text_of_file(out) == bytes);
  CHECK(text_of_file(out + ".args") == "-selection clipboard -t image/png\n");
}

TEST_CASE("copy_picture: an error says what is missing or has failed") {
  const TempDir folder;
  const Variable path("PATH", folder.path().c_str()), display("DISPLAY", ":0"), wayland("WAYLAND_DISPLAY", nullptr);
  CHECK(copy_picture("x").error().message == "pictures are copied with xclip, which is not installed (package xclip)");
  const std::string program = folder.write("xclip", "#!/bin/sh\nexit 1\n");
  ::chmod(program.c_str(), 0700);
  CHECK(copy_picture("x").error().message == "xclip failed to copy the picture");
  const Variable none("DISPLAY", nullptr);
  CHECK(copy_picture("x").error().message == "there is no clipboard without a display");
}

TEST_CASE("new_file_path: files that are saved within a second do not replace each other") {
  const TempDir home;
  const Variable variable("HOME", home.path().c_str());
  const std::filesystem::path pictures = home.path("Pictures");
  std::filesystem::create_directory(pictures);
  constexpr int kSaved = 10;
  for (int i = 0; i < kSaved; ++i) {
    const std::filesystem::path path = new_file_path("timeline", ".png");
    CHECK(path.parent_path() == pictures);
    CHECK(path.extension() == ".png");
    CHECK(!std::filesystem::exists(path));
    std::ofstream(path) << i;
  }
  CHECK(std::distance(std::filesystem::directory_iterator(pictures), {}) == kSaved);
}
