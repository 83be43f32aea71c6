// Formats that this version recognises by their contents but cannot read. They are listed with that reason and a remedy, instead
// of as unknown files. A format moves to its own file when it gets a reader.
//
// Working readers come first: these probes are not asked if one of those is certain. Cost: searches through the head of a file.
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

/// The certainty of a probe: the contents name the format; words that other formats may share; only the file's name.
inline constexpr int kOfItsFormat = 100, kByWords = 75, kByName = 50;

/// The formats of one kind.
std::span<const Reader> unread_logs();
std::span<const Reader> unread_tables();

}  // namespace tv
