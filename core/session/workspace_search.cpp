// Searching, and from one hit to the next.
#include "core/session/workspace.h"

#include <limits>

namespace tv {

void Workspace::search(const std::string& text, bool in_records) {
  search_text_ = text;
  search_in_records_ = in_records;
  search_labels_ = in_records ? LabelSet() : find_labels(trace().labels, text);
  hits_ = hit_spread(trace(), search_labels_, pool_);
  session_.search_records(*snapshot_, in_records ? text : std::string());
}

// From the selection, else from the left edge of the view; after the last comes the first.
void Workspace::next_hit(bool forward) {
  panels_.selected(true);  // what a hit says
  const bool from_selection = selection_.has_slice();
  const Ns t = range_of(view_.target).begin;
  if (const auto hits = session_.record_hits()) {
    const SliceId from = from_selection ? selection_.slice : SliceId{0};
    const Ns begin = from_selection ? trace().slices.begin[idx(from)] : t;
    return select(tv::next_hit(trace(), *hits, begin, from, forward), true);
  }
  if (search_labels_.empty()) return;
  std::optional<SliceId> hit;
  if (forward) {
    hit = from_selection ? tv::next_hit(trace(), search_labels_, selection_.slice)
                         : tv::next_hit(trace(), search_labels_, t);
    if (!hit) hit = tv::next_hit(trace(), search_labels_, std::numeric_limits<Ns>::min());
  } else {
    hit = from_selection ? tv::previous_hit(trace(), search_labels_, selection_.slice)
                         : tv::previous_hit(trace(), search_labels_, t);
    if (!hit) hit = tv::previous_hit(trace(), search_labels_, std::numeric_limits<Ns>::max());
  }
  step_selection(hit);
}

}  // namespace tv
