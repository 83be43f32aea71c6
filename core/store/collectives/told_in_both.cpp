#include "core/store/collectives/told_in_both.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tv {
namespace {

constexpr std::size_t kMostSearched = 4096;  // how many kernels of each stream are looked up in the other one
constexpr std::size_t kMostKernels = 512;    // how many common kernels suffice for a match

CollectiveStream kernels_at(std::vector<std::uint32_t> indices, const CollectiveStream& stream) {
  std::ranges::sort(indices);
  CollectiveStream out;
  for (const std::uint32_t index : indices) out.push_back(stream[index]);
  return out;
}

}  // namespace

ToldInBoth::ToldInBoth(const StreamProbe& of_a, const StreamProbe& of_b) {
  take_collectives(of_a, of_b);
  if (!are_enough()) take_groups(of_a, of_b);
}

void ToldInBoth::take_collectives(const StreamProbe& of_a, const StreamProbe& of_b) {
  const auto &identified_a = of_a.identified(), &identified_b = of_b.identified();
  const std::size_t end_a = std::min(identified_a.size(), kMostSearched), end_b = std::min(identified_b.size(), kMostSearched);
  const auto name_a = [&](std::size_t i) { return of_a.stream()[identified_a[i]].name; };
  const auto name_b = [&](std::size_t i) { return of_b.stream()[identified_b[i]].name; };
  std::vector<std::uint32_t> in_a, in_b;
  for (std::size_t i = 0, j = 0; i < end_a && j < end_b && in_a.size() < kMostKernels;) {
    const std::uint64_t name = name_a(i);
    if (name < name_b(j)) {
      ++i;
    } else if (name > name_b(j)) {
      ++j;
    } else {
      // Takes all kernels of one name, even beyond the limits.
      for (; i < identified_a.size() && name_a(i) == name; ++i) in_a.push_back(identified_a[i]);
      for (; j < identified_b.size() && name_b(j) == name; ++j) in_b.push_back(identified_b[j]);
    }
  }
  a = kernels_at(std::move(in_a), of_a.stream());
  b = kernels_at(std::move(in_b), of_b.stream());
}

void ToldInBoth::take_groups(const StreamProbe& of_a, const StreamProbe& of_b) {
  a.clear();
  b.clear();
  const std::vector<std::uint64_t> groups_a = of_a.group_names(), groups_b = of_b.group_names();
  if (groups_a == groups_b) return;
  std::vector<std::uint64_t> common;
  std::ranges::set_intersection(groups_a, groups_b, std::back_inserter(common));
  if (common.empty()) return;
  const auto in_common_group = [&](const CollectiveKernel& kernel) { return std::ranges::binary_search(common, kernel.name); };
  std::ranges::copy_if(of_a.stream(), std::back_inserter(a), in_common_group);
  std::ranges::copy_if(of_b.stream(), std::back_inserter(b), in_common_group);
}

}  // namespace tv
