// Checks whether mapped data may be analysed. Analyses rely on the row invariant (trace.h), but the columns of a mapped file were
// not checked when it was opened (ColumnsAre::Unchecked). Drawing and statistics use such columns anyway, errors included.
//
// Cost: reads begin, duration and label of every slice of unchecked segments, a few ns each, on all threads. Other segments cost
// nothing.
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The segments of a view with a row that violates the invariant, each by the path of its first source. The segments of `sound`,
/// a view without damage, are not checked again.
std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool, const Trace* sound = nullptr);
/// The message about damaged files; empty if there are none.
std::string damaged_words(const std::vector<std::string>& files);

}  // namespace tv
