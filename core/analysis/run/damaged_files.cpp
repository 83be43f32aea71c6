#include "core/analysis/run/damaged_files.h"

#include <fmt/format.h>

#include <atomic>

#include "core/base/text/path_parts.h"
#include "core/store/trace/row_layout.h"

namespace tv {
namespace {

bool is_sound(const Trace& segment, const Row& row) {
  const RowSlices slices = segment.slices_of(row);
  const std::span<const Ns> begins = slices.own_begins(), durations = slices.own_durations();
  const std::span<const LabelId> labels = slices.own_labels();
  const Ns slack = segment.lane(row.lane).nest_tolerance > 0 ? kRoundingSlack : 0, last = segment.extent.end;
  Ns begin_before = 0, end_before = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Ns begin = begins[i];
    if (begin < begin_before || begin > last || durations[i] < 0 || durations[i] > last - begin) return false;
    const Ns end = begin + durations[i];
    if (end < end_before || begin + slack < end_before || idx(labels[i]) >= segment.labels.size()) return false;
    begin_before = begin;
    end_before = end;
  }
  return true;
}

}  // namespace

std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool) {
  std::vector<std::string> damaged;
  for (const ViewPart& part : view.parts) {
    const Trace& segment = *part.segment;
    if (segment.columns_are != ColumnsAre::Believed) continue;
    std::atomic<bool> sound = true;
    pool.parallel_for(segment.rows.size(), [&](std::size_t r) {
      if (sound && !is_sound(segment, segment.rows[r])) sound = false;
    });
    if (!sound) damaged.push_back(segment.sources.empty() ? std::string() : segment.sources.front().path);
  }
  return damaged;
}

std::string damaged_words(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string others = files.size() > 1 ? fmt::format(" and {} more files", files.size() - 1) : std::string();
  return fmt::format("what was packed of {}{} is damaged: nothing is analysed with it (pack it again, or close it)",
                     last_part(files.front()), others);
}

}  // namespace tv
