#include "core/session/search/ask_statistics.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text/count_text.h"
#include "core/session/records/arg_values.h"
#include "core/session/search/filtered_slices.h"

namespace tv {

struct StatisticsJob::State {
  mutable std::mutex mutex;
  std::function<void()> done;
  std::optional<StatisticsQuestion> under_way;
  std::stop_source stop;
  std::shared_ptr<StatsProgress> progress;
  std::optional<StatisticsQuestion> answered;
  std::shared_ptr<const Statistics> made;
  std::uint64_t version = 0;
};

namespace {

// A slice whose record lacks the argument is in no group.
std::shared_ptr<const StatsGroups> groups_by_arg(const Trace& trace, const ArgValues& values) {
  auto groups = std::make_shared<StatsGroups>();
  groups->names = values.texts;
  groups->of_slice.assign(trace.items(), kInNoGroup);
  for (std::size_t i = 0; i < values.slices.size(); ++i) groups->of_slice[idx(values.slices[i])] = values.value[i];
  return groups;
}

}  // namespace

Statistics ask_statistics(const Snapshot& snapshot, const StatisticsQuestion& asked, ThreadPool& pool,
                          std::stop_token stop, StatsProgress* progress) {
  const Trace& trace = *snapshot.trace;
  StatsQuery query;
  query.range = asked.range;
  query.lanes = asked.lanes;
  query.labels = asked.labels;
  query.unions = true;
  std::string limits, complaint;
  std::uint64_t failed = 0;
  if (!asked.where.empty()) {
    FilteredSlices filtered = filter_slices(trace, asked.where, query, pool, stop);
    complaint = std::move(filtered.complaint);
    limits = std::move(filtered.limits);
    failed = filtered.failed;
    query.only = filtered.mask;  // if the expression is not understood: all slices
  }
  if (asked.by.by == GroupBy::Arg) {
    const std::vector<SliceId> counted = counted_slices(trace, query);
    const ArgColumns args = read_args(trace, {asked.by.arg}, counted, pool, stop);
    query.groups = groups_by_arg(trace, args.values.front());
    limits += args.limits();
    failed += args.failed;
    const std::size_t without = static_cast<std::size_t>(args.read - args.failed) - args.values.front().slices.size();
    if (without > 0) limits += fmt::format("; {} without \"{}\"", count_text(without, "slice"), asked.by.arg);
  } else {
    query.groups = stats_groups(trace, asked.by.by);
  }
  Statistics made = make_statistics(snapshot, query, pool, stop, asked.by, progress);
  made.limits = std::move(limits);
  made.failed = failed;
  made.complaint = std::move(complaint);
  return made;
}

std::string counting_text(double part) {
  const auto percent = static_cast<int>(100 * part);
  return percent > 0 ? fmt::format("counting ... {} %", percent) : "counting ...";
}

StatisticsJob::StatisticsJob(ThreadPool& pool, std::function<void()> done)
    : pool_(pool), state_(std::make_shared<State>()) {
  state_->done = std::move(done);
}

StatisticsJob::~StatisticsJob() {
  const std::lock_guard lock(state_->mutex);
  state_->stop.request_stop();
  state_->done = nullptr;
}

StatisticsJob::Answer StatisticsJob::get(std::shared_ptr<const Snapshot> snapshot, const StatisticsQuestion& asked) {
  const std::lock_guard lock(state_->mutex);
  const bool fresh = state_->made && state_->answered == asked;
  if (state_->under_way && state_->under_way != asked) state_->stop.request_stop();  // the next frame asks again
  if (!fresh && !state_->under_way) {
    state_->under_way = asked;
    state_->stop = {};
    state_->progress = std::make_shared<StatsProgress>();
    pool_.submit([state = state_, snapshot = std::move(snapshot), asked, stop = state_->stop.get_token(), progress = state_->progress] {
      std::shared_ptr<const Statistics> made;
      try {
        ThreadPool background = background_pool();
        made = std::make_shared<const Statistics>(ask_statistics(*snapshot, asked, background, stop, progress.get()));
      } catch (...) {
        // Most likely out of memory. The next caller asks again.
      }
      std::function<void()> wake;
      {
        const std::lock_guard locked(state->mutex);
        state->under_way.reset();
        if (made && !made->stats.cancelled) {
          state->made = std::move(made);
          state->answered = asked;
          ++state->version;
        }
        wake = state->done;
      }
      if (wake) wake();
    });
  }
  return {state_->made, fresh, state_->version, state_->under_way && state_->progress ? state_->progress->part() : 0};
}

bool StatisticsJob::running() const {
  const std::lock_guard lock(state_->mutex);
  return state_->under_way.has_value();
}

}  // namespace tv
