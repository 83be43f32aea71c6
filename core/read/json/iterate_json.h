// Runs simdjson over a text. simdjson reports lack of memory like broken JSON, and sound records would then be repaired or
// counted as lost. So lack of memory becomes std::bad_alloc here, as everywhere.
#pragma once

#include <new>

#include <simdjson.h>

#include "core/base/memory/memory_budget.h"

namespace tv {

template <class Text>
simdjson::simdjson_result<simdjson::ondemand::document> iterate_json(simdjson::ondemand::parser& parser, const Text& text) {
  memory_was_refused = false;
  auto document = parser.iterate(text);
  if (memory_was_refused || document.error() == simdjson::MEMALLOC) throw std::bad_alloc();
  return document;
}

}  // namespace tv
