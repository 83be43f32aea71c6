#include "core/analysis/gpu/gpu_sweep.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/query/row_search.h"

namespace tv {
namespace {

// The begins and ends of one row's work in the order of time.
class RowEvents {
 public:
  RowEvents(const Trace& trace, std::span<const DeviceWork> work, std::uint32_t row, std::size_t index,
            const std::optional<TimeRange>& within)
      : index_(index), slices_(trace.slices_of(trace.rows[row])), work_of_(work, trace, slices_), end_(slices_.size()) {
    if (within) narrow(*within);
    skip_to_work();
  }

  bool done() const { return at_ == end_; }
  bool begins() const { return begins_; }
  SliceId slice() const { return slices_.id(at_); }
  DeviceWork work() const { return work_of_.of(slices_, at_); }
  std::size_t row() const { return index_; }
  Ns time() const { return begins_ ? slices_.begin(at_) : slices_.end(at_); }
  void next() {
    if (begins_) {
      begins_ = false;
      return;
    }
    ++at_;
    begins_ = true;
    skip_to_work();
  }

  /// Orders a heap with the earliest event on top.
  static bool later(const RowEvents& a, const RowEvents& b) {
    if (a.time() != b.time()) return a.time() > b.time();
    if (a.begins_ != b.begins_) return a.begins_;
    return a.index_ > b.index_;
  }

 private:
  void skip_to_work() {
    while (at_ < end_ && !work_of_.lasts(slices_, at_)) ++at_;
  }
  // Limits the row to the slices that touch the range, with the last work before and the first after it.
  void narrow(TimeRange within) {
    const RowPart part = touching(slices_, within);
    at_ = part.first;
    end_ = part.last;
    while (at_ > 0 && !work_of_.lasts(slices_, --at_)) {
    }
    while (end_ < slices_.size() && !work_of_.lasts(slices_, end_++)) {
    }
  }

  std::size_t index_;
  RowSlices slices_;
  RowWork work_of_;
  std::size_t at_ = 0, end_;
  bool begins_ = true;
};

}  // namespace

void sweep_gpu(const Trace& trace, std::span<const DeviceWork> work, std::span<const std::uint32_t> rows,
               const std::function<void(const GpuEvent&)>& visit, const std::optional<TimeRange>& within) {
  std::vector<RowEvents> heap;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    RowEvents events(trace, work, rows[r], r, within);
    if (!events.done()) heap.push_back(events);
  }
  std::ranges::make_heap(heap, RowEvents::later);
  GpuEvent event;
  bool first = true;
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, RowEvents::later);
    RowEvents& earliest = heap.back();
    const Ns time = earliest.time();
    event.since = {std::exchange(first, false) ? time : event.since.end, time};
    event.slice = earliest.slice();
    event.work = earliest.work();
    event.begins = earliest.begins();
    event.row = earliest.row();
    visit(event);
    std::uint32_t& count = event.running.count[static_cast<std::size_t>(event.work)];
    count += event.begins ? 1 : UINT32_MAX;  // plus or minus one
    earliest.next();
    if (earliest.done()) {
      heap.pop_back();
    } else {
      std::ranges::push_heap(heap, RowEvents::later);
    }
  }
}

}  // namespace tv
