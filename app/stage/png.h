// Encodes pictures as PNG.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "ui/gl/image.h"

namespace tv {

/// Writes a temporary file and renames it (new_file.h), so that `path` never names an incomplete file. "-", devices and pipes are
/// written to directly.
Result<void> write_png(const std::filesystem::path& path, const Image& image);

std::string png_bytes(const Image& image);

}  // namespace tv
