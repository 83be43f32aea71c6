#include "tests/support/golden.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <vector>

#include "tests/support/temp_dir.h"

namespace tv::test {
namespace {

constexpr std::size_t kMostLines = 200, kHead = 60, kTail = 60;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// FNV-1a: short, and the same everywhere.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

std::string first_difference(std::string_view expected, std::string_view found) {
  if (expected == found) return {};
  const auto a = lines_of(expected), b = lines_of(found);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string_view left = i < a.size() ? a[i] : "(nothing)", right = i < b.size() ? b[i] : "(nothing)";
    if (left == right) continue;
    return "line " + std::to_string(i + 1) + "\n  expected " + std::string(left) + "\n  found    " +
           std::string(right);
  }
  return "the line ends differ";
}

std::string golden_difference(const std::string& path, std::string_view text) {
  if (const char* update = std::getenv("TV_UPDATE_GOLDEN"); update && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return {};
  }
  if (!std::filesystem::exists(path)) return path + " is missing: write it with TV_UPDATE_GOLDEN=1 and review it";
  const std::string difference = first_difference(read_file(path), text);
  return difference.empty() ? difference : path + " " + difference;
}

std::string shortened(const std::string& text) {
  const auto lines = lines_of(text);
  if (lines.size() <= kMostLines) return text;
  std::ostringstream out;
  for (std::size_t i = 0; i < kHead; ++i) out << lines[i] << '\n';
  out << "... " << lines.size() - kHead - kTail << " more lines; all " << lines.size() << " hash to " << std::hex
      << std::setw(16) << std::setfill('0') << hash_of(text) << '\n';
  for (std::size_t i = lines.size() - kTail; i < lines.size(); ++i) out << lines[i] << '\n';
  return out.str();
}

}  // namespace tv::test
