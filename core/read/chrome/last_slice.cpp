#include "core/read/chrome/last_slice.h"

#include <utility>

#include "core/read/chrome/chrome_tracks.h"

namespace tv {

void LastSliceOfChunks::add(ChromePart& part) {
  for (std::size_t i = 0; last_ && i < part.leading_flows; ++i) {
    FlowPoint& point = part.batch.flows[i];
    if (point.time != last_->time || thread_of_track(part.batch.tracks[id_at<StrId>(point.track)]) != last_->thread) continue;
    point.track = static_cast<std::uint32_t>(part.batch.tracks.intern(last_->track));
    const bool repeats = point.id != 0 && point.id == last_->unrepeated_correlation && point.kind == last_->repeating_kind;
    if (repeats) last_->unrepeated_correlation = 0;
    if (!repeats && point.bind != FlowPoint::Bind::Enclosing) continue;
    point.bind = FlowPoint::Bind::Record;
    point.offset = last_->offset;
  }
  if (!part.only_flows) last_ = std::move(part.last_slice);
}

}  // namespace tv
