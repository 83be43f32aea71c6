#include "core/store/collectives/told_in_both.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tv {
namespace {

constexpr std::size_t kMostNames = 4096;  // of each stream that are searched in the other
constexpr std::size_t kMostKernels = 512;

CollectiveStream kernels_at(std::vector<std::uint32_t> which, const CollectiveStream& stream) {
  std::ranges::sort(which);
  CollectiveStream out;
  for (const std::uint32_t index : which) out.push_back(stream[index]);
  return out;
}

}  // namespace

ToldInBoth::ToldInBoth(const StreamProbe& of_a, const StreamProbe& of_b) {
  take_collectives(of_a, of_b);
  if (!are_enough()) take_groups(of_a, of_b);
}

void ToldInBoth::take_collectives(const StreamProbe& of_a, const StreamProbe& of_b) {
  const auto &told_a = of_a.told(), &told_b = of_b.told();
  const std::size_t most_a = std::min(told_a.size(), kMostNames), most_b = std::min(told_b.size(), kMostNames);
  const auto name_a = [&](std::size_t i) { return of_a.stream()[told_a[i]].name; };
  const auto name_b = [&](std::size_t i) { return of_b.stream()[told_b[i]].name; };
  std::vector<std::uint32_t> in_a, in_b;
  for (std::size_t i = 0, j = 0; i < most_a && j < most_b && in_a.size() < kMostKernels;) {
    const std::uint64_t name = name_a(i);
    if (name < name_b(j)) {
      ++i;
    } else if (name > name_b(j)) {
      ++j;
    } else {
      for (; i < told_a.size() && name_a(i) == name; ++i) in_a.push_back(told_a[i]);
      for (; j < told_b.size() && name_b(j) == name; ++j) in_b.push_back(told_b[j]);
    }
  }
  a = kernels_at(std::move(in_a), of_a.stream());
  b = kernels_at(std::move(in_b), of_b.stream());
}

void ToldInBoth::take_groups(const StreamProbe& of_a, const StreamProbe& of_b) {
  a.clear();
  b.clear();
  const std::vector<std::uint64_t> groups_a = of_a.told_groups(), groups_b = of_b.told_groups();
  if (groups_a == groups_b) return;
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(groups_a, groups_b, std::back_inserter(both));
  if (both.empty()) return;
  const auto is_of_both = [&](const CollectiveKernel& kernel) { return std::ranges::binary_search(both, kernel.name); };
  std::ranges::copy_if(of_a.stream(), std::back_inserter(a), is_of_both);
  std::ranges::copy_if(of_b.stream(), std::back_inserter(b), is_of_both);
}

}  // namespace tv
