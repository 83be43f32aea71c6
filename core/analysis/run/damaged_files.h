// Whether what is mapped may be analysed. Analyses build on the row invariant (trace.h), and nobody has looked at the columns of a
// mapped file before (ColumnsAre::Believed): pictures and statistics take them as they come, and are wrong where these are.
//
// Cost: one look at begin, duration and label of every slice of such a segment, some ns each on all threads; nothing of others.
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The segments of a view with a row that is not one, each by the path of its first source. Those of a `sound` view are not
/// looked at again.
std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool, const Trace* sound = nullptr);
/// What is said of them; empty: nothing.
std::string damaged_words(const std::vector<std::string>& files);

}  // namespace tv
