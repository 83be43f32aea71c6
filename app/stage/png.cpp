#include "app/stage/png.h"

#include <new>

#include "core/io/written/new_file.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace tv {

std::string png_bytes(const Image& image) {
  std::string bytes;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.pixels.data(), image.width * 4)) throw std::bad_alloc();
  return bytes;
}

Result<void> write_png(const std::filesystem::path& path, const Image& image) {
  return write_whole(NewFile::output(path.string(), NewFile::Content::Binary), png_bytes(image));
}

}  // namespace tv
