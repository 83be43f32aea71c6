#include "core/store/pair_halves.h"

#include <algorithm>
#include <unordered_map>

namespace tv {
namespace {

bool is_async(const Half& half) {
  return half.kind == Half::Kind::AsyncBegin || half.kind == Half::Kind::AsyncEnd;
}

bool matches(const Half& begin, const Half& end, const LabelTable& labels) {
  if (begin.label == end.label) return true;
  if (end.named && labels.name(begin.label) != labels.name(end.label)) return false;
  // An async key holds the category already.
  return is_async(end) || !end.categorised || labels.category(begin.label) == labels.category(end.label);
}

}  // namespace

void pair_halves(std::vector<Half> halves, const LabelTable& labels, SliceColumns& out, ProblemLog& problems) {
  const auto by_time = [](const Half& a, const Half& b) { return a.time < b.time; };
  if (!std::is_sorted(halves.begin(), halves.end(), by_time)) {
    std::stable_sort(halves.begin(), halves.end(), by_time);
  }
  std::unordered_map<std::uint64_t, std::vector<const Half*>> open;  // per track, or per async key
  const auto emit = [&](const Half& begin, Ns duration, std::uint8_t flags) {
    out.add(begin.track, begin.time, duration, begin.label, is_async(begin) ? begin.key : kNoGroup, begin.offset, flags);
  };
  for (const Half& half : halves) {
    const std::uint64_t place = is_async(half) ? (1ULL << 32 | half.key) : half.track;
    std::vector<const Half*>& stack = open[place];
    if (half.kind == Half::Kind::Begin || half.kind == Half::Kind::AsyncBegin) {
      stack.push_back(&half);
      continue;
    }
    const auto found = std::find_if(stack.rbegin(), stack.rend(),
                                    [&](const Half* begin) { return matches(*begin, half, labels); });
    if (found == stack.rend()) {
      problems.add(ProblemKind::unmatched_end, half.offset, labels.name(half.label));
      continue;
    }
    emit(**found, half.time - (*found)->time, 0);
    stack.erase(std::next(found).base());
  }
  std::vector<const Half*> unclosed;
  for (const auto& [place, stack] : open) unclosed.insert(unclosed.end(), stack.begin(), stack.end());
  std::sort(unclosed.begin(), unclosed.end(), [](const Half* a, const Half* b) { return a->offset < b->offset; });
  for (const Half* begin : unclosed) {
    problems.add(ProblemKind::unclosed_slice, begin->offset, labels.name(begin->label));
    emit(*begin, kOpenEnd, kUnfinished);
  }
}

}  // namespace tv
