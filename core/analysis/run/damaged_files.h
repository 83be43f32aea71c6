// Whether mapped data may be analysed. Analyses rely on the row invariant (trace.h), but the columns of a mapped file were
// not checked (ColumnsAre::Believed): pictures and statistics take them as they are, and are wrong where the columns are.
//
// Cost: reads begin, duration and label of every slice of such a segment, some ns each on all threads; nothing for others.
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The segments of a view with a row that is not one, each by the path of its first source. Those of a `sound` view are not
/// looked at again.
std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool, const Trace* sound = nullptr);
/// The message about them. Empty: there are none.
std::string damaged_words(const std::vector<std::string>& files);

}  // namespace tv
