#include "core/store/draft/source_names.h"

#include <algorithm>

namespace tv {

std::vector<std::uint32_t> unite(StringTable& to, const StringTable& from) {
  std::vector<std::uint32_t> ids(from.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(to.intern_from(from, id_at<StrId>(i)));
  return ids;
}

std::vector<LabelId> unite(LabelTable& to, const LabelTable& from) {
  std::vector<LabelId> ids(from.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = to.intern_from(from, id_at<LabelId>(i));
  return ids;
}

BatchIds SourceNames::unite(const EventBatch& batch) {
  BatchIds ids{tv::unite(tracks, batch.tracks), tv::unite(keys, batch.keys), tv::unite(labels, batch.labels)};
  key_count = std::max(key_count, static_cast<std::uint32_t>(keys.size()));
  return ids;
}

SourceNames SourceNames::copy() const {
  SourceNames copy;
  tv::unite(copy.tracks, tracks);
  tv::unite(copy.labels, labels);
  copy.key_count = key_count;
  return copy;
}

}  // namespace tv
