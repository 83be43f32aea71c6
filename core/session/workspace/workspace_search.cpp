// Searching, and from one hit to the next.
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kReadable = 0.1;  // of the lanes' width: a hit that was gone to is at least so wide, and its name can be read

}  // namespace

void Workspace::ask_search(SearchQuestion question) {
  const bool records = question.in_records && !question.text.empty();
  session_.search_records(*snapshot_, records ? question.text : std::string());
  search_.ask(std::move(question));
  follow_search();
}

void Workspace::follow_search() {
  std::optional<HitArea> area;
  if (selection_.range && search_.asked().in_area) area = HitArea{*selection_.range, selection_.lanes};
  search_.follow(snapshot_, area, session_.record_hits(), selection_.slice,
                 rollout() ? run_.data().rollout : nullptr);
}

// How one searches stays for the next time, where does not: that was of this area.
void Workspace::end_search() {
  SearchQuestion nothing = search_.asked();
  nothing.text.clear();
  nothing.in_records = nothing.in_area = false;
  ask_search(std::move(nothing));
}

void Workspace::toggle_search(command::ToggleSearch::What what) {
  using What = command::ToggleSearch::What;
  SearchQuestion question = search_.asked();
  if (what == What::InArea && !selection_.range && !question.in_area) {
    notice_ = "drag over the lanes for an area to search in";
    return;
  }
  bool& changed = what == What::MatchCase ? question.match_case : what == What::Regex ? question.regex : question.in_area;
  changed = !changed;
  search_open_ = true;
  // Records go on being searched: of them only the area is new.
  search_.ask(std::move(question));
  follow_search();
}

// From the hit that is selected, if it is in sight or was gone to; else the first in the view or after it. After the last comes
// the first.
void Workspace::next_hit(bool forward) {
  follow_search();
  const SearchHits& hits = search_.hits();
  if (hits.empty()) return;
  panels_.selected(true);  // what a hit says
  TimeRange view = range_of(view_.target);
  view = {view.begin + later(mouse_half_), view.end + later(mouse_half_)};
  std::optional<SliceId> hit;
  const SliceId from = selection_.slice;
  const auto in_sight = [&] {
    return trace().begin_of(from) < view.end && trace().end_of(from) >= view.begin;
  };
  if (search_.place() && (from == search_.gone_to() || in_sight())) {
    hit = forward ? tv::next_hit(trace(), hits, from) : tv::previous_hit(trace(), hits, from);
  } else {
    hit = forward ? first_hit_reaching(trace(), hits, view.begin) : last_hit_before(trace(), hits, view.begin);
  }
  if (!hit) hit = forward ? first_hit(trace(), hits) : last_hit(trace(), hits);
  if (hit) go_to_hit(*hit);
}

void Workspace::go_to_hit(SliceId hit) {
  if (hit == kNone<SliceId> || idx(hit) >= trace().items()) return;
  search_.went_to(hit);
  select(hit, false);
  reveal(hit, kReadable * static_cast<double>(geometry_.width_px));
  follow_search();
}

}  // namespace tv
