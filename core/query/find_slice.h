// Finds a slice again in another snapshot. Ids change when a trace is published again or a file is reloaded, but the slice's
// record in the file and its name do not. Cost: O(rows * log n); a scan over all slices if the slice is not found at its old
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/store/trace/trace.h"

namespace tv {

struct SliceKey {
  std::uint64_t identity = 0;  ///< ItemRef::identity(): source and byte offset
  std::string name;            ///< the label's name, as one record may make several slices
  Ns begin_abs = 0;            ///< begin plus Trace::origin_ns
  bool operator==(const SliceKey&) const = default;
};

SliceKey key_of(const Trace& trace, SliceId slice);
std::optional<SliceId> find_slice(const Trace& trace, const SliceKey& key);
/// Whether the key is that of the slice, whose time may have changed.
bool is_of_key(const Trace& trace, SliceId slice, const SliceKey& key);
/// The label of `now` with the same name and category; kNone if there is none. Cost: O(labels).
LabelId same_label(const Trace& was, LabelId label, const Trace& now);

}  // namespace tv
