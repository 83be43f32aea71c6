// The active slice filter: an expression, and the slices of the shown trace for which it holds. They are found in the background.
// Statistics count only these slices, and the timeline dims all others. UI thread.
//
// Until the result is ready, nothing is dimmed. A new expression or trace cancels the search that is running, which may read args
// from the files. Cost: filtered_slices.h, on a pool thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/session/search/filtered_slices.h"

namespace tv {

class SliceFilterState {
 public:
  SliceFilterState(ThreadPool& pool, std::function<void()> wake);
  ~SliceFilterState();
  SliceFilterState(const SliceFilterState&) = delete;
  SliceFilterState& operator=(const SliceFilterState&) = delete;

  void set(std::string expression);
  const std::string& expression() const { return expression_; }
  /// Why the filter is not understood. Empty: it is understood, or there is none.
  const std::string& complaint() const { return complaint_; }
  /// The slices of this snapshot. Null: there is no filter, it is not understood, or the slices are not known yet. Starts and
  /// cancels the search, so it must be called in every frame.
  std::shared_ptr<const FilteredSlices> slices(const std::shared_ptr<const Snapshot>& snapshot);
  bool busy() const;

 private:
  struct State;
  ThreadPool& pool_;
  std::shared_ptr<State> state_;
  std::string expression_, complaint_;
};

}  // namespace tv
