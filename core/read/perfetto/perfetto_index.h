// The data of a Perfetto trace to which its records refer, for reading one record after the other in any order: texts by number,
// and ends of slices with annotations of their own. Cost: one pass over the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/read/perfetto/perfetto_packets.h"

namespace tv {

struct PerfettoIndex {
  struct Text {
    std::uint32_t sequence, kind;
    std::uint64_t iid, offset;
    std::string text;
    auto place() const { return std::tuple(sequence, kind, iid, offset); }
  };
  std::vector<Text> texts;                                    ///< sorted by place()
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ends;  ///< a begin and its end, by offset, if the end has annotations
  std::vector<PerfettoFold> folds;

  /// The text that was last assigned to the number before the record, or in it.
  std::string_view find(std::uint32_t sequence, std::uint32_t kind, std::uint64_t iid, std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(texts, std::tuple(sequence, kind, iid, offset), {}, &Text::place);
    if (after == texts.begin()) return {};
    const Text& text = *(after - 1);
    return text.sequence == sequence && text.kind == kind && text.iid == iid ? std::string_view(text.text)
                                                                             : std::string_view();
  }
};

/// The index of a file. Keeps the last one, for the next click and for the other threads of an export.
Result<std::shared_ptr<const PerfettoIndex>> perfetto_index(const std::string& path);

}  // namespace tv
