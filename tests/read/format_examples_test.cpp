#include <doctest/doctest.h>

#include <algorithm>

#include "core/read/format_examples.h"
#include "core/read/registry.h"

namespace tv {

TEST_CASE("format examples: every reader that reads has one, a format that is only recognised has none") {
  for (const Reader* const reader : all_readers()) {
    const auto example = std::ranges::find(format_examples(), reader->id, &FormatExample::reader);
    INFO(reader->id);
    CHECK((example != format_examples().end()) == (reader->read != nullptr));
  }
  for (const FormatExample& example : format_examples()) {
    INFO(example.reader);
    CHECK(find_reader(example.reader) != nullptr);
    CHECK(!example.what.empty());
    CHECK(!example.files.empty());
  }
}

}  // namespace tv
