// Labels of ImGui's widgets that show data: names, keys, paths. ImGui shows a label only up to "##" and begins its id anew at
// "###", but PyTorch's inductor names slices "## Call CompiledFxGraph f3x ##".
#pragma once

#include <string>
#include <string_view>

#include "ui/widgets/text/letters.h"

namespace tv {

/// A label that shows the whole text. A carriage return follows each '#': ImGui draws nothing for it. So a "##" that the caller
/// appends still begins an id. Cost: O(text).
inline std::string whole_label(std::string_view text) {
  want_letters(text);
  std::string label;
  for (const char c : text) {
    label += c;
    if (c == '#') label += '\r';
  }
  return label;
}

}  // namespace tv
