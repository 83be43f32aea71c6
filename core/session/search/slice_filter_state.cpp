#include "core/session/search/slice_filter_state.h"

#include <mutex>
#include <utility>

#include "core/analysis/filter/slice_filter.h"

namespace tv {

struct SliceFilterState::State {
  std::mutex mutex;
  std::function<void()> wake;
  std::stop_source stop;
  bool running = false;
  std::uint64_t generation = UINT64_MAX;  // with `expression`: the question that is running, or ran last
  std::string expression;
  std::uint64_t made_generation = UINT64_MAX;  // with `made_expression`: the question that `made` answers
  std::string made_expression;
  std::shared_ptr<const FilteredSlices> made;
};

SliceFilterState::SliceFilterState(ThreadPool& pool, std::function<void()> wake)
    : pool_(pool), state_(std::make_shared<State>()) {
  state_->wake = std::move(wake);
}

SliceFilterState::~SliceFilterState() {
  const std::lock_guard lock(state_->mutex);
  state_->stop.request_stop();
  state_->wake = nullptr;
}

void SliceFilterState::set(std::string expression) {
  const auto parsed = parse_slice_filter(expression);
  complaint_ = parsed ? std::string() : parsed.error().text();
  // An empty expression or blanks mean no filter.
  const bool no_filter = parsed && parsed.value().nodes.empty();
  expression_ = no_filter ? std::string() : std::move(expression);
}

std::shared_ptr<const FilteredSlices> SliceFilterState::slices(const std::shared_ptr<const Snapshot>& snapshot) {
  const std::lock_guard lock(state_->mutex);
  const bool no_filter = expression_.empty() || !complaint_.empty();
  if (state_->running && (no_filter || state_->generation != snapshot->generation || state_->expression != expression_)) {
    state_->stop.request_stop();  // the first call after its end asks again
  }
  if (no_filter) return nullptr;
  if (state_->made && state_->made_generation == snapshot->generation && state_->made_expression == expression_) return state_->made;
  if (state_->running) return nullptr;
  state_->running = true;
  state_->stop = {};
  state_->generation = snapshot->generation;
  state_->expression = expression_;
  pool_.submit([state = state_, snapshot, expression = expression_, stop = state_->stop.get_token()] {
    std::shared_ptr<const FilteredSlices> made;
    try {
      ThreadPool background = background_pool();
      made = std::make_shared<const FilteredSlices>(filter_slices(*snapshot->trace, expression, {}, background, stop));
    } catch (...) {
      // Most likely out of memory: the next frame asks again.
    }
    std::function<void()> wake;
    {
      const std::lock_guard locked(state->mutex);
      state->running = false;
      if (made && made->mask) {
        state->made = std::move(made);
        state->made_generation = snapshot->generation;
        state->made_expression = expression;
      }
      wake = state->wake;
    }
    if (wake) wake();
  });
  return nullptr;
}

bool SliceFilterState::busy() const {
  const std::lock_guard lock(state_->mutex);
  return state_->running;
}

}  // namespace tv
