// simdjson over a text. Its own way to say that there was no memory looks like broken JSON, which would then be repaired or counted
// as lost: here that is std::bad_alloc, as everywhere.
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
