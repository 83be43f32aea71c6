#include "tests/support/skip.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tests/support/places.h"

namespace tv::test {

void skip(std::string_view reason) {
  const doctest::detail::TestCase* const current = doctest::getContextOptions()->currentTest;
  std::string line = fmt::format("SKIPPED [{}]: {}", current ? current->m_name : "", reason);
  std::ranges::replace(line, '\n', ' ');
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

std::string shared_sample(std::string_view name) {
  const std::string data = shared_dir() + "/data", path = fmt::format("{}/{}", data, name);
  if (std::filesystem::exists(path)) return path;
  const bool none = !std::filesystem::is_directory(data);
  skip("no sample data: " + (none ? "there is no " + data : fmt::format("{} has no {}", data, name)));
  return "";
}

}  // namespace tv::test
