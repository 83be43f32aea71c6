#include "core/store/logs/told_collectives.h"

#include <xxhash.h>

#include <algorithm>
#include <map>

namespace tv {
namespace {

constexpr char kToldSeparator = '\x1f';
constexpr std::string_view kCollectivePrefix = "collective\x1f", kGroupPrefix = "process group\x1f";
// The lowest two bits of a name say what it identifies (Told). Names of kernels are odd, so these bit patterns are even.
constexpr std::uint64_t kToldBits = 3, kCollectiveBits = 0, kGroupBits = 2;
constexpr std::uint64_t kInsteadOfZero = 4;  // since 0 means that the record says nothing

// "[0, 1, 2]" and "[0,1,2]" are the same ranks. "[]" and "" mean that there are none.
std::string normal_ranks(std::string_view ranks) {
  std::string out;
  std::ranges::copy_if(ranks, std::back_inserter(out), [](char c) { return c != ' ' && c != '[' && c != ']'; });
  return out;
}

// Removes and returns the text up to the next separator.
std::string_view take_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(kToldSeparator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

std::uint64_t name_with_bits(std::uint64_t hash, std::uint64_t bits) {
  const std::uint64_t name = (hash & ~kToldBits) | bits;
  return name == 0 ? kInsteadOfZero : name;
}

}  // namespace

std::string told_key(const ToldCollective& told) {
  std::string key(kCollectivePrefix);
  key.append(told.group).push_back(kToldSeparator);
  key.append(normal_ranks(told.ranks)).push_back(kToldSeparator);
  return key.append(told.number);
}

std::string told_group_key(std::string_view group, std::string_view ranks) {
  std::string key(kGroupPrefix);
  key.append(group).push_back(kToldSeparator);
  return key.append(normal_ranks(ranks));
}

std::vector<std::uint64_t> told_collectives(const StringTable& keys) {
  std::map<std::string_view, std::string_view> ranks_of_group;
  bool any_collective = false;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::string_view rest = keys[id_at<StrId>(k)];
    any_collective |= rest.starts_with(kCollectivePrefix);
    if (!rest.starts_with(kGroupPrefix)) continue;
    rest.remove_prefix(kGroupPrefix.size());
    const std::string_view group = take_part(rest);
    ranks_of_group[group] = rest;
  }
  if (!any_collective) return {};
  std::vector<std::uint64_t> names(keys.size(), 0);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::string_view rest = keys[id_at<StrId>(k)];
    if (!rest.starts_with(kCollectivePrefix)) continue;
    rest.remove_prefix(kCollectivePrefix.size());
    const std::string_view group = take_part(rest);
    std::string_view ranks = take_part(rest);
    const std::string_view number = rest;
    if (const auto listed = ranks_of_group.find(group); ranks.empty() && listed != ranks_of_group.end()) ranks = listed->second;
    const bool numbered = !ranks.empty() && !number.empty();
    std::string text = std::string(group) + kToldSeparator + std::string(ranks);
    if (numbered) text.append(1, kToldSeparator).append(number);
    names[k] = name_with_bits(XXH3_64bits(text.data(), text.size()), numbered ? kCollectiveBits : kGroupBits);
  }
  return names;
}

std::uint64_t told_name(std::uint64_t kernel, std::uint64_t told) {
  if (told == 0) return kernel;
  const std::uint64_t parts[] = {kernel, told};
  return name_with_bits(XXH3_64bits(parts, sizeof parts), told & kToldBits);
}

Told what_is_told(std::uint64_t name) {
  if (name % 2 == 1) return Told::Kernel;
  return (name & kToldBits) == kGroupBits ? Told::Group : Told::Collective;
}

}  // namespace tv
