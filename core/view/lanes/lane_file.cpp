#include "core/view/lanes/lane_file.h"

namespace tv {

std::optional<std::size_t> file_of_lane(const Trace& trace, LaneId lane) {
  std::optional<std::size_t> file;
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    for (const Row& row : trace.rows_of(trace.lanes[l])) {
      if (row.count == 0) continue;
      const std::size_t source = idx(trace.ref_of(*trace.ids_of(row).begin()).source());
      if (file && *file != source) return std::nullopt;
      file = source;
    }
  }
  return file;
}

}  // namespace tv
