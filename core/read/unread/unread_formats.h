// Formats that this version recognises but cannot read. Their files are listed with this reason and a remedy, instead of as
// unknown files. A format moves to a source file of its own when it gets a reader.
//
// Working readers come first: if one of them is certain, these probes are not called. Cost: searches through the head of a file.
#pragma once

#include <span>

#include "core/read/reader.h"

namespace tv {

std::span<const Reader> unread_formats();

/// A reader for a format that is only recognised.
constexpr Reader unread(std::string_view id, std::string_view title, int (*probe)(const Probe&),
                        std::string_view remedy) {
  Reader reader{id, title, probe, nullptr, nullptr, nullptr};
  reader.remedy = remedy;
  return reader;
}

/// How certain a probe is.
inline constexpr int kOfItsFormat = 100;  ///< the contents show the format
inline constexpr int kByWords = 75;       ///< the contents have words that other formats may share
inline constexpr int kByName = 50;        ///< only the file's name suggests the format

/// The formats of one kind.
std::span<const Reader> unread_logs();
std::span<const Reader> unread_tables();

}  // namespace tv
