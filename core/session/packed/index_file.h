// The index of a segment in the same file as its columns (trace_file.h), to be mapped:
//
//   index.nodes                                              the pyramids of all rows
//   index.unions index.begin .duration .label .union_nodes   the union rows of slots whose first row does not cover the others
//
// Cost: 5.4 bytes per slice on disk. read_index() reads the list of slots, and the columns only if it checks them.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/index/segment_index.h"
#include "core/io/tables/section_file.h"
#include "core/store/trace/trace.h"

namespace tv {

void write_index(SectionWriter& file, const SegmentIndex& index);
bool has_index(const SectionFile& file);
bool is_of_index(std::string_view section);  ///< by the section's name
/// `file` must be opened for mapping. Columns are checked unless `segment.columns_are` is Unchecked.
Result<std::shared_ptr<const SegmentIndex>> read_index(const SectionFile& file, const Trace& segment, ThreadPool& pool);

}  // namespace tv
