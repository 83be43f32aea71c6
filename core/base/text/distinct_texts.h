// Makes column titles distinct, because they become JSON keys, or CSV headers that other programs read by name.
// Cost: O(texts log texts); quadratic in the number of equal texts.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tv {

/// The first of several equal titles stays as it is. The others are numbered: "mean", "mean (2)".
inline std::vector<std::string> distinct_texts(std::vector<std::string> texts) {
  std::set<std::string> known(texts.begin(), texts.end()), used;
  for (std::string& text : texts) {
    if (used.insert(text).second) continue;
    std::string numbered;
    for (std::size_t n = 2; numbered.empty() || !known.insert(numbered).second; ++n) {
      numbered = text + " (" + std::to_string(n) + ")";
    }
    text = std::move(numbered);
  }
  return texts;
}

}  // namespace tv
