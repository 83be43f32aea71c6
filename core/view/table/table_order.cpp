#include "core/view/table/table_order.h"

#include <algorithm>
#include <cmath>

#include "core/base/names/natural_less.h"

namespace tv {

void order_rows(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool none_a = std::isnan(keys[a]), none_b = std::isnan(keys[b]);
    if (none_a || none_b) return !none_a && none_b;
    return falling ? keys[a] > keys[b] : keys[a] < keys[b];
  });
}

void order_rows(std::vector<std::uint32_t>& rows, std::span<const std::string_view> keys, bool falling) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return falling ? natural_less(keys[b], keys[a]) : natural_less(keys[a], keys[b]);
  });
}

}  // namespace tv
