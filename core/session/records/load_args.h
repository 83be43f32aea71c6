// Decodes the record of one slice from its file when its details are shown: args are never kept in memory.
// Cost: one small read for plain files. A compressed file is inflated up to the record (about 2 GB/s), from the last checkpoint
// before it or from its beginning (text_checkpoints.h). So call it on a background thread (AsyncMemo).
#pragma once

#include "core/base/result.h"
#include "core/store/draft/arg_tree.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// An error if the file has changed since it was loaded, or is gone.
Result<ArgTree> load_args(const SourceInfo& source, ItemRef ref);

}  // namespace tv
