#include "core/view/wait_details.h"

#include <algorithm>

#include "core/analysis/collective_waits.h"

namespace tv {

WaitDetails wait_details(const CollectiveWaits& waits, SliceId slice) {
  WaitDetails details;
  const MatchedCollective* const collective = waits.find(slice);
  if (!collective) return details;
  details.text = wait_text(waits, slice);
  details.arrows = wait_arrows(waits, slice);
  const auto related = [&](const CollectiveMember& member, Ns waited) {
    const LabelId label = waits.trace->slices.label[idx(member.slice)];
    return RelatedSlice{member.slice, std::string(waits.trace->labels.name(label)), waits.name_of(member), waited};
  };
  const CollectiveMember& last = waits.last(*collective);
  if (last.slice != slice) {
    const auto own = std::ranges::find(waits.of(*collective), slice, &CollectiveMember::slice);
    details.last = related(last, own->waited);
    return details;
  }
  for (const CollectiveMember& member : waits.of(*collective)) {
    if (member.slice != slice) details.waited.push_back(related(member, member.waited));
  }
  std::ranges::stable_sort(details.waited, std::ranges::greater(), &RelatedSlice::gap);
  details.waited.resize(std::min(details.waited.size(), SliceDetails::kMostFlows));
  return details;
}

}  // namespace tv
