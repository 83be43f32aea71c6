// A source while it is read. The reader appends batches and names lanes; the loader takes consistent views to build snapshots
// from. Appended batches never change, so a view copies only pointers, lanes and the info. Names of labels and tracks are copied
// when the next batch is appended. Slices, which are nearly all of the memory, are stored separately: take() moves them into the
// last view, so that the builder can free each block as soon as it is in the trace.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/draft/source_info.h"
#include "core/store/draft/source_names.h"
#include "core/store/logs/metric_log.h"
#include "core/store/logs/pipeline_log.h"
#include "core/store/logs/rollout_log.h"
#include "core/store/logs/told_collectives.h"

namespace tv {

using LaneSpecs = std::map<std::string, LaneSpec, std::less<>>;  ///< by the reader's track name

/// A batch without its slices and names. It caches time ranges, because each load needs them again, even for unchanged files.
struct BatchRest : EventBatch {
  explicit BatchRest(EventBatch&& batch) : EventBatch(std::move(batch)) {
    for (const HalfEvent& half : halves) work_extent.include(half.time, half.time);
    for (const CounterSample& sample : samples) work_extent.include(sample.time, sample.time);
    for (const Instant& instant : instants) instants_extent.include(instant.time, instant.time);
  }
  static constexpr TimeRange kNever{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
  TimeRange work_extent = kNever;      ///< of begin and end events and samples
  TimeRange instants_extent = kNever;
};

struct StoredBatch {
  std::shared_ptr<const SliceBlock> slices;
  std::shared_ptr<const BatchRest> rest;
  std::shared_ptr<const BatchIds> ids;
};

/// `ids`: the source's ids for the names of the batch. The names themselves are dropped.
inline StoredBatch stored_batch(EventBatch&& batch, BatchIds ids) {
  batch.labels = {};
  batch.tracks = {};
  batch.keys = {};
  auto slices = std::make_shared<const SliceBlock>(std::move(batch.slices));
  return {std::move(slices), std::make_shared<const BatchRest>(std::move(batch)),
          std::make_shared<const BatchIds>(std::move(ids))};
}

struct SourceView {
  SourceInfo info;
  ClockShift<FileTime, BuiltTime> clock_base;  ///< without the user's offset (SourceInfo::clock_offset)
  std::vector<StoredBatch> batches;  ///< in file order
  std::shared_ptr<const SourceNames> names = std::make_shared<SourceNames>();
  LaneSpecs lanes;
  std::optional<FileRange> window;              ///< the part to be shown; nullopt: all
  std::shared_ptr<const RolloutLog> rollout;    ///< null: not a rollout log, or not read to its end yet
  std::shared_ptr<const MetricLog> metrics;     ///< the same for a training log
  std::shared_ptr<const PipelineLog> pipeline;  ///< the same for a pipeline's log
  /// told_collectives() of the keys, if `names` lacks the keys. Null: `names` has the keys.
  std::shared_ptr<const std::vector<std::uint64_t>> told;

  ClockShift<FileTime, BuiltTime> to_built() const { return clock_base + info.clock_offset; }
  ClockShift<FileTime, RecordedTime> to_recorded() const { return to_built() + built_to_recorded(info); }
  /// Whether times count from the Unix epoch. `first`: the earliest.
  bool has_wall_clock(FileTime first) const { return clock_base(first) - info.aligned.by >= BuiltTime{kYear2001}; }
};

class SourceDraft {
 public:
  explicit SourceDraft(SourceInfo info) : info_(std::move(info)) {}

  /// The filter changes each batch before it is stored. Set it before reading begins.
  void set_filter(std::function<void(EventBatch&)> filter) { filter_ = std::move(filter); }

  /// Drops everything that was read.
  void restart(SourceInfo info) {
    const std::lock_guard lock(mutex_);
    info_ = std::move(info);
    clock_base_ = {};
    batches_.clear();
    names_ = std::make_shared<SourceNames>();
    keys_ = {};
    told_.reset();
    lanes_.clear();
    rollout_.reset();
    metrics_.reset();
    pipeline_.reset();
  }

