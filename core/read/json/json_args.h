// Decodes one JSON record, damaged or not, into an ArgTree for the details panel.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/store/draft/arg_tree.h"

namespace tv {

Result<ArgTree> decode_json_record(std::string_view record);

}  // namespace tv
