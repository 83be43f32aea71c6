// The values of some keys in the records of many slices: columns of args, which are never kept in memory (load_args.h), read
// once more from the files in the order of their texts, on all threads.
//
// A key is looked for in the record's "args", then next to it, then as a path with dots ("a.b"). Strings are without
// quotes, objects and lists as in JSON. Records that cannot be read have no values; they are counted, and the problem is named.
// At most kMostArgRecords are read, the first in time, and limits() says so.
// Cost: that of reading the texts (record_blocks.h) and 2 to 10 us per record; 8 bytes per slice and key, each text once.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/filter/slice_filter.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/draft/arg_tree.h"
#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kMostArgRecords = 1'000'000;

struct ArgColumns {
  std::vector<ArgValues> values;  ///< one per key
  std::uint64_t wanted = 0;
  std::uint64_t read = 0;    ///< how many were looked for
  std::uint64_t failed = 0;  ///< how many of these are in files that cannot be read again
  std::vector<std::string> problems;
  bool cancelled = false;

  /// "; args were read of the first 1,000,000 of 7,600,000 slices"; empty: of all.
  std::string limits() const;
};

ArgColumns read_args(const Trace& trace, const std::vector<std::string>& keys, std::vector<SliceId> wanted,
                     ThreadPool& pool, std::stop_token stop = {}, std::size_t most = kMostArgRecords);

/// The value under a key of one record, as text; null: it has none.
bool arg_text(const ArgTree& tree, std::string_view key, std::string& out);

}  // namespace tv
