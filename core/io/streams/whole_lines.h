// Cuts a text after its last newline, because what follows is a line that is still being written. For logs that grow while they are
// read: half of a number must not be taken for a whole one. Text that is appended later is not seen. Only random-access text
// (ByteStream::reach) is cut; compressed text is passed through unchanged. Cost: one search backwards from the end to the newline.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

Result<std::unique_ptr<ByteStream>> whole_lines(std::unique_ptr<ByteStream> text);

}  // namespace tv
