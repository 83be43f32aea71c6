// All formats traceview knows.
#pragma once

#include <span>

#include "core/read/reader.h"

namespace tv {

std::span<const Reader* const> all_readers();
/// Null if no reader takes it.
const Reader* choose_reader(const Probe& probe);
const Reader* find_reader(std::string_view id);

}  // namespace tv
