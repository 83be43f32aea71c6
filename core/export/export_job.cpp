#include "core/export/export_job.h"

#include <string>
#include <utility>

#include "core/base/job_boundary.h"
#include "core/io/written/new_file.h"
#include "core/store/draft/input_files.h"

namespace tv {

ExportJob::ExportJob(ExportOrder order, ThreadPool& pool, std::function<void()> done) : order_(std::move(order)) {
  thread_ = std::jthread([this, &pool, done = std::move(done)](const std::stop_token& stop) {
    result_.emplace(at_job_boundary(order_.path, "export fewer lanes or a shorter time", [&] { return write(pool, stop); }));
    ended_ = true;
    done();
  });
}

Result<ExportTotals> ExportJob::write(ThreadPool& pool, const std::stop_token& stop) {
  if (order_.path.empty()) return Error{"the file has no name", {}, {}, {}};
  if (auto may_write = check_output(order_.path, order_.trace->sources); !may_write) return may_write.error();
  auto file = NewFile::create(order_.path);
  if (!file) return file.error();
  const ExportSink sink = [&](std::string_view bytes) -> Result<void> {
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, {}};
    bytes_ += bytes.size();
    return file.value().append(bytes);
  };
  auto totals = export_trace(*order_.trace, order_.choice, order_.format, pool, sink);
  if (!totals) return totals;
  if (stop.stop_requested()) return Error{"cancelled", {}, {}, {}};
  if (auto committed = file.value().commit(); !committed) return committed.error();
  return totals;
}

}  // namespace tv
