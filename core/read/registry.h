// All formats that traceview knows.
#pragma once

#include <span>

#include "core/read/reader.h"

namespace tv {

std::span<const Reader* const> all_readers();
/// The reader whose probe is most certain; null if no reader takes the file.
const Reader* choose_reader(const Probe& probe);
const Reader* find_reader(std::string_view id);

}  // namespace tv
