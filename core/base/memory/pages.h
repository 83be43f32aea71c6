// Memory in pages: some that comes straight from the system and goes back to it when the last owner goes, which malloc does not
// promise; and pages of mapped files, asked for before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tv {

/// Zeroed, aligned to a page. Throws std::bad_alloc.
std::shared_ptr<std::byte> allocate_pages(std::size_t bytes);

/// The pages of a mapped file will be read soon. The system then reads them all at once, instead of one at a time on access.
void will_need(std::span<const std::byte> mapped);

}  // namespace tv
