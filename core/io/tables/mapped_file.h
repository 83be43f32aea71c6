// A file of our own in memory as it lies on disk. Only for files that nobody truncates: one that shrinks while it is mapped
// kills whoever reads the part that is gone. What others write is read with PlainFile.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace tv {

/// The first `bytes` of it, for reading only: writing there ends the program. Unmapped with the last owner.
Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes);

}  // namespace tv