  // --- reader, one thread at a time ---
  void append(EventBatch&& batch) {
    if (filter_) filter_(batch);
    BatchIds ids = unite_names(batch);
    StoredBatch stored = stored_batch(std::move(batch), std::move(ids));
    const std::lock_guard lock(mutex_);
    batches_.push_back(std::move(stored));
  }
  void set_lane(const std::string& track, LaneSpec spec) {
    const std::lock_guard lock(mutex_);
    lanes_.insert_or_assign(track, std::move(spec));
  }
  /// `base`: the absolute time of the file's time 0.
  void set_clock_base(Ns base) {
    const std::lock_guard lock(mutex_);
    clock_base_ = {base};
  }
  void set_rollout(std::shared_ptr<const RolloutLog> rollout) {
    const std::lock_guard lock(mutex_);
    rollout_ = std::move(rollout);
  }
  void set_pipeline(std::shared_ptr<const PipelineLog> pipeline) {
    const std::lock_guard lock(mutex_);
    pipeline_ = std::move(pipeline);
  }
  void set_metrics(std::shared_ptr<const MetricLog> metrics) {
    const std::lock_guard lock(mutex_);
    metrics_ = std::move(metrics);
  }
  template <class F>
  void edit_info(F edit) {
    const std::lock_guard lock(mutex_);
    edit(info_);
  }
  template <class F>
  void edit_lanes(F edit) {
    const std::lock_guard lock(mutex_);
    edit(lanes_, info_);
  }

  // --- any thread ---
  SourceView view() const {
    const std::lock_guard lock(mutex_);
    share_names();
    return {info_, clock_base_, batches_, names_, lanes_, {}, rollout_, metrics_, pipeline_, told_};
  }
  /// The last view: it takes the data out of the draft.
  SourceView take() {
    const std::lock_guard lock(mutex_);
    keys_ = {};
    return {info_,
            clock_base_,
            std::exchange(batches_, {}),
            std::exchange(names_, std::make_shared<SourceNames>()),
            std::move(lanes_),
            {},
            std::move(rollout_),
            std::move(metrics_),
            std::move(pipeline_),
            std::move(told_)};
  }
  SourceInfo info() const {
    const std::lock_guard lock(mutex_);
    return info_;
  }

  /// The result of f() on info(), without a copy of info().
  template <class F>
  auto ask(F f) const {
    const std::lock_guard lock(mutex_);
    return f(info_);
  }
  SourceState state() const {
    return ask([](const SourceInfo& info) { return info.state; });
  }

  bool has_metrics() const {
    const std::lock_guard lock(mutex_);
    return metrics_ != nullptr;
  }

 private:
  // Names that a view shares do not change. Keys, which can be millions, are neither shared nor copied: they move to `keys_`, and
  // the view gets told_collectives() of them.
  void share_names() const {
    if (told_) return;
    told_ = std::make_shared<const std::vector<std::uint64_t>>(told_collectives(names_->keys));
    keys_ = std::exchange(names_->keys, {});
  }
  BatchIds unite_names(const EventBatch& batch) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(told_, nullptr)) {
      names_ = std::make_shared<SourceNames>(names_->copy());
      names_->keys = std::exchange(keys_, {});
    }
    return names_->unite(batch);
  }

  mutable std::mutex mutex_;
  SourceInfo info_;
  ClockShift<FileTime, BuiltTime> clock_base_;
  std::vector<StoredBatch> batches_;
  std::shared_ptr<SourceNames> names_ = std::make_shared<SourceNames>();
  mutable StringTable keys_;                                        // the keys of `names_`, while a view shares `names_`
  mutable std::shared_ptr<const std::vector<std::uint64_t>> told_;  // told_collectives(keys_); null: no view shares `names_`
  LaneSpecs lanes_;
  std::shared_ptr<const RolloutLog> rollout_;
  std::shared_ptr<const MetricLog> metrics_;
  std::shared_ptr<const PipelineLog> pipeline_;
  std::function<void(EventBatch&)> filter_;
};

}  // namespace tv
