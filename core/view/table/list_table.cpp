#include "core/view/table/list_table.h"

#include "core/base/text/count_text.h"

namespace tv {

ListCell counted(std::uint64_t count) { return {format_count(count), static_cast<double>(count)}; }
ListCell lasting(Ns length) { return {format_duration(length), static_cast<double>(length)}; }

}  // namespace tv
