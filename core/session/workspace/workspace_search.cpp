// Searching, and moving from hit to hit.
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kReadable = 0.1;  // of the lanes' width: least width of a hit that was jumped to, so that its name is readable

}  // namespace

void Workspace::ask_search(SearchQuestion question) {
  const bool records = question.in_records && !question.text.empty();
  session_.search_records(*snapshot_, records ? question.text : std::string());
  search_.ask(std::move(question));
  follow_search();
}

void Workspace::follow_search() {
  std::optional<HitArea> area;
  if (state_.selection.range && search_.asked().in_area) area = HitArea{*state_.selection.range, state_.selection.lanes};
  search_.follow(snapshot_, area, session_.record_hits(), state_.selection.slice,
                 results().rollout ? run_.data().rollout : nullptr);
}

// Search options stay for the next search, except the area and the search in records.
void Workspace::end_search() {
  SearchQuestion nothing = search_.asked();
  nothing.text.clear();
  nothing.in_records = nothing.in_area = false;
  ask_search(std::move(nothing));
}

void Workspace::on(const command::ToggleSearch& c) {
  using What = command::ToggleSearch::What;
  SearchQuestion question = search_.asked();
  if (c.what == What::InArea && !state_.selection.range && !question.in_area) {
    notice_ = "drag over the lanes for an area to search in";
    return;
  }
  bool& changed = c.what == What::MatchCase ? question.match_case : c.what == What::Regex ? question.regex : question.in_area;
  changed = !changed;
  state_.boxes.search = true;
  // A search in records continues: only its area is new.
  search_.ask(std::move(question));
  follow_search();
}

// Starts at the selected hit, if it is in sight or was jumped to; otherwise forward from the first hit in or after the view, or
// backward from the last hit before it. Wraps around at both ends.
void Workspace::on(const command::NextHit& c) {
  follow_search();
  const SearchHits& hits = search_.hits();
  if (hits.empty()) return;
  state_.panels.selected(true);  // Details show the hit
  TimeRange view = range_of(state_.motion.view.target);
  view = {view.begin + later(state_.pointer.half), view.end + later(state_.pointer.half)};
  std::optional<SliceId> hit;
  const SliceId from = state_.selection.slice;
  const auto in_sight = [&] {
    return trace().begin_of(from) < view.end && trace().end_of(from) >= view.begin;
  };
  if (search_.place() && (from == search_.gone_to() || in_sight())) {
    hit = c.forward ? tv::next_hit(trace(), hits, from) : tv::previous_hit(trace(), hits, from);
  } else {
    hit = c.forward ? first_hit_reaching(trace(), hits, view.begin) : last_hit_before(trace(), hits, view.begin);
  }
  if (!hit) hit = c.forward ? first_hit(trace(), hits) : last_hit(trace(), hits);
  if (hit) on(command::GoToHit{*hit});
}

void Workspace::on(const command::GoToHit& c) {
  if (c.slice == kNone<SliceId> || idx(c.slice) >= trace().items()) return;
  search_.went_to(c.slice);
  select(c.slice, false);
  reveal(c.slice, kReadable * static_cast<double>(state_.halves.geometry.width_px));
  follow_search();
}

void Workspace::on(const command::OpenSearch& c) {
  state_.boxes.search = true;
  if (c.in_records == search_.asked().in_records) return;
  SearchQuestion question = search_.asked();
  question.in_records = c.in_records;
  ask_search(std::move(question));
}

void Workspace::on(const command::Search& c) {
  SearchQuestion question = search_.asked();
  question.text = c.text;
  question.in_records = c.in_records;
  if (c.is_name) question.regex = false;
  ask_search(std::move(question));
}

}  // namespace tv
