// Checks whether mapped data may be analysed. Analyses rely on the row invariant (trace.h), but the columns of a mapped file were
// not checked (ColumnsAre::Unchecked). Drawing and statistics use them as they are, and are wrong where the columns are wrong.
//
// Cost: reads begin, duration and label of every slice of such segments, a few ns each on all threads; other segments cost
// nothing.
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The segments of a view with a row that violates the invariant, each by the path of its first source. Segments of a `sound`
/// view are not checked again.
std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool, const Trace* sound = nullptr);
/// The message about them; empty if no file is damaged.
std::string damaged_words(const std::vector<std::string>& files);

}  // namespace tv
