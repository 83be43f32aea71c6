// The manual that is in the program: pages of assets/manual, which the build puts into it, so that they are there wherever the
// program is. `traceview help` prints them, the window shows them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/view/manual/manual_page.h"

namespace tv {

/// In the order in which they are read.
std::span<const ManualPage> manual_pages();
/// The page on a topic. Null: there is none.
const ManualPage* find_manual_page(std::string_view topic);

/// The tables of the page "keys": a heading and a table for each group of the key table that is in use, as Markdown. The page
/// holds what this says of the keys as they come (tests/view/manual_test.cpp).
std::string keys_as_markdown();

}  // namespace tv
