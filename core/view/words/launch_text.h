// How a kernel was launched, in one line, from the record of kineto or of Nsight Systems: "stream 7, grid 56 x 2 x 1, block 384,
// 168 registers". Empty for other records. Cost: O(record).
#pragma once

#include <string>

#include "core/store/draft/arg_tree.h"

namespace tv {

std::string launch_text(const ArgTree& record);

}  // namespace tv
