#include "core/query/carry_time.h"

#include <algorithm>

namespace tv {
namespace {

Ns distance_to(TimeRange work, Ns t) { return t < work.begin ? work.begin - t : std::max<Ns>(t - work.end, 0); }

}  // namespace

Ns carried_time(const Trace& from, const Trace& to, Ns t) {
  const AlignedTime absolute = view_origin(from)(ViewTime{t});
  const auto in_view = [&](AlignedTime at) { return view_origin(to).inverse()(at).ns; };
  if (from.align == to.align && to.align == Align::Recorded) return in_view(absolute);
  const SourceInfo* nearest = nullptr;
  for (const SourceInfo& source : from.sources) {
    if (source.work == TimeRange{}) continue;
    if (!nearest || distance_to(source.work, t) < distance_to(nearest->work, t)) nearest = &source;
  }
  if (!nearest) return in_view(absolute);
  const auto moved = std::ranges::find(to.sources, nearest->path, &SourceInfo::path);
  return in_view(moved == to.sources.end() ? absolute : moved->aligned(nearest->aligned.inverse()(absolute)));
}

}  // namespace tv
