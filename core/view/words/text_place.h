// A byte of a source's text, as the import report names it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tv {

struct TextPlace {
  std::size_t source = 0;  ///< index into Trace::sources
  std::uint64_t byte = 0;
  bool operator==(const TextPlace&) const = default;
};

}  // namespace tv
