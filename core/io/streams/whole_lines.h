// A text that ends with its last newline: what stands behind that is a line that somebody is still writing. For logs that grow while
// they are read; so a number that is half written is not taken for a whole one. What is appended meanwhile is not seen.
// Only texts that can be read at any place (ByteStream::reach) end so; compressed ones are as they are.
// Cost: one look backwards from the end to the newline, then that of the text.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

Result<std::unique_ptr<ByteStream>> whole_lines(std::unique_ptr<ByteStream> text);

}  // namespace tv
