#include "core/session/search/slice_search.h"

#include <fmt/format.h>

#include "core/base/text/count_text.h"

namespace tv {

void SliceSearch::follow(const std::shared_ptr<const Snapshot>& snapshot, const std::optional<HitArea>& area,
                         const std::shared_ptr<const RecordHits>& records, SliceId selected,
                         const std::shared_ptr<const Rollout>& rollout) {
  const bool within = asked_.in_area && area.has_value();
  const bool same = made_.snapshot == snapshot && made_.question == asked_ && made_.records == records && made_.rollout == rollout &&
                    (within ? made_.area == area : !made_.area.has_value());
  if (same && selected == selected_) return;
  if (!same) {
    made_ = {snapshot, asked_, within ? area : std::nullopt, records, rollout};
    search(made_);
    ++version_;
  }
  selected_ = selected;
  place_.reset();
  if (selected != kNone<SliceId> && hits_->contains(selected)) place_ = hits_before(*snapshot->trace, *hits_, selected) + 1;
  said_ = words(records.get());
}

void SliceSearch::search(const Made& of) {
  auto hits = std::make_shared<SearchHits>();
  hits_ = hits;
  complaint_.clear();
  pattern_ = {};
  if (of.question.text.empty()) return;
  const Trace& trace = *of.snapshot->trace;
  const HitArea* const area = of.area ? &*of.area : nullptr;
  if (of.question.in_records) {
    if (of.records) *hits = SearchHits(trace, of.records->slices, area);
    return;
  }
  const auto pattern = NamePattern::of({of.question.text, of.question.match_case, of.question.regex});
  if (!pattern) {
    complaint_ = pattern.error().text();
    return;
  }
  pattern_ = pattern.value();
  *hits = SearchHits(trace, find_labels(trace.labels, pattern_, pool_), area, pool_);
  // Fewer letters than that are in half of all ids.
  constexpr std::size_t kLeastOfId = 4;
  if (!of.rollout || of.question.text.size() < kLeastOfId) return;
  std::vector<SliceId> bars;
  for (RequestIx r = 0; r < of.rollout->slice.size(); ++r) {
    const SliceId bar = of.rollout->slice[r];
    if (bar != kNone<SliceId> && pattern_.matches(of.rollout->id(r))) bars.push_back(bar);
  }
  hits->add(trace, bars, area);
}

std::shared_ptr<const HitList> SliceSearch::list() {
  if (!made_.snapshot) return nullptr;
  const auto made = lists_.get(version_, [snapshot = made_.snapshot, hits = hits_, pattern = pattern_](std::uint64_t) {
    return list_hits(snapshot->trace, *hits, pattern);
  });
  return made.fresh ? made.value : nullptr;
}

std::string SliceSearch::words(const RecordHits* records) const {
  if (asked_.text.empty()) return {};
  if (!complaint_.empty()) return "not understood";
  std::string text = place_ ? fmt::format("{} of {}", format_count(*place_), format_count(hits_->count()))
                     : hits_->empty() ? std::string("no hits")
                                     : count_text(hits_->count(), "hit");
  if (made_.area) text += " in the area";
  if (!asked_.in_records || !records) return text;
  if (records->too_many) return text + " and more";
  if (!records->complete) text += fmt::format(", {} MB", records->bytes / 1'000'000);
  if (!records->problems.empty()) text += " (not in all files)";
  return text;
}

}  // namespace tv
