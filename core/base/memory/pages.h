// Memory that comes straight from the system and goes back to it when the last owner goes, which malloc does not promise.
#pragma once

#include <cstddef>
#include <memory>

namespace tv {

/// Zeroed, aligned to a page. Throws std::bad_alloc.
std::shared_ptr<std::byte> allocate_pages(std::size_t bytes);

}  // namespace tv
