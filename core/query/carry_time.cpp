#include "core/query/carry_time.h"

#include <algorithm>

namespace tv {
namespace {

Ns distance_to(TimeRange work, Ns t) { return t < work.begin ? work.begin - t : std::max<Ns>(t - work.end, 0); }

}  // namespace

Ns carried_time(const Trace& from, const Trace& to, Ns t) {
  const Ns unmoved = t + from.origin_ns - to.origin_ns;
  if (from.align == to.align && to.align == Align::Recorded) return unmoved;
  const SourceInfo* nearest = nullptr;
  for (const SourceInfo& source : from.sources) {
    if (source.work == TimeRange{}) continue;
    if (!nearest || distance_to(source.work, t) < distance_to(nearest->work, t)) nearest = &source;
  }
  if (!nearest) return unmoved;
  const auto moved = std::ranges::find(to.sources, nearest->path, &SourceInfo::path);
  return moved == to.sources.end() ? unmoved : unmoved - nearest->aligned + moved->aligned;
}

}  // namespace tv
