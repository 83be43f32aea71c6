// What a LoadJob does while it reads, and when memory is insufficient (memory_watch.h).
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
      const std::uint64_t items = batch.slices.size() + batch.halves.size() + batch.instants.size() + batch.samples.size() +
                                  batch.flows.size();
      memory_.add(source, items, bytes_expected(), sources_);
    });
  }
}

// If the selection depends on file contents, later files may all be left out, so only files begun so far are expected.
std::uint64_t LoadJob::bytes_expected() const {
  if (!by_contents()) return bytes_total_ - bytes_in_parts_;
  std::uint64_t sum = 0;
  for (const auto& source : sources_) sum += source->counted;
  return sum;
}

// A part of the data could be mistaken for all of it, so only the sources are shown, with the reason.
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
      source->reused_log.reset();
      source->draft.restart(std::move(info));
    }
    return publish_read(true, stop);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace tv
