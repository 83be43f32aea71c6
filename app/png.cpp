#include "app/png.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace tv {

Result<void> write_png(const std::filesystem::path& path, const Image& image) {
  std::filesystem::path part = path;
  part += ".part";
  {
    std::ofstream file(part, std::ios::binary);
    const auto append = [](void* out, void* bytes, int size) {
      static_cast<std::ofstream*>(out)->write(static_cast<const char*>(bytes), size);
    };
    stbi_write_png_to_func(append, &file, image.width, image.height, 4, image.pixels.data(), image.width * 4);
    file.flush();
    if (!file) {
      const std::string reason = std::strerror(errno);
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      return Error{
          "the picture cannot be written: " + reason, path.string(), {}, "choose another folder with -o"};
    }
  }
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return Error{
      "the picture cannot be written: " + error.message(), path.string(), {}, "choose another name with -o"};
}

std::string png_bytes(const Image& image) {
  std::string bytes;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.pixels.data(), image.width * 4);
  return bytes;
}

}  // namespace tv
