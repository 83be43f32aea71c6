#include "core/export/parts/ordered_writer.h"

#include <utility>

namespace tv {

OrderedWriter::~OrderedWriter() {
  for (std::future<std::string>& piece : under_way_) {
    if (piece.valid()) piece.wait();  // pieces use objects of the caller
  }
}

Result<void> OrderedWriter::add(Piece piece) {
  const std::size_t most = 2 * std::size_t{pool_.size()} + 1;
  while (under_way_.size() >= most) {
    if (auto written = write_oldest(); !written) return written;
  }
  std::string buffer;
  if (!spare_.empty()) {
    buffer = std::move(spare_.back());
    spare_.pop_back();
  }
  auto reused = std::make_shared<std::string>(std::move(buffer));
  under_way_.emplace_back();  // first: nothing may fail between starting a task and storing its future
  under_way_.back() = pool_.submit([piece = std::move(piece), reused] {
    reused->clear();
    piece(*reused);
    return std::move(*reused);
  });
  return {};
}

Result<void> OrderedWriter::finish() {
  while (!under_way_.empty()) {
    if (auto written = write_oldest(); !written) return written;
  }
  return {};
}

Result<void> OrderedWriter::write_oldest() {
  std::future<std::string> oldest = std::move(under_way_.front());
  under_way_.pop_front();
  std::string bytes = oldest.get();
  bytes_ += bytes.size();
  auto written = bytes.empty() ? Result<void>() : sink_(bytes);
  spare_.push_back(std::move(bytes));
  return written;
}

}  // namespace tv
