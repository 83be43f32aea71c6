// simdjson over a text. Its own way to say that there was no memory looks like broken JSON, which would then be repaired or counted
// as lost: here that is std::bad_alloc, as everywhere.
#pragma once

#include <new>

#include <simdjson.h>

namespace tv {

template <class Text>
simdjson::simdjson_result<simdjson::ondemand::document> iterate_json(simdjson::ondemand::parser& parser, const Text& text) {
  auto document = parser.iterate(text);
  if (document.error() == simdjson::MEMALLOC) throw std::bad_alloc();
  return document;
}

}  // namespace tv
