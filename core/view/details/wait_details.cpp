#include "core/view/details/wait_details.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/rollout/blame.h"
#include "core/base/text/count_text.h"
#include "core/view/words/number_words.h"
#include "core/view/words/request_label.h"

namespace tv {

WaitDetails wait_details(const CollectiveWaits& waits, SliceId slice) {
  WaitDetails details;
  const MatchedCollective* const collective = waits.find(slice);
  if (!collective) return details;
  details.text = wait_text(waits, slice);
  details.arrows = wait_arrows(waits, slice);
  const auto related = [&](const CollectiveMember& member, Ns waited) {
    const LabelId label = waits.trace->label_of(member.slice);
    return RelatedSlice{member.slice, std::string(waits.trace->labels.name(label)), waits.name_of(member), waited};
  };
  const CollectiveMember& last = waits.last(*collective);
  if (last.slice != slice) {
    const auto member = std::ranges::find(waits.of(*collective), slice, &CollectiveMember::slice);
    details.last = related(last, member->waited);
    return details;
  }
  for (const CollectiveMember& member : waits.of(*collective)) {
    if (member.slice != slice) details.waited.push_back(related(member, member.waited));
  }
  std::ranges::stable_sort(details.waited, std::ranges::greater(), &RelatedSlice::gap);
  details.waited.resize(std::min(details.waited.size(), SliceDetails::kMostFlows));
  return details;
}

std::string barrier_text(const Rollout& rollout, SliceId slice) {
  if (const auto request = request_of_bar(rollout, slice)) {
    const auto entry = blame_of_step(rollout, rollout.step[*request]);
    if (!entry || entry->request != *request || entry->waits.empty()) return {};
    return fmt::format("{} waited for its end, {} in all", count_text(entry->waits.size(), "worker"), seconds_text(entry->lost));
  }
  const auto phase = phase_of_slice(rollout, slice);
  const auto by = phase ? blamed(rollout, *phase) : std::nullopt;
  if (!by) return {};
  const std::string request(request_label(rollout, by->request, 1));
  if (by->is_culprit) return fmt::format("the others waited for this worker: its {} ended last", request);
  return fmt::format("waited {} for worker {}: its {} ended last", format_duration(rollout.trace->duration_of(slice)),
                     rollout.workers[by->worker], request);
}

}  // namespace tv
