#include "core/store/draft/event_batch.h"

#include <algorithm>

namespace tv {
namespace {

// Copies columns one after the other into one allocation. Columns with wider values must come first, so that each is aligned.
class Carver {
 public:
  explicit Carver(std::size_t bytes) : memory_(allocate_bytes(bytes)), next_(memory_.get()) {}

  template <class T>
  Column<T> copy_of(const std::vector<T>& from) {
    T* const to = reinterpret_cast<T*>(next_);
    std::copy(from.begin(), from.end(), to);
    next_ += from.size() * sizeof(T);
    return Column<T>(memory_, to, from.size());
  }

 private:
  std::shared_ptr<std::byte> memory_;
  std::byte* next_;
};

}  // namespace

void SliceColumns::clear() {
  track.clear();
  begin.clear();
  duration.clear();
  label.clear();
  group.clear();
  offset.clear();
  flags.clear();
}

void SliceColumns::reserve(std::size_t slices) {
  track.reserve(slices);
  begin.reserve(slices);
  duration.reserve(slices);
  label.reserve(slices);
  group.reserve(slices);
  offset.reserve(slices);
  flags.reserve(slices);
}

SliceBlock::SliceBlock(const SliceColumns& from) {
  if (from.size() == 0) return;
  const bool groups = std::ranges::any_of(from.group, [](std::uint32_t g) { return g != kNoGroup; });
  const bool flagged = std::ranges::any_of(from.flags, [](std::uint8_t f) { return f != 0; });
  const std::size_t bytes_per_slice = 3 * sizeof(Ns) + 2 * sizeof(std::uint32_t) + (groups ? sizeof(std::uint32_t) : 0) + (flagged ? 1 : 0);
  Carver carver(from.size() * bytes_per_slice);
  begin = carver.copy_of(from.begin);
  duration = carver.copy_of(from.duration);
  offset = carver.copy_of(from.offset);
  track = carver.copy_of(from.track);
  label = carver.copy_of(from.label);
  if (groups) group = carver.copy_of(from.group);
  if (flagged) flags = carver.copy_of(from.flags);
  // Without branches, because zero durations occur at random.
  constexpr Ns kLeast = std::numeric_limits<Ns>::min(), kMost = std::numeric_limits<Ns>::max();
  for (std::size_t i = 0; i < size(); ++i) {
    const bool lasts = duration[i] != 0;
    const Ns end = begin[i] + std::max<Ns>(duration[i], 0);
    first = std::min(first, begin[i]);
    last = std::max(last, end);
    lasting_first = std::min(lasting_first, lasts ? begin[i] : kMost);
    lasting_last = std::max(lasting_last, lasts ? end : kLeast);
    lasting += lasts ? 1 : 0;
  }
}

}  // namespace tv
