#include "tests/support/temp_dir.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tv::test {
namespace fs = std::filesystem;
namespace {

void put(const fs::path& path, std::string_view bytes, std::ios::openmode mode) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary | mode);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

TempDir::TempDir() {
  static std::atomic<int> count = 0;
  const std::string name = "traceview-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  folder_ = fs::temp_directory_path() / name;
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string TempDir::path(std::string_view name) const {
  return name.empty() ? folder_.string() : (folder_ / name).string();
}

std::string TempDir::write(std::string_view name, std::string_view bytes) const {
  put(path(name), bytes, std::ios::trunc);
  return path(name);
}

void TempDir::append(std::string_view name, std::string_view bytes) const { put(path(name), bytes, std::ios::app); }

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace tv::test
