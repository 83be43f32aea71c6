#include "core/session/files/memory_watch.h"

#include <utility>
#include <vector>

namespace tv {

void MemoryWatch::begin(std::uint64_t limit) {
  limit_ = limit;
  budget_ = std::make_shared<MemoryBudget>(limit);
}

void MemoryWatch::begin_again() {
  too_large_.store(nullptr);
  ran_out_ = false;
  items_ = weighed_ = 0;
  stop_reading_ = std::stop_source();
}

void MemoryWatch::add(LoadSource& source, std::uint64_t items, std::uint64_t bytes_expected, const LoadSources& all) {
  source.items += items;
  const std::uint64_t needed = [&] {
    const std::lock_guard lock(weighing_);
    items_ += items;
    weighed_ -= std::exchange(source.weighed, source.progress.handed_over.load(std::memory_order_relaxed));
    weighed_ += source.weighed;
    return memory_estimate(items_, weighed_, bytes_expected);
  }();
  if (limit_ == 0 || needed <= limit_ || stop_reading_.stop_requested()) return;
  std::vector<RankBytes> files;
  for (const auto& each : all) {
    if (each->reader && each->rank) files.push_back({*each->rank, each->draft.info().bytes});
  }
  too_large_.store(std::make_shared<const TooLarge>(tv::too_large(needed, limit_, std::move(files))));
  stop_reading();
}

void MemoryWatch::forget(LoadSource& source) {
  const std::lock_guard lock(weighing_);
  items_ -= source.items;
  weighed_ -= std::exchange(source.weighed, 0);
}

// Allocations here are not charged to the budget, because it is used up until the data that were read are freed.
void MemoryWatch::run_out(const std::string& file) {
  const OnBudget uncharged(nullptr);
  if (!ran_out_.exchange(true)) {
    out_of_memory_->limit = limit_;
    try {
      out_of_memory_->file = file;
    } catch (const std::bad_alloc&) {  // reported without the file
    }
    too_large_.store(out_of_memory_);
  }
  stop_reading();
}

}  // namespace tv
