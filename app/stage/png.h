// Pictures as PNG files.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "ui/gl/image.h"

namespace tv {

/// Written to a temporary file and renamed, so that a file of that name is never incomplete.
Result<void> write_png(const std::filesystem::path& path, const Image& image);

std::string png_bytes(const Image& image);

}  // namespace tv
