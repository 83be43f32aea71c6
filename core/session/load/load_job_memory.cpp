// How a LoadJob ends when memory is insufficient: by an estimate from what was read, or because it ran out.
#include <utility>

#include "core/base/memory/memory_budget.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"
#include "core/store/clock/time_window.h"
#include "core/store/trace/keep_ranks.h"

namespace tv {

void LoadJob::set_filters() {
  for (const auto& source : sources_) {
    source->draft.set_filter([this, &source = *source](EventBatch& batch) {
      if (source.window) crop(batch, *source.window);
      if (options_.follow) batch.problems.forget(ProblemKind::truncated_record);  // it is being written
      watch_memory(source, batch);
    });
  }
}

void LoadJob::watch_memory(Source& source, const EventBatch& batch) {
  const std::uint64_t more = batch.slices.size() + batch.halves.size() + batch.instants.size() + batch.samples.size() +
                             batch.flows.size();
  source.items += more;
  const std::uint64_t needed = [&] {
    const std::lock_guard lock(weighing_);
    items_ += more;
    weighed_ -= std::exchange(source.weighed, source.progress.handed_over.load(std::memory_order_relaxed));
    weighed_ += source.weighed;
    return memory_estimate(items_, weighed_, bytes_expected());
  }();
  if (memory_limit_ == 0 || needed <= memory_limit_ || stop_reading_.stop_requested()) return;
  std::vector<RankBytes> files;
  for (const auto& each : sources_) {
    if (each->reader && each->rank) files.push_back({*each->rank, each->draft.info().bytes});
  }
  too_large_.store(std::make_shared<const TooLarge>(tv::too_large(needed, memory_limit_, std::move(files))));
  stop_reading_.request_stop();
}

// If contents decide what is wanted, all later files may be left out.
std::uint64_t LoadJob::bytes_expected() const {
  if (!by_contents()) return bytes_total_ - bytes_in_parts_;
  std::uint64_t sum = 0;
  for (const auto& source : sources_) sum += source->counted;
  return sum;
}

// Not charged to the budget: data that was read is freed first. `file`: where it happened, if known.
void LoadJob::ran_out(const std::string& file) {
  const OnBudget none(nullptr);
  if (!ran_out_.exchange(true)) {
    out_of_memory_->limit = memory_limit_;
    try {
      out_of_memory_->file = file;
    } catch (const std::bad_alloc&) {  // reported without it
    }
    too_large_.store(out_of_memory_);
  }
  stop_reading_.request_stop();
}

// Part of the data would look like all of it: only the sources are shown, with the reason.
bool LoadJob::publish_nothing(std::stop_token stop) {
  try {
    read_.clear();
    packed_.let_go("memory ran out");
    for (const auto& source : sources_) {
      SourceInfo info = source->draft.info();
      if (info.state <= SourceState::Ready || info.state == SourceState::Part) {
        info.state = SourceState::Rejected;
        info.reason = "memory ran out";
      }
      static_cast<void>(source->draft.take());
      source->as_before.reset();
      source->draft.restart(std::move(info));
    }
    return publish_read(true, stop);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace tv
