// Commands of tables.
#pragma once

#include <string>

#include "core/view/table/table_model.h"

namespace tv::command {

/// Gives the keyboard to the next table in sight, and after the last one back to the timeline.
struct NextTable {
  bool forward = true;
};
/// The user changed the order, filter or columns of a table.
struct KeepTable {
  std::string table;
  TableState state;
};

}  // namespace tv::command
