#include "core/session/search/slice_search.h"

#include <fmt/format.h>

#include "core/base/text/count_text.h"

namespace tv {

namespace {

// A shorter text would be found in half of all ids.
constexpr std::size_t kLeastOfId = 4;

SearchHits find_names(const Trace& trace, const NamePattern& pattern, const std::string& text, const HitArea* area,
                      const Rollout* rollout, ThreadPool& pool) {
  SearchHits hits(trace, find_labels(trace.labels, pattern, pool), area, pool);
  if (!rollout || text.size() < kLeastOfId) return hits;
  std::vector<SliceId> bars;
  for (RequestIx r = 0; r < rollout->slice.size(); ++r) {
    const SliceId bar = rollout->slice[r];
    if (bar != kNone<SliceId> && pattern.matches(rollout->id(r))) bars.push_back(bar);
  }
  hits.add(trace, bars, area);
  return hits;
}

}  // namespace

void SliceSearch::follow(const std::shared_ptr<const Snapshot>& snapshot, const std::optional<HitArea>& area,
                         const std::shared_ptr<const RecordHits>& records, SliceId selected,
                         const std::shared_ptr<const Rollout>& rollout) {
  const bool within = asked_.in_area && area.has_value();
  const bool same = made_.snapshot == snapshot && made_.question == asked_ && made_.records == records && made_.rollout == rollout &&
                    (within ? made_.area == area : !made_.area.has_value());
  if (same && !pending_ && selected == selected_) return;
  if (!same) {
    if (made_.snapshot != snapshot) set_hits(std::make_shared<const SearchHits>());
    made_ = {snapshot, asked_, within ? area : std::nullopt, records, rollout};
    search();
  }
  if (pending_) take_found();
  selected_ = selected;
  place_.reset();
  if (!pending_ && selected != kNone<SliceId> && hits_->contains(selected)) {
    place_ = hits_before(*snapshot->trace, *hits_, selected) + 1;
  }
  said_ = words(records.get());
}

void SliceSearch::set_hits(std::shared_ptr<const SearchHits> hits) {
  hits_ = std::move(hits);
  ++version_;
}

void SliceSearch::search() {
  const Trace& trace = *made_.snapshot->trace;
  const HitArea* const area = made_.area ? &*made_.area : nullptr;
  ++question_;
  pending_ = false;
  complaint_.clear();
  pattern_ = {};
  SearchHits hits;
  if (made_.question.in_records) {
    if (made_.records && !made_.question.text.empty()) hits = SearchHits(trace, made_.records->slices, area);
  } else if (!made_.question.text.empty()) {
    const auto pattern = NamePattern::of({made_.question.text, made_.question.match_case, made_.question.regex});
    if (!pattern) {
      complaint_ = pattern.error().text();
    } else {
      pattern_ = pattern.value();
      pending_ = trace.items() > kAtOnce;
      if (!pending_) hits = find_names(trace, pattern_, made_.question.text, area, made_.rollout.get(), pool_);
    }
  }
  if (!pending_) set_hits(std::make_shared<const SearchHits>(std::move(hits)));
}

void SliceSearch::take_found() {
  const auto found = found_.get(question_, [of = made_, pattern = pattern_, &pool = pool_](std::uint64_t) {
    return find_names(*of.snapshot->trace, pattern, of.question.text, of.area ? &*of.area : nullptr, of.rollout.get(), pool);
  });
  if (!found.fresh) return;
  pending_ = false;
  set_hits(found.value);
}

std::shared_ptr<const HitList> SliceSearch::list() {
  if (!made_.snapshot || pending_) return nullptr;
  const auto made = lists_.get(version_, [snapshot = made_.snapshot, hits = hits_, pattern = pattern_](std::uint64_t) {
    return list_hits(snapshot->trace, *hits, pattern);
  });
  return made.fresh ? made.value : nullptr;
}

std::string SliceSearch::words(const RecordHits* records) const {
  if (asked_.text.empty()) return {};
  if (!complaint_.empty()) return "not understood";
  if (pending_) return "searching ...";
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
