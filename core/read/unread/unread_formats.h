// Formats that are recognised by their contents but have no reader in this version: they are listed with that reason,
// and with what to do instead, rather than being called unknown. Each moves to a file of its own when its reader comes.
//
// Readers that read come first: what one of them is surer of is not asked here. Cost: searches through the head of a
// file.
#pragma once

#include <span>

#include "core/read/reader.h"

namespace tv {

std::span<const Reader> unread_formats();

/// A reader of what is only recognised.
constexpr Reader unread(std::string_view id, std::string_view title, int (*probe)(const Probe&),
                        std::string_view remedy) {
  Reader reader{id, title, probe, nullptr, nullptr, nullptr};
  reader.remedy = remedy;
  return reader;
}

/// How sure it is by contents that say so themselves; by words that others may use too; by its name.
inline constexpr int kOfItsFormat = 100, kByWords = 75, kByName = 50;

/// Of those by kind.
std::span<const Reader> unread_logs();
std::span<const Reader> unread_tables();

}  // namespace tv
