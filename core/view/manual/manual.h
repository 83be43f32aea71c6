// The manual that is built into the program: pages of assets/manual, embedded so that they are always available. `traceview help`
// prints them, the window shows them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/view/manual/manual_page.h"

namespace tv {

/// In reading order.
std::span<const ManualPage> manual_pages();
/// The page on a topic, or null.
const ManualPage* find_manual_page(std::string_view topic);

/// The tables of the page "keys": a heading and a table for each group of the key table that is in use, as Markdown. The page
/// contains this text for the default keys (checked by tests/view/manual_test.cpp).
std::string keys_as_markdown();

}  // namespace tv
