// Reads the values of some keys in the records of many slices. Args are never kept in memory (load_args.h), so the files are read
// again, in file order, on all threads.
//
// A key is looked up in the record's "args", then among the record's own members: first as it is, then as a path with dots
// ("a.b"). A string has no quotes; objects and lists are JSON. Records that cannot be read again or decoded have no values: they
// are counted, and the problem is reported. Only the first kMostArgRecords in time are read; then limits() says so.
// Cost: reading the texts (record_blocks.h) plus 2 to 10 us per record; 12 bytes per slice and key, and each distinct text once.
// Until all records are read, every value takes 40 bytes and its text.
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
  std::uint64_t wanted = 0;  ///< slices that the caller asked for
  std::uint64_t read = 0;    ///< slices whose records were to be read; the others are beyond the limit
  std::uint64_t failed = 0;  ///< of `read`, slices whose records cannot be read again or decoded
  std::vector<std::string> problems;
  bool cancelled = false;

  /// "; args were read only for the first 1,000,000 of 7,600,000 slices; ..."; empty if all were read, without problems.
  std::string limits() const;
};

ArgColumns read_args(const Trace& trace, const std::vector<std::string>& keys, std::vector<SliceId> wanted,
                     ThreadPool& pool, std::stop_token stop = {}, std::size_t most = kMostArgRecords);

/// Gets the value of a key in a record, as text. False if there is none.
bool arg_text(const ArgTree& tree, std::string_view key, std::string& out);

}  // namespace tv
