#include "core/store/logs/told_collectives.h"

#include <xxhash.h>

#include <algorithm>
#include <map>

namespace tv {
namespace {

constexpr char kBetween = '\x1f';
constexpr std::string_view kKernel = "collective\x1f", kGroup = "process group\x1f";
// The lowest bits encode the kind of a name (Told). Names of kernels are odd.
constexpr std::uint64_t kBits = 3, kOfGroup = 2, kOfCollective = 0, kAnother = 4;

// "[0, 1, 2]" and "[0,1,2]" are the same ranks. "[]" and "" mean none.
std::string normal_ranks(std::string_view ranks) {
  std::string out;
  std::ranges::copy_if(ranks, std::back_inserter(out), [](char c) { return c != ' ' && c != '[' && c != ']'; });
  return out;
}

std::string_view next_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(kBetween), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

std::uint64_t with_bits(std::uint64_t hash, std::uint64_t bits) {
  const std::uint64_t name = (hash & ~kBits) | bits;
  return name == 0 ? kAnother : name;
}

}  // namespace

std::string told_key(const ToldCollective& told) {
  std::string key(kKernel);
  key.append(told.group).push_back(kBetween);
  key.append(normal_ranks(told.ranks)).push_back(kBetween);
  return key.append(told.number);
}

std::string told_group_key(std::string_view group, std::string_view ranks) {
  std::string key(kGroup);
  key.append(group).push_back(kBetween);
  return key.append(normal_ranks(ranks));
}

std::vector<std::uint64_t> told_collectives(const StringTable& keys) {
  std::map<std::string_view, std::string_view> ranks_of;
  bool any = false;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::string_view key = keys[id_at<StrId>(k)];
    any |= key.starts_with(kKernel);
    if (!key.starts_with(kGroup)) continue;
    key.remove_prefix(kGroup.size());
    const std::string_view group = next_part(key);
    ranks_of[group] = key;
  }
  std::vector<std::uint64_t> told;
  if (!any) return told;
  told.resize(keys.size(), 0);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::string_view key = keys[id_at<StrId>(k)];
    if (!key.starts_with(kKernel)) continue;
    key.remove_prefix(kKernel.size());
    const std::string_view group = next_part(key);
    std::string_view ranks = next_part(key);
    if (const auto known = ranks_of.find(group); ranks.empty() && known != ranks_of.end()) ranks = known->second;
    const bool numbered = !ranks.empty() && !key.empty();
    std::string text = std::string(group) + kBetween + std::string(ranks);
    if (numbered) text.append(1, kBetween).append(key);
    told[k] = with_bits(XXH3_64bits(text.data(), text.size()), numbered ? kOfCollective : kOfGroup);
  }
  return told;
}

std::uint64_t told_name(std::uint64_t kernel, std::uint64_t told) {
  if (told == 0) return kernel;
  const std::uint64_t both[] = {kernel, told};
  return with_bits(XXH3_64bits(both, sizeof both), told & kBits);
}

Told what_is_told(std::uint64_t name) {
  if (name % 2 == 1) return Told::Kernel;
  return (name & kBits) == kOfGroup ? Told::Group : Told::Collective;
}

}  // namespace tv
