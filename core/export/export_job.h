// An export in the background: a thread of its own writes a new file and counts the bytes. A cancelled export leaves no file
// behind. The job keeps its trace alive, so the window can open other files meanwhile.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/export/export_trace.h"

namespace tv {

struct ExportOrder {
  std::shared_ptr<const Trace> trace;
  ExportChoice choice;
  ExportFormat format = ExportFormat::Chrome;
  std::string path;
};

class ExportJob {
 public:
  /// `done` is called on the job's thread, after result() is set.
  ExportJob(ExportOrder order, ThreadPool& pool, std::function<void()> done);
  ExportJob(const ExportJob&) = delete;
  ExportJob& operator=(const ExportJob&) = delete;

  const std::string& path() const { return order_.path; }
  std::uint64_t bytes() const { return bytes_; }  ///< written so far
  bool running() const { return !ended_; }
  void cancel() { thread_.request_stop(); }
  bool cancelled() const { return thread_.get_stop_token().stop_requested(); }
  /// Call only when running() is false. An error if no file was written.
  const Result<ExportTotals>& result() const { return *result_; }

 private:
  Result<ExportTotals> write(ThreadPool& pool, const std::stop_token& stop);

  ExportOrder order_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::optional<Result<ExportTotals>> result_;  // set before ended_, which guards it
  std::atomic<bool> ended_ = false;
  std::jthread thread_;  // last: joined before the members that it uses are destroyed
};

}  // namespace tv
