// Encodes pictures as PNG.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "ui/gl/image.h"

namespace tv {

/// Writes a temporary file and renames it, so that `path` never names an incomplete file.
Result<void> write_png(const std::filesystem::path& path, const Image& image);

std::string png_bytes(const Image& image);

}  // namespace tv
