// Memory in pages: allocations that come straight from the system and go back to it when their last owner is gone, which malloc
// does not promise; and prefetching of mapped files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tv {

/// Zeroed bytes, aligned to a page. Throws std::bad_alloc.
std::shared_ptr<std::byte> allocate_pages(std::size_t bytes);

/// Announces that these pages of a mapped file will be read soon. The system then reads them all at once, instead of one at a time
/// on access.
void will_need(std::span<const std::byte> mapped);

}  // namespace tv
