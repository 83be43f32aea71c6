#include "core/session/load/view_maker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace tv {
namespace {

struct ArrangedSegments {
  Segments segments;
  std::vector<Ns> manual_offsets;  // by segment: how far the user has moved it since it was read
};

// Orders segments by their files, whether they were read or reused. Segments that show nothing come last.
ArrangedSegments arranged(const Segments& read, const ViewContents& contents) {
  std::map<std::string_view, std::size_t> place;
  for (const auto& source : contents.sources) place.emplace(source->path, place.size());
  std::vector<std::pair<std::shared_ptr<const Trace>, Ns>> all;
  for (const ReusedSegment& reused : contents.reused.taken()) all.emplace_back(reused.segment, reused.manual_offset);
  for (const auto& segment : read) all.emplace_back(segment, 0);
  const auto place_of = [&](const Trace& segment) {
    const auto found = segment.sources.empty() ? place.end() : place.find(segment.sources.front().path);
    return std::pair(!has_content(segment), found == place.end() ? place.size() : found->second);
  };
  std::ranges::stable_sort(all, {}, [&](const auto& one) { return place_of(*one.first); });
  ArrangedSegments out;
  for (auto& [segment, manual_offset] : all) {
    out.segments.push_back(std::move(segment));
    out.manual_offsets.push_back(manual_offset);
  }
  return out;
}

}  // namespace

std::shared_ptr<const Trace> ViewMaker::compose(const Segments& read, const ViewContents& contents, const Trace* earlier) {
  auto [segments, manual_offsets] = arranged(read, contents);
  // A window's clocks were aligned when it was measured: aligning by the collectives within it could give another result.
  // Packed traces were not measured, so their clocks still count.
  const bool windowed = options_.choice.window && !contents.sources.empty();
  const AlignChoice align = windowed ? Align::Recorded : options_.align;
  const PlaceBy clocks = windowed && contents.packed.empty() ? PlaceBy::Recorded : options_.place_by;
  return contents.packed.compose_with(segments, clocks, std::move(manual_offsets), {&compared_, earlier}, align, pool_);
}

std::shared_ptr<const Snapshot> ViewMaker::make(const Segments& read, const ViewContents& contents, bool complete,
                                                std::stop_token stop) {
  const std::optional<Snapshot> before = shown_.lock();
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->trace = compose(read, contents, before ? before->trace.get() : nullptr);
  composed_at_ = std::chrono::steady_clock::now();
  for (const HeldSegment& known : contents.reused.known()) indexed_.emplace(known.segment, known.index);
  contents.packed.for_each_shown([&](const PackedTraces::Packed& packed) {
    if (packed.index) indexed_.emplace(packed.trace, packed.index);
  });
  snapshot->index = build_index(*snapshot->trace, pool_, stop, indexed_, before ? &*before : nullptr);
  if (!snapshot->index) return nullptr;
  snapshot->generation = ++generation_;
  snapshot->complete = complete;
  note_indexes(*snapshot, read);
  shown_ = ShownView(*snapshot);
  return snapshot;
}

void ViewMaker::note_indexes(const Snapshot& snapshot, const Segments& read) {
  indexed_.clear();
  const Trace& trace = *snapshot.trace;
  const auto& indices = snapshot.index->segments();
  if (trace.parts.empty()) indexed_.emplace(snapshot.trace, indices.front());
  for (std::size_t p = 0; p < trace.parts.size(); ++p) indexed_.emplace(trace.parts[p].segment, indices[p]);
  if (snapshot.complete) return;
  for (const auto& segment : read) indexed_.erase(segment);
}

}  // namespace tv
