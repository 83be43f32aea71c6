// Whether the pictures of README and the manual still show this program. Each is drawn again from its script, and both are
// compared coarsely: by the mean colour of squares of 24 pixels. So another font or a line that moved by a pixel is not seen, but
// a moved bar, panel or chart is. `assets/pictures/make` draws them anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>

#include "app/stage/script/run_script.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

constexpr int kSquare = 24;         // pixels
constexpr double kSeenFrom = 10;    // of 255: the least difference of means that counts
constexpr double kMostChanged = 0.08;  // of the squares; with another window layout it is 0.16 or more

struct FarPicture {
  int width = 0, height = 0;
  std::vector<std::array<double, 3>> squares;
};

FarPicture far_picture(const std::string& path) {
  FarPicture out;
  int channels = 0;
  unsigned char* const pixels = stbi_load(path.c_str(), &out.width, &out.height, &channels, 3);
  if (!pixels) return out;
  const int columns = (out.width + kSquare - 1) / kSquare, rows = (out.height + kSquare - 1) / kSquare;
  out.squares.resize(static_cast<std::size_t>(columns * rows));
  std::vector<double> counts(out.squares.size());
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const auto square = static_cast<std::size_t>(y / kSquare * columns + x / kSquare);
      counts[square] += 1;
      for (std::size_t c = 0; c < 3; ++c) out.squares[square][c] += pixels[3 * (y * out.width + x) + static_cast<int>(c)];
    }
  }
  for (std::size_t s = 0; s < out.squares.size(); ++s) {
    for (double& color : out.squares[s]) color /= counts[s];
  }
  stbi_image_free(pixels);
  return out;
}

// The share of squares that look different; 1 for pictures of different sizes.
double changed_share(const FarPicture& a, const FarPicture& b) {
  if (a.squares.empty() || a.width != b.width || a.height != b.height) return 1;
  std::size_t changed = 0;
  for (std::size_t s = 0; s < a.squares.size(); ++s) {
    double most = 0;
    for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.squares[s][c] - b.squares[s][c]));
    changed += most > kSeenFrom;
  }
  return static_cast<double>(changed) / static_cast<double>(a.squares.size());
}

// Draws a script's picture as assets/pictures/make does, and returns its path.
std::string drawn_again(const fs::path& script, const TempDir& temp) {
  std::string text = read_file(script.string());
  const std::string run = temp.path("run8"), picture = temp.path(script.stem().string() + ".png");
  if (const std::size_t at = text.find("{nsys_run}"); at != std::string::npos) {
    const std::string make = "python3 '" + source_dir() + "/tests/support/make_nsys.py' run --out '" + run + "' >/dev/null";
    REQUIRE(std::system(make.c_str()) == 0);
    text.replace(at, 10, run);
  }
  Options options;
  const std::size_t size = text.find("# size ");
  REQUIRE(size != std::string::npos);
  REQUIRE(std::sscanf(text.c_str() + size, "# size %dx%d", &options.width, &options.height) == 2);
  text += "move ruler 0.999\nsettle\nscreenshot " + picture + "\n";
  options.verb = Verb::Script;
  options.script = temp.write(script.stem().string() + ".script", text);
  CHECK(run_script(options) == exit_code::kOk);
  return picture;
}

}  // namespace

TEST_CASE("pictures: those of README and manual match the program, else run assets/pictures/make") {
  const TempDir temp;
  const fs::path before = fs::current_path(), folder = fs::path(source_dir()) / "assets/pictures";
  fs::current_path(source_dir());
  std::size_t scripts = 0, pictures = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    pictures += entry.path().extension() == ".png";
    if (entry.path().extension() != ".script") continue;
    ++scripts;
    const fs::path kept = fs::path(entry.path()).replace_extension(".png");
    CAPTURE(kept.string());
    const double changed = changed_share(far_picture(kept.string()), far_picture(drawn_again(entry.path(), temp)));
    CHECK(changed <= kMostChanged);
  }
  fs::current_path(before);
  CHECK(scripts >= 5);
  CHECK(scripts == pictures);
}

TEST_CASE("pictures: a picture of another window counts as changed") {
  const std::string folder = source_dir() + "/assets/pictures/";
  const FarPicture one = far_picture(folder + "training.png"), other = far_picture(folder + "rollout_blame.png");
  CHECK(changed_share(one, one) == 0);
  CHECK(changed_share(one, other) > 2 * kMostChanged);
  CHECK(changed_share(one, far_picture(folder + "nothing.png")) == 1);
}
