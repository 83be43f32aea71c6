// Counts the parts of a saved view that do not fit the open files, and says so:
// "left out of the view, because they do not fit the open files: lanes: 3".
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
  /// `what`: the kind of part, in the plural.
  void add(std::string_view what, std::size_t count = 1) {
    if (count == 0) return;
    for (auto& [kind, total] : counts_) {
      if (kind == what) {
        total += count;
        return;
      }
    }
    counts_.emplace_back(what, count);
  }
  /// Empty if nothing was skipped.
  std::string text() const {
    std::string list;
    for (const auto& [kind, total] : counts_) list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", kind, total);
    return list.empty() ? list : "left out of the view, because they do not fit the open files: " + list;
  }

 private:
  std::vector<std::pair<std::string, std::size_t>> counts_;
};

}  // namespace tv
