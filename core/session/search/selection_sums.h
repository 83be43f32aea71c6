// Sums over many selected slices, in words. They are counted in the background, because millions of slices may share a name.
// Only the UI thread calls it. Cost per frame: a comparison.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/async_memo.h"
#include "core/query/slice_sums.h"

namespace tv {

class SelectionSums {
 public:
  SelectionSums(ThreadPool& pool, std::function<void()> wake) : memo_(pool, std::move(wake)) {}

  /// Call once per frame, with the name whose slices are summed up, or a stretch of slices, or neither.
  void ask(const std::shared_ptr<const Trace>& trace, LabelId label, const std::optional<SliceStretch>& stretch);
  /// Empty: nothing is selected. "counting ..." until the sums are known.
  const std::vector<std::string>& lines() const { return lines_; }
  /// lines() do not show the requested sums yet, even if they are ready.
  bool busy() const { return waiting_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    LabelId label = kNone<LabelId>;
    std::optional<SliceStretch> stretch;
    bool operator==(const Asked&) const = default;
  };
  using Lines = std::vector<std::string>;

  AsyncMemo<Asked, Lines> memo_;
  std::optional<Asked> shown_;  ///< the question that lines_ answer
  Lines lines_;
  bool waiting_ = false;
};

}  // namespace tv
