#include "core/view/lists/hit_list.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/text/count_text.h"

namespace tv {

HitList list_hits(std::shared_ptr<const Trace> trace, const SearchHits& hits, const NamePattern& pattern, std::size_t most) {
  return {trace, hits_in_order(*trace, hits, most), hits.count(), find_lanes(*trace, pattern)};
}

std::string words_of(const HitList& list) {
  if (list.slices.size() == list.total) return count_text(list.total, "hit");
  return fmt::format("the first {} of {}; select an area and search in it for others", format_count(list.slices.size()),
                     count_text(list.total, "hit"));
}

HitTable::HitTable(std::shared_ptr<const HitList> list, TimeStyle style)
    : list_(std::move(list)),
      style_(std::move(style)),
      columns_({{"n", "#", "Position among the hits, by time", ColumnKind::Number},
                {"begins", "Begins", "When it begins, in the time format of the window", ColumnKind::Time, "ns"},
                {"name", "Name", "The name of the slice"},
                {"duration", "Duration", "How long it takes; an instant has none", ColumnKind::Time, "ns"},
                {"lane", "Lane", "Where it is"},
                {"category", "Category", "What the file calls its kind", ColumnKind::Text, {}, {}, true},
                {"ends", "Ends", {}, ColumnKind::Time, "ns", {}, true}}) {
  columns_[kPlace].widest = format_count(list_->slices.size());
}

double HitTable::number(std::size_t row, std::size_t column) const {
  const Trace& trace = *list_->trace;
  const SliceId slice = list_->slices[row];
  switch (column) {
    case kPlace: return static_cast<double>(row + 1);
    case kBegin: return static_cast<double>(trace.begin_of(slice));
    case kEnd: return static_cast<double>(trace.end_of(slice));
    case kDuration:
      if (!trace.ref_of(slice).is(kInstant)) return static_cast<double>(trace.duration_of(slice));
      break;
    default: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void HitTable::text(std::size_t row, std::size_t column, std::string& out) const {
  const Trace& trace = *list_->trace;
  const SliceId slice = list_->slices[row];
  const Ns begin = trace.begin_of(slice), duration = trace.duration_of(slice);
  switch (column) {
    case kPlace: out = format_count(row + 1); return;
    case kBegin: out = time_text(style_, begin, kMicrosecond); return;
    case kEnd: out = time_text(style_, begin + duration, kMicrosecond); return;
    case kName: out = trace.name_of(slice); return;
    case kCategory: out = trace.labels.category(trace.label_of(slice)); return;
    case kDuration: out = trace.ref_of(slice).is(kInstant) ? "instant" : format_duration(duration); return;
    default: break;
  }
  out.clear();
  for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane)) out += (out.empty() ? "" : " / ") + part;
}

std::uint32_t HitTable::text_id(std::size_t row, std::size_t column) const {
  const Trace& trace = *list_->trace;
  const SliceId slice = list_->slices[row];
  if (column == kName || column == kCategory) return static_cast<std::uint32_t>(idx(trace.label_of(slice)));
  if (column == kLane) return static_cast<std::uint32_t>(idx(trace.row(trace.row_of(slice)).lane));
  return kNoTextId;
}

}  // namespace tv
