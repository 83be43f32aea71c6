#include "core/session/search/slice_search.h"

#include <fmt/format.h>

#include "core/base/text/count_text.h"

namespace tv {
namespace {

// A shorter text would match half of all ids.
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
  const std::uint64_t before = version_;
  if (pending_ || growing_) take_found();
  const bool same_question = made_.snapshot == snapshot && made_.question == asked_ && made_.rollout == rollout &&
                             (within ? made_.area == area : !made_.area.has_value());
  // While hits are sorted in the background, newer hits in records wait. A record search can find more in every frame, and
  // restarting the sort each time would never show any of them.
  const bool same = same_question && (made_.records == records || pending_ || growing_);
  if (same && version_ == before && selected == selected_) return;
  if (!same) {
    if (made_.snapshot != snapshot) set_hits(std::make_shared<const SearchHits>());
    made_ = {snapshot, asked_, within ? area : std::nullopt, records, rollout};
    search(same_question && !pending_);
    if (pending_ || growing_) take_found();
  }
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

// `grows`: hits_ already contain a part of this question's answer.
void SliceSearch::search(bool grows) {
  const Trace& trace = *made_.snapshot->trace;
  ++question_number_;
  pending_ = growing_ = false;
  complaint_.clear();
  pattern_ = {};
  bool any = !made_.question.text.empty();
  if (any && made_.question.in_records) {
    any = made_.records && !made_.records->slices.empty();
  } else if (any) {
    const auto pattern = NamePattern::of({made_.question.text, made_.question.match_case, made_.question.regex});
    any = pattern.ok();
    if (any) pattern_ = pattern.value();
    else complaint_ = pattern.error().text();
  }
  if (any && trace.items() > kAtOnce) {
    (grows ? growing_ : pending_) = true;
  } else {
    set_hits(std::make_shared<const SearchHits>(any ? find(made_, pattern_, pool_) : SearchHits()));
  }
}

void SliceSearch::take_found() {
  const auto found = found_.get(question_number_, [asked = made_, pattern = pattern_, &pool = pool_](std::uint64_t) {
    return find(asked, pattern, pool);
  });
  if (!found.fresh) return;
  pending_ = growing_ = false;
  set_hits(found.value);
}

SearchHits SliceSearch::find(const Made& asked, const NamePattern& pattern, ThreadPool& pool) {
  const Trace& trace = *asked.snapshot->trace;
  const HitArea* const area = asked.area ? &*asked.area : nullptr;
  if (asked.question.in_records) return SearchHits(trace, asked.records->slices, area);
  return find_names(trace, pattern, asked.question.text, area, asked.rollout.get(), pool);
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
