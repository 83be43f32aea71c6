// A text that ends with its last newline, because the text after it is a line that is still being written. For logs that grow
// while they are read, so that a half-written number is not taken for a whole one. Text that is appended meanwhile is not seen.
// Only random-access text (ByteStream::reach) is cut; compressed text is passed through unchanged. Cost: one search backwards
// from the end to the newline, in addition to reading the text.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

Result<std::unique_ptr<ByteStream>> whole_lines(std::unique_ptr<ByteStream> text);

}  // namespace tv
