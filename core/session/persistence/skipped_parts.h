// The parts of a view that do not fit the open files, in words: "not in what is open, and left out of the view: lanes: 3".
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tv {

class SkippedParts {
 public:
  /// `what`: a plural.
  void add(std::string_view what, std::size_t count = 1) {
    if (count == 0) return;
    for (auto& [known, n] : counts_) {
      if (known == what) {
        n += count;
        return;
      }
    }
    counts_.emplace_back(what, count);
  }
  /// Empty when nothing was skipped.
  std::string text() const {
    std::string out;
    for (const auto& [what, n] : counts_) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", what, n);
    return out.empty() ? out : "not in what is open, and left out of the view: " + out;
  }

 private:
  std::vector<std::pair<std::string, std::size_t>> counts_;
};

}  // namespace tv
