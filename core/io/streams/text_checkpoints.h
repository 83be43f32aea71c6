// Positions in the text of a gzip file from which inflating can continue, noted while the text is read. To reach a place far into
// the file then takes at most 32 MiB of inflating. All streams of one file share the checkpoints, on any threads. Cost: 90 KB for
// each checkpoint, which is 0.3 % of the text.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace tv {

class TextCheckpoints {
 public:
  explicit TextCheckpoints(std::uint64_t distance = 32 << 20) : distance_(distance) {}

  /// What a stream needs to resume. Each kind of stream has its own.
  struct State {
    virtual ~State() = default;
  };
  struct Place {
    std::uint64_t offset = 0;  ///< in the text
    std::shared_ptr<const State> state;
  };

  /// Whether a checkpoint is due at this offset.
  bool wanted(std::uint64_t offset) const {
    const std::lock_guard lock(mutex_);
    const auto after = places_.upper_bound(offset);
    return offset >= (after == places_.begin() ? 0 : std::prev(after)->first) + distance_;
  }
  void add(std::uint64_t offset, std::shared_ptr<const State> state) {
    const std::lock_guard lock(mutex_);
    places_.emplace(offset, std::move(state));
  }
  /// The last checkpoint at or before the offset. If there is none, the beginning, without a state.
  Place before(std::uint64_t offset) const {
    const std::lock_guard lock(mutex_);
    const auto after = places_.upper_bound(offset);
    return after == places_.begin() ? Place{} : Place{std::prev(after)->first, std::prev(after)->second};
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return places_.size();
  }

 private:
  const std::uint64_t distance_;  // between checkpoints, in bytes of text
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<const State>> places_;
};

}  // namespace tv
