#include "core/store/clock/source_parts.h"

#include <numeric>

#include "core/store/clock/pair_halves.h"
#include "core/store/clock/time_window.h"
#include "core/store/clock/work_extent.h"
#include "core/store/logs/told_collectives.h"

namespace tv {
namespace {

// Translates the sources' ids to those of the trace. Returns the total number of keys.
std::uint32_t translate_ids(std::vector<SourceParts>& sources, LabelTable& labels) {
  std::uint32_t key_base = 0;
  for (SourceParts& source : sources) {
    const SourceNames& names = *source.view.names;
    unite(source.tracks, names.tracks);
    const std::vector<LabelId> label = unite(labels, names.labels);
    for (StoredBatch& stored : source.view.batches) {
      BatchPiece& piece = source.pieces.emplace_back();
      piece.track = stored.ids->track;
      for (const LabelId source_label : stored.ids->label) piece.label.push_back(label[idx(source_label)]);
      for (const std::uint32_t source_key : stored.ids->key) piece.key.push_back(key_base + source_key);
      piece.slices = std::move(stored.slices);
      piece.batch = std::move(stored.rest);
    }
    source.first_key = key_base;
    source.told = source.view.told ? *source.view.told : told_collectives(names.keys);
    key_base += names.key_count;
    source.view.batches = {};
    source.view.names.reset();
  }
  return key_base;
}

// Joins begin and end events into slices. Their groups are numbered across all sources, from `next_group` on: after all keys,
// which are the groups of other slices.
void join_halves(SourceParts& source, const LabelTable& labels, std::uint32_t& next_group) {
  std::size_t count = 0;
  for (const BatchPiece& piece : source.pieces) count += piece.batch->halves.size();
  if (count == 0) return;
  std::vector<HalfEvent> halves;
  halves.reserve(count);
  for (const BatchPiece& piece : source.pieces) {
    for (HalfEvent half : piece.batch->halves) {
      half.track = piece.track_of(half.track);
      half.key = piece.key_of(half.key);
      half.label = piece.label_of(half.label);
      halves.push_back(half);
    }
  }
  SliceColumns paired;
  next_group += pair_halves(std::move(halves), labels, next_group, paired, source.problems);
  if (source.view.window) crop(paired, *source.view.window);
  BatchPiece& piece = source.pieces.emplace_back();
  piece.slices = std::make_shared<const SliceBlock>(paired);
  piece.in_file_order = false;
  piece.track.resize(source.tracks.size());
  std::iota(piece.track.begin(), piece.track.end(), 0u);
}

}  // namespace

std::vector<SourceParts> source_parts(std::vector<SourceView> views, LabelTable& labels) {
  std::vector<SourceParts> sources(views.size());
  for (std::size_t s = 0; s < views.size(); ++s) sources[s].view = std::move(views[s]);
  std::uint32_t next_group = translate_ids(sources, labels);
  for (SourceParts& source : sources) {
    join_halves(source, labels, next_group);
    measure(source);
  }
  return sources;
}

}  // namespace tv
