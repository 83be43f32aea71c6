// Memory in pages: allocations that come straight from the system and return to it when the last owner releases them, which malloc
// does not promise; and prefetching pages of mapped files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tv {

/// Zeroed, aligned to a page. Throws std::bad_alloc.
std::shared_ptr<std::byte> allocate_pages(std::size_t bytes);

/// Announces that these pages of a mapped file will be read soon. The system then reads them all at once, instead of one at a time
/// on access.
void will_need(std::span<const std::byte> mapped);

}  // namespace tv
