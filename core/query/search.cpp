#include "core/query/search.h"

#include <algorithm>
#include <atomic>

#include "core/base/ascii.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

// A place in the order of hits: everything at `begin` from `first` on comes after it, everything below before
// it.
struct Position {
  Ns begin;
  std::size_t first;
};

std::optional<SliceId> first_from(const Trace& trace, const LabelSet& labels, Position from) {
  std::optional<SliceId> best;
  Ns best_begin = 0;
  for (const Row& row : trace.rows) {
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = first_beginning_at(slices, from.begin); i < slices.size(); ++i) {
      // Rows come in id order: of equal begins the earlier row wins.
      if (best && slices.begin[i] >= best_begin) break;
      if (!labels.contains(slices.label[i])) continue;
      if (slices.begin[i] == from.begin && row.first + i < from.first) continue;
      best = slices.id(i);
      best_begin = slices.begin[i];
      break;
    }
  }
  return best;
}

std::optional<SliceId> last_before(const Trace& trace, const LabelSet& labels, Position to) {
  std::optional<SliceId> best;
  Ns best_begin = 0;
  for (const Row& row : trace.rows) {
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = first_beginning_after(slices, to.begin); i-- > 0;) {
      if (best && slices.begin[i] < best_begin) break;
      if (!labels.contains(slices.label[i])) continue;
      if (slices.begin[i] == to.begin && row.first + i >= to.first) continue;
      best = slices.id(i);
      best_begin = slices.begin[i];
      break;
    }
  }
  return best;
}

}  // namespace

LabelSet find_labels(const LabelTable& labels, std::string_view text) {
  LabelSet found(labels.size());
  if (text.empty()) return found;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const std::string_view name = labels.name(id_at<LabelId>(l));
    const auto at = std::search(name.begin(), name.end(), text.begin(), text.end(),
                                [](char a, char b) { return to_lower(a) == to_lower(b); });
    if (at != name.end()) found.insert(id_at<LabelId>(l));
  }
  return found;
}

std::optional<SliceId> next_hit(const Trace& trace, const LabelSet& labels, SliceId from) {
  if (labels.empty()) return std::nullopt;
  return first_from(trace, labels, {trace.slices.begin[idx(from)], idx(from) + 1});
}

std::optional<SliceId> previous_hit(const Trace& trace, const LabelSet& labels, SliceId from) {
  if (labels.empty()) return std::nullopt;
  return last_before(trace, labels, {trace.slices.begin[idx(from)], idx(from)});
}

std::optional<SliceId> next_hit(const Trace& trace, const LabelSet& labels, Ns t) {
  if (labels.empty()) return std::nullopt;
  return first_from(trace, labels, {t, 0});
}

std::optional<SliceId> previous_hit(const Trace& trace, const LabelSet& labels, Ns t) {
  if (labels.empty()) return std::nullopt;
  return last_before(trace, labels, {t, 0});
}

}  // namespace tv
